package ledger_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestHealthOutsideUpdates checks that health insights are there during updates only.
func TestHealthOutsideUpdates(t *testing.T) {
	reports := func(source insight.Source, name string, one insight.ScopedInsight) insight.Message {
		return insight.Message{Source: source, Reports: []insight.Report{{
			Subject: insight.Subject{Kind: "Any", Name: name}, Insights: []insight.ScopedInsight{one},
		}}}
	}
	version := func(status metav1.ConditionStatus) insight.Message {
		return reports(insight.ControlPlaneInformer, "version", insight.ScopedInsight{Insight: updatev1alpha1.Insight{
			ClusterVersion: &updatev1alpha1.ClusterVersionInsight{
				Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status}},
			},
		}})
	}
	pool := func(part insight.Part, unfinished bool) insight.Message {
		return reports(insight.NodeInformer, "pool", insight.ScopedInsight{
			Part: part, Unfinished: unfinished, Insight: updatev1alpha1.Insight{MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{}},
		})
	}
	worker := insight.Part{WorkerPool: "worker"}
	for name, tc := range map[string]struct {
		messages []insight.Message
		want     int
	}{
		"control plane is updating":               {[]insight.Message{version(metav1.ConditionTrue), pool(worker, false)}, len(insight.Sources())},
		"whether it is updating is unknown":       {[]insight.Message{version(metav1.ConditionUnknown), pool(worker, false)}, len(insight.Sources())},
		"workers are behind, or paused":           {[]insight.Message{version(metav1.ConditionFalse), pool(worker, true)}, len(insight.Sources())},
		"control plane nodes are behind":          {[]insight.Message{version(metav1.ConditionFalse), pool(insight.ControlPlane, true)}, len(insight.Sources())},
		"the ClusterVersion has not been seen":    {[]insight.Message{pool(worker, false)}, len(insight.Sources())},
		"everything is complete":                  {[]insight.Message{version(metav1.ConditionFalse), pool(worker, false)}, 0},
		"everything is complete, without workers": {[]insight.Message{version(metav1.ConditionFalse)}, 0},
	} {
		entries := ledger.New()
		for _, message := range tc.messages {
			entries.Apply(message)
		}
		for _, source := range insight.Sources() {
			entries.Apply(about(source, "health", updatev1alpha1.ResourceRef{Resource: "any", Name: "a"}))
		}
		health, others := 0, 0
		for _, source := range entries.View() {
			for _, one := range source.Insights {
				if one.Insight.Health != nil {
					health++
				} else {
					others++
				}
			}
		}
		if health != tc.want || others != len(tc.messages) {
			t.Errorf("%s: %d health insights, want %d; %d others", name, health, tc.want, others)
		}
	}
}

// about is a message about a health insight.
func about(source insight.Source, uid string, resources ...updatev1alpha1.ResourceRef) insight.Message {
	return insight.Message{Source: source, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "Some", Name: uid},
		Insights: []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{
			UID: uid, Health: &updatev1alpha1.HealthInsight{Scope: updatev1alpha1.HealthScope{Resources: builders.Resources(resources...)}},
		}}},
	}}}
}
