package record

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Recorder keeps the record of the newest update, up to the status that it observed last.
type Recorder struct {
	// name is that of the record's object.
	name string
	// head has the versions, the result and the times; the lists are below.
	head updatev1alpha1.UpdateRecordStatus
	// resumed is whether no status was observed since the Recorder was resumed.
	resumed bool

	observer  *observer
	operators operators
	pools     pools
	nodes     nodes
	episodes  *episodes
}

// Named is a record with the name of its object.
type Named struct {
	Name   string
	Status updatev1alpha1.UpdateRecordStatus
}

// Resume returns a Recorder that goes on from the newest record that is stored, nil if there is none.
func Resume(newest *Named) *Recorder {
	if newest == nil || newest.Status.StartedAt == nil || newest.Status.ObservedAt == nil {
		return &Recorder{}
	}
	stored := &newest.Status
	f := &Recorder{
		name: newest.Name, head: *stored.DeepCopy(), resumed: true,
		observer:  &observer{gaps: stored.DeepCopy().Gaps, now: stored.ObservedAt.Time},
		operators: operators{}, nodes: nodes{}, pools: resumePools(stored.Pools), episodes: resumeEpisodes(stored.Episodes),
	}
	for at := range stored.Operators {
		f.operators[stored.Operators[at].Name] = stored.Operators[at].DeepCopy()
	}
	for at := range stored.Nodes {
		f.nodes[stored.Nodes[at].Name] = &node{NodeRecord: *stored.Nodes[at].DeepCopy()}
	}
	return f
}

// Observe goes on to the next status. It returns the record before if that is about another update, which has ended with the
// start of this one or before. A status that is not what the sources report now is not observed.
func (f *Recorder) Observe(u *update.Update, now time.Time) (ended *Named) {
	if !isObserved(u) || !isUpdate(u) {
		return nil
	}
	if version := u.ControlPlane.Version; !f.isAbout(version) {
		ended = f.end(version)
		*f = Recorder{}
		if isComplete(u) {
			return ended // it was complete before it was first observed
		}
		f.start(version)
	}
	if f.head.Result != updatev1alpha1.ResultInProgress {
		return ended
	}
	f.observer.observe(now, f.resumed)
	f.resumed = false
	f.observe(u)
	return ended
}

// expectedWithin is how long after its start an update is expected to be complete as at its start.
const expectedWithin = 10 * time.Minute

// Expect keeps when the update is expected to be complete by the summary beside the last status, if it has just started.
func (f *Recorder) Expect(made *updatev1alpha1.UpdateStatusSummaryStatus) {
	isNew := f.head.Result == updatev1alpha1.ResultInProgress && f.head.Expected == nil && f.observer.now.Sub(f.head.StartedAt.Time) < expectedWithin
	if isNew && made != nil && made.StartedAt.Equal(f.head.StartedAt) {
		f.head.Expected = made.Estimate.DeepCopy()
	}
}

// isAbout returns whether the record is about the newest update.
func (f *Recorder) isAbout(version *updatev1alpha1.ClusterVersionInsight) bool {
	return f.head.StartedAt != nil && f.head.StartedAt.Equal(version.StartedAt)
}

func (f *Recorder) start(version *updatev1alpha1.ClusterVersionInsight) {
	*f = Recorder{
		resumed:  true,
		observer: &observer{now: version.StartedAt.Time}, operators: operators{}, nodes: nodes{}, pools: pools{}, episodes: resumeEpisodes(nil),
	}
	f.head.Versions.Previous, f.head.Versions.Target = version.Versions.Previous.Version, version.Versions.Target.Version
	f.name = nameOf(version)
	f.head.Result = updatev1alpha1.ResultInProgress
	f.head.StartedAt = version.StartedAt.DeepCopy()
	f.head.ControlPlane.StartedAt = version.StartedAt.DeepCopy()
}

