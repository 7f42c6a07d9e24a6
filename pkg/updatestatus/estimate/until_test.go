package estimate

import (
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// untilNode returns a node of the pool worker, which began minutes ago if it is in progress.
func untilNode(phase insight.NodePhase, now time.Time, ago int) *updatev1alpha1.NodeInsight {
	status, since := metav1.ConditionFalse, metav1.NewTime(now.Add(-time.Duration(ago)*time.Minute))
	node := &updatev1alpha1.NodeInsight{Name: fmt.Sprintf("%s-%d", phase, ago), Pool: "worker", Version: "4.20.1"}
	if phase == insight.PhaseDraining {
		status, node.Phases = metav1.ConditionTrue, []updatev1alpha1.NodePhase{{Phase: updatev1alpha1.PhaseDraining, StartedAt: since}}
	}
	node.Conditions = []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status, Reason: string(phase), LastTransitionTime: since}}
	return node
}

// TestUntil checks how far a pool of six nodes is, each of which takes about ten minutes by three records.
func TestUntil(t *testing.T) {
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	began := metav1.NewTime(now.Add(-time.Hour))
	usual := recorded("4.20.2", "4.20.3", 60, "worker", 9, 10, 10, 11, 10)
	waiting := []insight.NodePhase{insight.PhasePending, insight.PhasePending, insight.PhasePending, insight.PhasePending}
	for _, test := range []struct {
		name    string
		atATime int32
		phases  []insight.NodePhase
		// ago is how long those in progress have been, and until how many minutes the window is.
		ago, until int
		// fewest, most, whether a pause is needed, from when to when at most, and whether it is too late.
		want string
	}{
		{"none has started", 1, append(waiting, insight.PhasePaused, insight.PhasePaused), 0, 5, "unknown"},
		{"half of a node", 1, append([]insight.NodePhase{insight.PhaseDraining, insight.PhaseCompleted}, waiting...), 5, 1, "1 to 1 of 6, late"},
		{"two nodes", 1, append([]insight.NodePhase{insight.PhaseDraining, insight.PhaseCompleted}, waiting...), 5, 22, "3 to 4 of 6, pause after 8 to 13 minutes"},
		{"two at a time", 2, append([]insight.NodePhase{insight.PhaseDraining, insight.PhaseDraining}, waiting...), 5, 22, "4 to 6 of 6, pause after 8 to 13 minutes"},
		{"all", 2, append([]insight.NodePhase{insight.PhaseDraining, insight.PhaseDraining}, waiting...), 5, 90, "6 to 6 of 6"},
		{"complete", 1, []insight.NodePhase{insight.PhaseCompleted}, 5, 1, "1 to 1 of 1"},
	} {
		u := Update{Now: now, History: History{usual, usual, usual}, Version: &updatev1alpha1.ClusterVersionInsight{StartedAt: &began, CompletedAt: &began}}
		of := PoolNodes{Insight: &updatev1alpha1.MachineConfigPoolInsight{Name: "worker", MaxUnavailable: test.atATime}}
		for _, phase := range test.phases {
			of.Nodes = append(of.Nodes, untilNode(phase, now, test.ago))
		}
		u.Pools = []PoolNodes{of}
		until := now.Add(time.Duration(test.until) * time.Minute)
		got, isKnown := u.Until(until, of)
		text := fmt.Sprintf("%d to %d of %d", got.Fewest, got.Most, got.Total)
		switch pause := got.PauseBy.Sub(now); {
		case !isKnown:
			text = "unknown"
		case got.IsLate:
			text += ", late"
		case !got.PauseBy.IsZero() && pause >= 8*time.Minute && pause <= 13*time.Minute && got.InProgressUntil.After(got.PauseBy) && !got.InProgressUntil.After(until):
			text += ", pause after 8 to 13 minutes"
		case !got.PauseBy.IsZero():
			text += fmt.Sprintf(", pause after %s, in progress until %s", pause, got.InProgressUntil)
		}
		if text != test.want {
			t.Errorf("%s: got %s, want %s", test.name, text, test.want)
		}
	}
}
