package causes_test

import (
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

// TestChoosePods: the pods of root causes are read first, of three operators at most, and those of others in any case.
func TestChoosePods(t *testing.T) {
	scoped := func(ones ...causes.Insight) ledger.SourceView {
		var view ledger.SourceView
		for _, one := range ones {
			view.Insights = append(view.Insights, &insight.ScopedInsight{Insight: *one.Insight})
		}
		return view
	}
	failing := func(name string, level updatev1alpha1.HealthLevel) causes.Insight {
		return operator(name, "degraded", level, "m")
	}
	nodes := scoped(node("w-1", "worker"), degraded("w-1", "m"))
	lost := &insight.ScopedInsight{NotReady: true, Insight: updatev1alpha1.Insight{Node: &updatev1alpha1.NodeInsight{Name: "a"}}}
	nodes.Insights = append(nodes.Insights, lost)
	machineConfig := operator("machine-config", "degraded", critical, `Node w-1 is reporting: "disk"`)
	view := ledger.View{
		insight.ControlPlaneInformer: scoped(machineConfig, failing("dns", warning), failing("etcd", failure), failing("ingress", warning),
			health("cluster-operator-unavailable", critical, "dns", "", operatorRef("dns")), health("cluster-version-failing", failure, "", "", versionRef)),
		insight.NodeInformer: nodes,
	}
	others := strings.NewReplacer("RETRIEVAL", podstate.ReleaseRetrieval, "CVO", podstate.VersionOperator)
	for _, test := range []struct{ wanted, want string }{
		{"machine-config etcd dns ingress", "dns etcd ingress"},
		{"machine-config etcd", "etcd machine-config"},
		{"new etcd", "etcd new"},
		{"RETRIEVAL ingress dns etcd machine-config", "dns etcd ingress RETRIEVAL"},
		{"CVO ingress dns etcd machine-config", "dns etcd ingress CVO"},
		{"", ""},
	} {
		var wanted []podstate.Wanted
		for _, name := range strings.Fields(test.wanted) {
			wanted = append(wanted, podstate.Wanted{Operator: others.Replace(name)})
		}
		chosen, away := causes.ChoosePods(wanted, view)
		var names []string
		for _, one := range chosen {
			switch one.Operator {
			case podstate.ReleaseRetrieval:
				names = append(names, "RETRIEVAL")
			case podstate.VersionOperator:
				names = append(names, "CVO")
			default:
				names = append(names, one.Operator)
			}
		}
		if got := strings.Join(names, " "); got != test.want || len(away) != 1 {
			t.Errorf("%s: %s, want %s; away %v", test.wanted, got, test.want, away)
		}
	}
}
