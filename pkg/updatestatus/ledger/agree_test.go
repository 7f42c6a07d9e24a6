package ledger

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

func TestSourcesAgree(t *testing.T) {
	about := func(target string) *insight.State { return &insight.State{Complete: true, Target: target} }
	for _, test := range []struct {
		name                string
		controlPlane, nodes *insight.State
		want                bool
	}{
		{"no state", nil, nil, true},
		{"one without a state", about("4.20.2"), nil, true},
		{"the same update", about("4.20.2"), about("4.20.2"), true},
		{"an update has just started", about("4.20.2"), about("4.20.1"), false},
		{"a migration has just started", about("4.20.2, another architecture"), about("4.20.2"), false},
		{"no nodes", about("4.20.2"), about(""), true},
		{"one does not know the version yet", about("unknown"), about("4.20.2"), false},
		{"a source that is not complete", about("4.20.2"), &insight.State{Reason: "CannotListNodes", Target: "4.20.1"}, true},
	} {
		entries := New()
		entries.Apply(insight.Message{Source: insight.ControlPlaneInformer, State: test.controlPlane})
		entries.Apply(insight.Message{Source: insight.NodeInformer, State: test.nodes})
		if got := entries.View().SourcesAgree(); got != test.want {
			t.Errorf("%s: agreed is %t", test.name, got)
		}
	}
}