// end returns the record of an update that ends with the start of the next one if it has not ended before, nil if there is none.
func (f *Recorder) end(next *updatev1alpha1.ClusterVersionInsight) *Named {
	if f.head.Result != updatev1alpha1.ResultInProgress {
		return f.Record()
	}
	f.head.Result = updatev1alpha1.ResultSuperseded
	if f.head.ControlPlane.CompletedAt != nil || completed(next.Versions.Previous, f.head.Versions.Target) {
		f.head.Result = updatev1alpha1.ResultPartial
	}
	f.head.CompletedAt = next.StartedAt.DeepCopy()
	return f.Record()
}

// completed returns whether the history says of the version before that its update completed in the control plane, which may have
// happened in a gap.
func completed(previous *updatev1alpha1.Version, target string) bool {
	return previous.Version == target && !slices.ContainsFunc(previous.Metadata, func(one updatev1alpha1.VersionMetadata) bool {
		return one.Key == updatev1alpha1.VersionPartial
	})
}

func (f *Recorder) observe(u *update.Update) {
	byName := map[string]*updatev1alpha1.MachineConfigPoolInsight{}
	for _, one := range u.ControlPlane.Operators {
		f.operators.observe(one, f.observer, *f.head.StartedAt)
	}
	for _, one := range u.PoolInsights {
		byName[one.Name] = one
		f.pools.observe(one, scopeOf(u, one), f.observer)
	}
	nodes := u.Nodes()
	for _, one := range nodes {
		if done := f.nodes.observe(one, f.observer); done != nil {
			f.pools.done(done, byName[done.Pool])
		}
	}
	f.nodes.forget(nodes)
	f.pools.observeProgress(nodes, f.observer)
	f.episodes.observe(u.Health, f.observer)
	if u.ControlPlane.HasCompleted() {
		completedAt := u.ControlPlane.Version.CompletedAt
		f.head.ControlPlane.CompletedAt = completedAt.DeepCopy()
		f.head.Took.ControlPlane = f.took(completedAt)
	}
	if isComplete(u) {
		f.complete()
	}
}

// complete ends the update when the last of its parts was complete.
func (f *Recorder) complete() {
	f.head.Result = updatev1alpha1.ResultCompleted
	last, isKnown := *f.head.ControlPlane.CompletedAt, true
	for _, one := range f.pools {
		end := *cmp.Or(one.CompletedAt, one.CompletedBy, f.observer.statusTime())
		if last.Before(&end) || end.Equal(&last) && one.CompletedAt != nil {
			last, isKnown = end, one.CompletedAt != nil
		}
	}
	if !isKnown {
		f.head.CompletedBy = &last
		return
	}
	f.head.CompletedAt = &last
	f.head.Took.Total = f.took(&last)
}

// took returns how long the update had taken at a moment.
func (f *Recorder) took(end *metav1.Time) *metav1.Duration {
	return &metav1.Duration{Duration: max(end.Sub(f.head.StartedAt.Time), 0)}
}

// Head returns the record without its lists: the versions, the result and the times of the update, all absent if none is known.
func (f *Recorder) Head() *updatev1alpha1.UpdateRecordStatus {
	return &f.head
}

var notInNames = regexp.MustCompile(`[^a-z0-9.-]+`)

// Record returns the record, nil if no update is known. It fits its object.
func (f *Recorder) Record() *Named {
	if f.head.StartedAt == nil {
		return nil
	}
	result := *f.head.DeepCopy()
	now := f.observer.statusTime()
	result.ObservedAt, result.Gaps = now, f.observer.gaps
	result.Operators, result.Pools = f.operators.list(), f.pools.list()
	result.Nodes, result.Episodes = f.nodes.list(now.Time), f.episodes.list(*now)
	return &Named{Name: f.name, Status: *fit(result.DeepCopy())}
}

// nameOf returns the name of a record, which has no other update of the cluster: its start and its target.
func nameOf(newest *updatev1alpha1.ClusterVersionInsight) string {
	target := notInNames.ReplaceAllString(strings.ToLower(newest.Versions.Target.Version), "-")
	return strings.Trim(newest.StartedAt.UTC().Format("20060102-150405-")+target, "-.")
}
