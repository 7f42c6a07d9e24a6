package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// poolOf returns a pool of nodes, of which some are in a phase each and all others pending, with its nodes.
func poolOf(size, draining, updating, rebooting, completed int) []updatev1alpha1.Insight {
	insights := []updatev1alpha1.Insight{{MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{
		Name:       "large",
		Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: "True", Reason: updatev1alpha1.ReasonProgressing, LastTransitionTime: at(0)}},
		Summaries:  []updatev1alpha1.NodeSummary{{Type: updatev1alpha1.NodesTotal, Count: int32(size)}},
	}}}
	for number := range size {
		status, reason := metav1.ConditionTrue, updatev1alpha1.ReasonDraining
		switch {
		case number < draining:
		case number < draining+updating:
			reason = updatev1alpha1.ReasonUpdating
		case number < draining+updating+rebooting:
			reason = updatev1alpha1.ReasonRebooting
		case number < draining+updating+rebooting+completed:
			status, reason = metav1.ConditionFalse, updatev1alpha1.ReasonCompleted
		default:
			status, reason = metav1.ConditionFalse, updatev1alpha1.ReasonPending
		}
		insights = append(insights, updatev1alpha1.Insight{Node: &updatev1alpha1.NodeInsight{
			Name: fmt.Sprintf("worker-%d", number), Pool: "large",
			Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status, Reason: reason, LastTransitionTime: at(0)}},
		}})
	}
	return insights
}

// TestProgress checks which moments the progress of a pool has, minute by minute.
func TestProgress(t *testing.T) {
	type counts [4]int
	for _, test := range []struct {
		name  string
		size  int
		steps []counts
		want  string
	}{
		{name: "a pool with all nodes in the record", size: 200, steps: []counts{{1, 0, 0, 0}}},
		{name: "each phase", size: 201, steps: []counts{{1, 2, 3, 4}}, want: "0:1/2/3/4"},
		{name: "no change", size: 201, steps: []counts{{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}, want: "0:1/0/0/0 2:0/1/0/0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fold := record.Resume(nil)
			for minute, one := range test.steps {
				fold.Observe(update.Read(with(minute, poolOf(test.size, one[0], one[1], one[2], one[3])...)), at(minute).Time)
			}
			if got := progressOf(fold); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func progressOf(fold *record.Recorder) string {
	var moments []string
	for _, one := range fold.Record().Status.Pools[0].Progress {
		moments = append(moments, fmt.Sprintf("%s:%d/%d/%d/%d", minutes(&one.At), one.Draining, one.Updating, one.Rebooting, one.Completed))
	}
	return strings.Join(moments, " ")
}

// TestProgressOfUncordonedNodes checks that a node that is uncordoned after its reboot counts as rebooting, and one that does not
// reboot as updating.
func TestProgressOfUncordonedNodes(t *testing.T) {
	insights := poolOf(201, 0, 2, 0, 0)
	insights[1].Node.Phases = []updatev1alpha1.NodePhase{{Phase: "Updating", StartedAt: at(0)}, {Phase: "Rebooting", StartedAt: at(0)}}
	insights[2].Node.Phases = []updatev1alpha1.NodePhase{{Phase: "Updating", StartedAt: at(0)}}
	fold := record.Resume(nil)
	fold.Observe(update.Read(with(1, insights...)), at(1).Time)
	progress := fold.Record().Status.Pools[0].Progress
	if len(progress) != 1 || progress[0].Updating != 1 || progress[0].Rebooting != 1 {
		t.Errorf("got %+v", progress)
	}
}

// TestProgressIsThinned checks that of many moments the first and the last stay, those between are spread evenly, and that a
// controller that starts again goes on with them.
func TestProgressIsThinned(t *testing.T) {
	const last = 200
	fold := record.Resume(nil)
	for minute := range last + 1 {
		fold.Observe(update.Read(with(minute, poolOf(300, 0, 0, 0, minute)...)), at(minute).Time)
		if minute == last/2 {
			fold = record.Resume(fold.Record())
		}
	}
	progress := fold.Record().Status.Pools[0].Progress
	if len(progress) != updatev1alpha1.RecordMaxProgress {
		t.Errorf("got %d moments", len(progress))
	}
	if first, end := progress[0].Completed, progress[len(progress)-1].Completed; first != 0 || end != last {
		t.Errorf("got moments from %d to %d completed nodes", first, end)
	}
	for at := 1; at < len(progress); at++ {
		if passed := progress[at].At.Sub(progress[at-1].At.Time).Minutes(); passed < 1 || passed > 4*last/updatev1alpha1.RecordMaxProgress {
			t.Errorf("between two moments are %v minutes", passed)
		}
	}
}

// TestProgressFits checks that the progress of many large pools is thinned before pools are left out, and that each keeps some.
func TestProgressFits(t *testing.T) {
	const pools, size, minutes = 24, 208, 40
	fold := record.Resume(nil)
	for minute := range minutes {
		var insights []updatev1alpha1.Insight
		for number := range pools {
			name := fmt.Sprintf("%s-%d", strings.Repeat("pool", 30), number)
			for _, one := range poolOf(size, 1, 1, 1, minute) {
				if one.Node != nil {
					one.Node.Name, one.Node.Pool = fmt.Sprintf("%s-%d", one.Node.Name, number), name
				} else {
					one.MachineConfigPool.Name = name
				}
				insights = append(insights, one)
			}
		}
		fold.Observe(update.Read(with(minute, insights...)), at(minute).Time)
	}
	made := fold.Record().Status
	if encoded, err := json.Marshal(made); err != nil || len(encoded) > record.MaxBytes {
		t.Errorf("%d bytes, error %v", len(encoded), err)
	}
	if len(made.Pools) != pools+1 {
		t.Errorf("%d pools of %d", len(made.Pools), pools+1)
	}
	for _, pool := range made.Pools[:pools] {
		if moments := len(pool.Progress); moments < 4 || moments == updatev1alpha1.RecordMaxProgress {
			t.Errorf("pool %s has %d moments", pool.Name, moments)
		}
	}
}
