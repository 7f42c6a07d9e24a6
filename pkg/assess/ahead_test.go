package assess_test

import (
	"slices"
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/test/builders"
)

func TestNodesTarget(t *testing.T) {
	completed := builders.ClusterVersion(builders.Completed("4.20.1", installed, changed))
	rolledBack := builders.ClusterVersion(builders.Completed("4.20.1", installed, changed), builders.Partial("4.20.2", changed), builders.Partial("4.20.1", changed))
	for name, tc := range map[string]struct {
		seen    *configv1.ClusterVersion
		configs []string
		want    string
	}{
		"as it should be":                {completed, []string{"4.20.1", "4.19.9", ""}, "4.20.1"},
		"ahead":                          {completed, []string{"4.20.1", "4.20.10", "4.20.2"}, "4.20.10, ahead of the ClusterVersion"},
		"of an update that was given up": {rolledBack, []string{"4.20.1", "4.20.2"}, "4.20.1"},
		"no release":                     {completed, []string{"latest", "\x1b"}, "4.20.1"},
		"no ClusterVersion":              {nil, []string{"4.20.2"}, "unknown"},
		"no history":                     {builders.ClusterVersion(), []string{"4.20.2"}, "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := assess.NodesTarget(tc.seen, slices.Values(tc.configs)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
