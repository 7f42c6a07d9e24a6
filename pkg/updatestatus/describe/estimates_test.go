package describe

import (
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// TestEstimates checks that each part has one estimate, that of the summary, and when a table of them is needed.
func TestEstimates(t *testing.T) {
	within := func(earliest, latest time.Duration) *updatev1alpha1.SummaryEstimate {
		return &updatev1alpha1.SummaryEstimate{Earliest: *at(earliest), Latest: *at(latest)}
	}
	head := &updatev1alpha1.UpdateStatusSummaryStatus{
		ControlPlane: &updatev1alpha1.ControlPlaneSummary{Estimate: within(-20*time.Minute, -5*time.Minute)},
		WorkerPools: []updatev1alpha1.WorkerPoolSummary{
			{Name: "worker", Estimate: within(10*time.Minute, 25*time.Minute)}, {Name: "infra"},
		},
	}
	// The estimate of the insight is not that of the summary.
	worker := updatingPool("worker", updatev1alpha1.ReasonProgressing, "")
	worker.Insight.EstimatedCompletedAt = at(time.Hour)
	infra := updatingPool("infra", updatev1alpha1.ReasonPending, "")
	newer := updatingPool("newer", "Odd", "")
	updating := update.ControlPlane{}
	complete := update.ControlPlane{
		Version:  &updatev1alpha1.ClusterVersionInsight{CompletedAt: at(-time.Minute)},
		Updating: &metav1.Condition{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionFalse},
	}
	const header = "\nESTIMATE FOR    FINISH\n"
	const (
		controlPlaneRow = "control plane   overdue by 5m: expected from 11:40 to 11:55 UTC\n"
		workerRow       = "worker   in 10m to 25m (12:10 to 12:25 UTC)\n"
	)
	for _, test := range []struct {
		name  string
		cp    update.ControlPlane
		pools []*update.Pool
		head  *updatev1alpha1.UpdateStatusSummaryStatus
		want  string
	}{
		{"both", updating, []*update.Pool{worker}, head, header + controlPlaneRow + strings.Replace(workerRow, "worker", "worker       ", 1)},
		{"the only part", complete, []*update.Pool{worker}, head, ""},
		{
			"two pools", complete,
			[]*update.Pool{worker, infra},
			head,
			"\nESTIMATE FOR   FINISH\nworker         in 10m to 25m (12:10 to 12:25 UTC)\ninfra          unknown: no node has started\n",
		},
		{"no node has been updated", updating, []*update.Pool{infra}, head, ""},
		{"a pool that the summary lacks", complete, []*update.Pool{worker, newer}, head, "\nESTIMATE FOR   FINISH\nworker         in 10m to 25m (12:10 to 12:25 UTC)\nnewer          unknown\n"},
		{"no summary of the control plane", updating, []*update.Pool{worker}, &updatev1alpha1.UpdateStatusSummaryStatus{}, header + "control plane   unknown\nworker          unknown\n"},
		{"many pools", complete, slices.Repeat([]*update.Pool{worker}, 12), head, "\nESTIMATE FOR   FINISH\n" + strings.Repeat("worker         in 10m to 25m (12:10 to 12:25 UTC)\n", 10) + "and 2 more pools\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &page{Options: Options{Now: testNow, Head: test.head}}
			writeEstimates(p, &update.Update{ControlPlane: test.cp, Pools: test.pools})
			if got := p.text.String(); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// updatingPool returns a pool with a node that is not updated.
func updatingPool(name, reason, message string) *update.Pool {
	return &update.Pool{Name: name, Counts: insight.NodeCounts{Total: 1, Pending: 1}, Insight: &updatev1alpha1.MachineConfigPoolInsight{
		Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: reason, Message: message}},
	}}
}
