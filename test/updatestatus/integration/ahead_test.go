package integration_test

import (
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestDrainAhead tells the story of a PodDisruptionBudget that will block the drain of a node that still waits: an administrator is
// warned while the control plane is updated, in the status, its summary and the text, and no longer when the update is over.
func TestDrainAhead(t *testing.T) {
	const want = "1 of 2 nodes in pool 'worker' that wait will not drain: PodDisruptionBudget shop/cart never allows a disruption"
	w := newWorld(t)
	w.put(append(smallCluster(), builders.Node("worker-2", builders.Role("worker"), builders.Configs("rendered-old", "rendered-old")))...)
	w.createTightBudget("worker-1")
	w.start()
	w.until("the warning", func(us *updatev1alpha1.UpdateStatus) bool { return healthOf(us, want) != nil })
	w.untilSummary("the warning in the summary", func(summary *updatev1alpha1.UpdateStatusSummary) []string {
		for _, attention := range summary.Status.Attention {
			if attention.Summary == want && len(attention.Resources) == 3 {
				return nil
			}
		}
		return []string{"it does not have the warning"}
	})
	if text := describeWhole(t, w.get(), w.clock.Now()); !strings.Contains(text, want) || !strings.Contains(text, "→ oc describe poddisruptionbudget -n shop cart\n") {
		t.Errorf("the text is:\n%s", text)
	}
}
