package invariants_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

// TestCheckLag: a node that is updating before the cluster is breaks an invariant, unless sources may lag.
func TestCheckLag(t *testing.T) {
	us := &updatev1alpha1.UpdateStatus{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "7"}, Status: updatev1alpha1.UpdateStatusStatus{
		ControlPlane: &updatev1alpha1.ControlPlane{},
		WorkerPools: []updatev1alpha1.WorkerPool{{Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{
			{UID: "node-a", Node: &updatev1alpha1.NodeInsight{Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue}}}},
			{UID: "health-a", Health: &updatev1alpha1.HealthInsight{}},
		}}}}},
	}}
	for lag, want := range map[bool]string{
		false: "version 7: updating although there is no update: [node-a]\nversion 7: 1 health insights although there is no update",
		true:  "",
	} {
		last, problems := invariants.Update{Target: "4.20.0", SourcesLag: lag}.Check([]*updatev1alpha1.UpdateStatus{us})
		if got := strings.Join(problems, "\n"); got != want || last != invariants.StageBefore {
			t.Errorf("sources lag: %t, stage %d, problems:\n%s", lag, last, got)
		}
	}
}
