package invariants_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// blockedNode is a worker whose drain is blocked in the first of two updates.
var blockedNode = simulator.NodeName("worker", 0)

// playedTwice returns the versions of the UpdateStatus in an update to 4.20.2 and, with a node on its way there, to 4.20.3, when which starts
// the node is unblocked. They must not be changed.
var playedTwice = sync.OnceValue(func() []*updatev1alpha1.UpdateStatus {
	update := played.New(simulator.Update{
		Seed: 3, Start: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), From: "4.20.1", To: "4.20.2", Blocked: map[string]bool{blockedNode: true},
	})
	versions := play(nil, update, nil)
	update.Simulation.Request("4.20.3")
	versions = play(versions, update, func(us *updatev1alpha1.UpdateStatus) bool { return targetOf(us) == "4.20.3" })
	update.Simulation.Unblock(blockedNode)
	return play(versions, update, nil)
})

func targetOf(us *updatev1alpha1.UpdateStatus) string {
	return insight.ReadAll(&us.Status).Version.Versions.Target.Version
}

// TestWatcherFindsParts lets one part go back in each version of two updates in which it can: each time that is found.
func TestWatcherFindsParts(t *testing.T) {
	versions := playedTwice()
	if problems, done := watch(versions); len(problems) > 0 || !done {
		t.Errorf("done: %t, problems %v", done, problems)
	}
	setPhase := func(one *updatev1alpha1.Insight, phase insight.NodePhase) {
		updating := meta.FindStatusCondition(insight.Conditions(one), updatev1alpha1.ConditionUpdating)
		updating.Reason = string(phase)
	}
	for name, test := range map[string]struct {
		// spoil changes an insight of which the one before is given, in an update, or returns false.
		spoil func(before, one *updatev1alpha1.Insight, of *updatev1alpha1.ClusterVersionInsight) bool
		want  string
	}{
		"a node is pending while it is being updated": {func(before, one *updatev1alpha1.Insight, _ *updatev1alpha1.ClusterVersionInsight) bool {
			if one.Node == nil || before.Node == nil || !insight.StateOf(before.Node).Updating || before.Node.Version != one.Node.Version {
				return false
			}
			one.Node.Conditions[0].Status = "False"
			setPhase(one, insight.PhasePending)
			return true
		}, "without having been updated"},
		"a node that runs the target is updated again": {func(before, one *updatev1alpha1.Insight, of *updatev1alpha1.ClusterVersionInsight) bool {
			if one.Node == nil || before.Node == nil || one.Node.Version != of.Versions.Target.Version || insight.StateOf(before.Node).Phase != insight.PhaseCompleted {
				return false
			}
			one.Node.Conditions[0].Status = "True"
			setPhase(one, insight.PhaseDraining)
			return true
		}, "and is Draining"},
		"an operator is pending again": {func(before, one *updatev1alpha1.Insight, of *updatev1alpha1.ClusterVersionInsight) bool {
			if one.ClusterOperator == nil || of.CompletedAt != nil || insight.OperatorStateOf(before.ClusterOperator).Progress != insight.OperatorUpdated {
				return false
			}
			setPhase(one, insight.NodePhase(updatev1alpha1.ReasonPending))
			return true
		}, "was updated, and is not any more"},
	} {
		t.Run(name, func(t *testing.T) {
			spoiled := 0
			for at := 1; at < len(versions); at++ {
				before, us := expand(versions[at-1]), expand(versions[at])
				isSpoiled := targetOf(us) == targetOf(before) && spoilOne(before, us, func(was, is *updatev1alpha1.Insight) bool {
					return test.spoil(was, is, insight.ReadAll(&us.Status).Version)
				})
				if !isSpoiled {
					continue
				}
				spoiled++
				if problems, _ := watch([]*updatev1alpha1.UpdateStatus{before, us}); !strings.Contains(strings.Join(problems, "; "), test.want) {
					t.Errorf("version %d: %v", at, problems)
				}
			}
			if spoiled < 100 {
				t.Errorf("%d of %d versions were spoiled", spoiled, len(versions))
			}
		})
	}
}

// expand returns a copy of a status with an insight of each node.
func expand(us *updatev1alpha1.UpdateStatus) *updatev1alpha1.UpdateStatus {
	return &updatev1alpha1.UpdateStatus{Status: *insight.StatusWithListedNodes(us.Status.DeepCopy()).DeepCopy()}
}

// spoilOne spoils the first insight that can be.
func spoilOne(before, us *updatev1alpha1.UpdateStatus, spoil func(was, is *updatev1alpha1.Insight) bool) bool {
	was := map[string]*updatev1alpha1.Insight{}
	for _, one := range invariants.Insights(&before.Status) {
		was[one.UID] = one
	}
	for _, one := range invariants.Insights(&us.Status) {
		if was[one.UID] != nil && spoil(was[one.UID], one) {
			return true
		}
	}
	return false
}
