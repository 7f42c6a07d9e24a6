package invariants_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// play plays an update until something holds, or to its end, or to where it is stuck, and adds the versions of the UpdateStatus.
func play(versions []*updatev1alpha1.UpdateStatus, update *played.Update, until func(*updatev1alpha1.UpdateStatus) bool) []*updatev1alpha1.UpdateStatus {
	for now, more := update.Next(); more; now, more = update.Next() {
		us := &updatev1alpha1.UpdateStatus{Status: *update.Status(now).DeepCopy()}
		if len(versions) == 0 || !equality.Semantic.DeepEqual(versions[len(versions)-1].Status, us.Status) {
			versions = append(versions, us)
		}
		if until != nil && until(us) {
			break
		}
	}
	return versions
}

// once returns the versions of the UpdateStatus in an update, which must not be changed.
var once = sync.OnceValue(func() []*updatev1alpha1.UpdateStatus {
	return play(nil, played.New(simulator.Update{
		Seed: 3, Start: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), From: "4.20.1", To: "4.20.2",
	}), nil)
})

// watch returns the problems of the first version that has some, and whether the update is done at the end.
func watch(versions []*updatev1alpha1.UpdateStatus) (problems []string, done bool) {
	var watcher invariants.Watcher
	for _, us := range versions {
		if problems := watcher.Next(us); len(problems) > 0 {
			return problems, watcher.Done()
		}
	}
	return nil, watcher.Done()
}

func TestWatcher(t *testing.T) {
	versions := once()
	if problems, done := watch(versions); len(problems) > 0 || !done {
		t.Errorf("done: %t, problems %v", done, problems)
	}
	if _, done := watch(versions[:len(versions)-1]); done {
		t.Error("done before the end")
	}
	if _, done := watch(versions[len(versions)-1:]); done {
		t.Error("done without an update")
	}
}

// TestWatcherFinds puts a fault into each tenth version of an update: it is found.
func TestWatcherFinds(t *testing.T) {
	versions := once()
	later := func(at metav1.Time) metav1.Time { return metav1.NewTime(at.Add(time.Minute)) }
	first := func(us *updatev1alpha1.UpdateStatus, is func(*updatev1alpha1.Insight) bool) *updatev1alpha1.Insight {
		for _, one := range invariants.Insights(&us.Status) {
			if is(one) {
				return one
			}
		}
		return nil
	}
	isNode := func(one *updatev1alpha1.Insight) bool { return one.Node != nil }
	unchanged := func(us, before *updatev1alpha1.UpdateStatus) *updatev1alpha1.Insight {
		return first(us, func(one *updatev1alpha1.Insight) bool {
			was := first(before, func(was *updatev1alpha1.Insight) bool { return was.UID == one.UID })
			return isNode(one) && was != nil && cmp.Equal(one.Node, was.Node)
		})
	}
	for name, test := range map[string]struct {
		spoil func(us, before *updatev1alpha1.UpdateStatus)
		want  string
	}{
		"nothing is new": {func(us, before *updatev1alpha1.UpdateStatus) { before.DeepCopyInto(us) }, "says what the version before says"},
		"another time of a change": {func(us, before *updatev1alpha1.UpdateStatus) {
			one := unchanged(us, before)
			one.AcquiredAt = later(one.AcquiredAt)
		}, "was acquired at"},
		"another time of a condition": {func(us, before *updatev1alpha1.UpdateStatus) {
			updating := meta.FindStatusCondition(unchanged(us, before).Node.Conditions, updatev1alpha1.ConditionUpdating)
			updating.LastTransitionTime = later(updating.LastTransitionTime)
		}, " since "},
		"a wrong count": {func(us, _ *updatev1alpha1.UpdateStatus) {
			first(us, func(one *updatev1alpha1.Insight) bool { return one.MachineConfigPool != nil }).MachineConfigPool.Summaries[0].Count++
		}, "its nodes are"},
		"a wrong completion": {func(us, _ *updatev1alpha1.UpdateStatus) {
			first(us, func(one *updatev1alpha1.Insight) bool { return one.ClusterVersion != nil }).ClusterVersion.Completion++
		}, "counted are"},
		"one uid twice": {func(us, _ *updatev1alpha1.UpdateStatus) {
			first(us, isNode).UID = "cv-version"
		}, "2 insights are called"},
		"an operator goes back to the start": {func(us, before *updatev1alpha1.UpdateStatus) {
			versions[len(versions)/3].DeepCopyInto(us)
			versions[len(versions)-1].DeepCopyInto(before)
		}, "steps back"},
	} {
		t.Run(name, func(t *testing.T) {
			for at := 10; at < len(versions); at += len(versions) / 10 {
				before, us := versions[at-1].DeepCopy(), versions[at].DeepCopy()
				test.spoil(us, before)
				problems, _ := watch([]*updatev1alpha1.UpdateStatus{before, us})
				if !strings.Contains(strings.Join(problems, "; "), test.want) {
					t.Errorf("version %d: %v", at, problems)
				}
			}
		})
	}
}

// TestWatcherNewNode: a node that joins with an older version makes no update go back.
func TestWatcherNewNode(t *testing.T) {
	versions := once()
	before, us := versions[len(versions)-1], versions[len(versions)-1].DeepCopy()
	pool := &us.Status.WorkerPools[0].Informers[0]
	for at := range pool.Insights {
		one := &pool.Insights[at]
		if one.MachineConfigPool != nil {
			one.MachineConfigPool.Completion = 90
			for kind := range one.MachineConfigPool.Summaries {
				summary := &one.MachineConfigPool.Summaries[kind]
				if slices.Contains([]updatev1alpha1.NodeSummaryType{updatev1alpha1.NodesTotal, updatev1alpha1.NodesAvailable, updatev1alpha1.NodesOutdated}, summary.Type) {
					summary.Count++
				}
			}
		}
	}
	pool.Insights = append(pool.Insights, updatev1alpha1.Insight{UID: "node-new", Node: &updatev1alpha1.NodeInsight{
		Name: "new", Pool: us.Status.WorkerPools[0].Name,
		Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonPending}, {Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionTrue}},
	}})
	if problems, _ := watch([]*updatev1alpha1.UpdateStatus{before, us}); len(problems) > 0 {
		t.Errorf("with a new node: %v", problems)
	}
}
