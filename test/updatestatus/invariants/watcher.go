package invariants

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Watcher checks the versions of the UpdateStatus of a real cluster, one by one in their order, over any number of updates.
type Watcher struct {
	// Operators is the number of operators of the payload; zero if it is not known.
	Operators int

	before *updatev1alpha1.UpdateStatus
	// target is the version of the newest update, and last how far it was.
	target string
	last   Stage
	// updates is how many updates have begun since the first version.
	updates int
}

// Next returns what is wrong with a version, and with the step from the version before to it.
func (w *Watcher) Next(us *updatev1alpha1.UpdateStatus) []string {
	if us.Status.ControlPlane == nil {
		return nil // just created
	}
	found := factsOf(us)
	target := w.target
	if of := found.targetVersion(); of != "" || found.isHosted && found.isVersionUpdating() {
		target = of
	}
	if target != w.target {
		if w.before != nil {
			w.updates++
		}
		w.target, w.last = target, StageBefore
	}
	now := StageOf(us, target)
	// A source that says that it can't read the cluster keeps its insights: they may contradict those of another one.
	problems := found.check(now, Update{Target: target, Operators: w.Operators, SourcesLag: !IsAvailable(us)})
	if w.before != nil {
		problems = append(problems, w.checkStep(us, now)...)
	}
	w.before, w.last = us, now
	return problems
}

// Before returns the last version.
func (w *Watcher) Before() *updatev1alpha1.UpdateStatus {
	return w.before
}

// Done is whether an update has begun since the first version, and everything is updated.
func (w *Watcher) Done() bool {
	return w.updates > 0 && w.last == StageEverything
}

// checkStep returns what is wrong with the step to a version.
func (w *Watcher) checkStep(us *updatev1alpha1.UpdateStatus, now Stage) []string {
	var problems []string
	// A node that joins may be of an older version at first.
	if now < w.last && !hasNewNode(w.before, us) {
		problems = append(problems, fmt.Sprintf("steps back from stage %d to %d", w.last, now))
	}
	if equality.Semantic.DeepEqual(w.before.Status, us.Status) && equality.Semantic.DeepEqual(w.before.Labels, us.Labels) &&
		equality.Semantic.DeepEqual(w.before.Annotations, us.Annotations) {
		problems = append(problems, "was written and says what the version before says")
	}
	_, moved := Starts([]*updatev1alpha1.UpdateStatus{w.before, us})
	problems = append(append(problems, moved...), checkParts(w.before, us, !IsAvailable(us))...)
	before := byUID(w.before)
	for uid, one := range byUID(us) {
		if was := before[uid]; was != nil {
			problems = append(problems, checkTimes(uid, was, one)...)
		}
	}
	slices.Sort(problems)
	return problems
}

// checkTimes returns what is wrong with the times of an insight: each is that of a change. Conditions of operators, and whether a node
// is available, have times of the cluster's objects, which may change alone; whether a node or a pool is updating has none. A node that
// goes on with the next update at once has been done in between.
func checkTimes(uid string, before, after *updatev1alpha1.Insight) []string {
	var problems []string
	if sameContent(before, after) && !before.AcquiredAt.Equal(&after.AcquiredAt) {
		problems = append(problems, fmt.Sprintf("%s was acquired at %s, and at %s with the same content", uid, before.AcquiredAt, after.AcquiredAt))
	}
	isNextUpdate := before.Node != nil && after.Node != nil && estimate.IsNextUpdate(before.Node, after.Node)
	if isNextUpdate || after.Node == nil && insight.PoolOf(after) == nil {
		return problems
	}
	was := meta.FindStatusCondition(insight.Conditions(before), updatev1alpha1.ConditionUpdating)
	is := meta.FindStatusCondition(insight.Conditions(after), updatev1alpha1.ConditionUpdating)
	if was != nil && is != nil && was.Status == is.Status && !was.LastTransitionTime.Equal(&is.LastTransitionTime) {
		problems = append(problems, fmt.Sprintf("%s is Updating=%s since %s, and since %s before", uid, is.Status, is.LastTransitionTime, was.LastTransitionTime))
	}
	return problems
}

func sameContent(before, after *updatev1alpha1.Insight) bool {
	was, is := before.DeepCopy(), after.DeepCopy()
	was.AcquiredAt, is.AcquiredAt = metav1.Time{}, metav1.Time{}
	return equality.Semantic.DeepEqual(was, is)
}

// byUID returns the insights that a status has in full.
func byUID(us *updatev1alpha1.UpdateStatus) map[string]*updatev1alpha1.Insight {
	all := map[string]*updatev1alpha1.Insight{}
	for _, one := range Insights(&us.Status) {
		all[one.UID] = one
	}
	return all
}

func hasNewNode(before, after *updatev1alpha1.UpdateStatus) bool {
	was := UIDs(insight.StatusWithListedNodes(&before.Status))
	for _, one := range Insights(insight.StatusWithListedNodes(&after.Status)) {
		if one.Node != nil && !was[one.UID] {
			return true
		}
	}
	return false
}
