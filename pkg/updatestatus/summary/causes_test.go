package summary_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	explain "github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

func causedBy(one updatev1alpha1.Insight, uids ...string) updatev1alpha1.Insight {
	for _, uid := range uids {
		one.Health.CausedBy = append(one.Health.CausedBy, updatev1alpha1.HealthCause{Informer: "node-informer", UID: uid})
	}
	return one
}

func nodeRef(name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Resource: "nodes", Name: name}
}

// TestBlockingChain checks what the update waits for where a node stalls it, from the cause to the last effect.
func TestBlockingChain(t *testing.T) {
	operatorRef := updatev1alpha1.ResourceRef{Resource: "clusteroperators", Name: "machine-config"}
	drain := func(node, why string, others ...updatev1alpha1.ResourceRef) updatev1alpha1.Insight {
		one := health("health-node-drain-blocked-"+node, updatev1alpha1.LevelWarning, 10, "Node "+node+" does not drain: "+why, append([]updatev1alpha1.ResourceRef{nodeRef(node)}, others...)...)
		for name, text := range explain.Texts {
			if text.One == "does not drain: "+why {
				one.Health.Case = name
			}
		}
		return one
	}
	degraded := health("degraded", updatev1alpha1.LevelError, 20, "Node w-0 is degraded", nodeRef("w-0"))
	fails := func(name string, causes ...string) updatev1alpha1.Insight {
		operator := operatorRef
		operator.Name = name
		return causedBy(health("fails", updatev1alpha1.LevelWarning, 20, "Cluster Operator "+name+" is degraded", operator), causes...)
	}
	controlPlaneScope := func(one updatev1alpha1.Insight) updatev1alpha1.Insight {
		one.Health.Scope.Type = updatev1alpha1.ScopeControlPlane
		return one
	}
	unknownStart := drain("w-0", "a deleted pod is stuck terminating")
	unknownStart.Health.StartedAt = nil
	for name, test := range map[string]struct {
		operators []string
		health    []updatev1alpha1.Insight
		want      string
	}{
		"a budget": {
			nil,
			[]updatev1alpha1.Insight{drain("w-0", "a PodDisruptionBudget never allows a disruption", updatev1alpha1.ResourceRef{Resource: "pods", Namespace: "shop", Name: "cart-0"}, insight.Budget("shop", "cart"))},
			"PodDisruptionBudget shop/cart never allows a disruption → node w-0 has been draining for 20m → pool worker",
		},
		"a pod": {
			nil,
			[]updatev1alpha1.Insight{drain("w-0", "a deleted pod is stuck terminating", updatev1alpha1.ResourceRef{Resource: "pods", Namespace: "shop", Name: "cart-0"})},
			"deleted pod shop/cart-0 is stuck terminating → node w-0 has been draining for 20m → pool worker",
		},
		"no object":             {nil, []updatev1alpha1.Insight{drain("w-0", "the node is unreachable")}, "the node is unreachable → node w-0 has been draining for 20m → pool worker"},
		"since an unknown time": {nil, []updatev1alpha1.Insight{unknownStart}, "a deleted pod is stuck terminating → node w-0 does not drain → pool worker"},
		"an unknown cause":      {nil, []updatev1alpha1.Insight{health("drain", updatev1alpha1.LevelWarning, 10, "Node w-0 is taking long to drain, cause unknown", nodeRef("w-0"))}, "node w-0 is taking long to drain, cause unknown, for 20m → pool worker"},
		"a degraded node":       {nil, []updatev1alpha1.Insight{degraded}, "node w-0 is degraded, for 10m → pool worker"},
		"a node without pool":   {nil, []updatev1alpha1.Insight{health("degraded", updatev1alpha1.LevelError, 20, "Node gone is degraded", nodeRef("gone"))}, "node gone is degraded, for 10m"},
		"its cause is first":    {nil, []updatev1alpha1.Insight{causedBy(health("degraded", updatev1alpha1.LevelError, 5, "Node w-0 is degraded", nodeRef("w-0")), "health-node-drain-blocked-w-1"), drain("w-1", "the node is unreachable")}, "the node is unreachable → node w-1 has been draining for 20m → pool worker"},
		"machine-config fails": {
			nil, []updatev1alpha1.Insight{degraded, fails("machine-config", "degraded")}, "node w-0 is degraded, for 10m → pool worker → machine-config",
		},
		"another operator fails":                  {nil, []updatev1alpha1.Insight{degraded, fails("dns", "degraded")}, "node w-0 is degraded, for 10m → pool worker"},
		"machine-config fails for another reason": {nil, []updatev1alpha1.Insight{degraded, fails("machine-config", "other")}, "node w-0 is degraded, for 10m → pool worker"},
		"machine-config waits for a master": {
			[]string{"dns True Progressing 4", "machine-config True Progressing 5"},
			[]updatev1alpha1.Insight{controlPlaneScope(drain("m-0", "the node is unreachable"))},
			"ClusterOperator dns, which has been updating for 26m; the node is unreachable → node m-0 has been draining for 20m → pool master → machine-config",
		},
		"machine-config is done": {
			[]string{"machine-config False Updated 5"},
			[]updatev1alpha1.Insight{controlPlaneScope(drain("m-0", "the node is unreachable"))},
			"the node is unreachable → node m-0 has been draining for 20m → pool master",
		},
		"machine-config waits for no worker": {
			[]string{"machine-config True Progressing 5"}, []updatev1alpha1.Insight{degraded}, "ClusterOperator machine-config, which has been updating for 25m; node w-0 is degraded, for 10m → pool worker",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := running()
			f.operators, f.health = test.operators, test.health
			if diff := cmp.Diff(test.want, f.summary(nil, 30).WaitingFor); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCauses checks that only causes need attention, with the number of what they cause, and that several with the same text are
// one.
func TestCauses(t *testing.T) {
	f := running()
	f.health = []updatev1alpha1.Insight{
		causedBy(health("alert", updatev1alpha1.LevelWarning, 1, "Alert is firing"), "version"),
		causedBy(health("version", updatev1alpha1.LevelWarning, 2, "Failing"), "health-node-not-ready-w-0"),
		health("health-node-not-ready-w-0", updatev1alpha1.LevelWarning, 9, "Node w-0 is not ready", nodeRef("w-0")),
		health("health-node-not-ready-w-1", updatev1alpha1.LevelWarning, 8, "Node w-1 is not ready", nodeRef("w-1")),
		health("other", updatev1alpha1.LevelWarning, 3, "Other"),
	}
	for at := range f.health {
		f.health[at].Health.Remediation.Reference = "https://example.com"
	}
	made := f.summary(nil, 30)
	want := []updatev1alpha1.SummaryAttention{
		{UID: "health-node-not-ready-w-0", Level: updatev1alpha1.LevelWarning, Since: ref(8), Summary: "2 nodes are not ready: w-0 and w-1", Consequences: 2, Resources: []updatev1alpha1.ResourceRef{nodeRef("w-0"), nodeRef("w-1")}, Reference: "https://example.com"},
		{UID: "other", Level: updatev1alpha1.LevelWarning, Since: ref(3), Summary: "Other", Reference: "https://example.com"},
	}
	if diff := cmp.Diff(want, made.Attention); diff != "" {
		t.Errorf("attention (-want +got):\n%s", diff)
	}
	condition := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionNeedsAttention)
	if condition.Status != metav1.ConditionTrue || condition.Message != "2 nodes are not ready: w-0 and w-1, and 1 more" {
		t.Errorf("condition %v", condition)
	}
	if made.Health.Warning != 5 {
		t.Errorf("%d warnings", made.Health.Warning)
	}
}
