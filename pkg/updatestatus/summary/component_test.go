package summary_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// TestWaitingForComponent checks what an update waits for is called: a component of a hosted control plane is no ClusterOperator.
func TestWaitingForComponent(t *testing.T) {
	since := metav1.Unix(1700000000, 0)
	conditions := []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: "Progressing", LastTransitionTime: since}}
	for want, one := range map[string]updatev1alpha1.Insight{
		"component etcd, which":       {ControlPlaneComponent: &updatev1alpha1.ClusterOperatorInsight{Name: "etcd", Resource: updatev1alpha1.ResourceRef{Resource: "controlplanecomponents"}, Conditions: conditions}},
		"ClusterOperator etcd, which": {ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{Name: "etcd", Resource: updatev1alpha1.ResourceRef{Resource: "clusteroperators"}, Conditions: conditions}},
	} {
		status := &updatev1alpha1.UpdateStatusStatus{ControlPlane: &updatev1alpha1.ControlPlane{
			Conditions: conditions, Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{
				{ClusterVersion: &updatev1alpha1.ClusterVersionInsight{StartedAt: &since, Conditions: conditions}}, one,
			}}},
		}}
		if got := summary.Of(summary.Input{Update: update.Read(status), Now: since.Time}).WaitingFor; !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
