package standalone

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
)

// VersionObserved is what was observed of a ClusterVersion over time, and no object tells.
type VersionObserved struct {
	// Requested is the update that is asked for, nil if there is none.
	Requested *updatev1alpha1.RequestedUpdate
	// BehindSince is since when the Cluster Version Operator has not responded to a change of the spec, zero if it has, and generation the one that it
	// last observed.
	BehindSince time.Time
	generation  int64

	attempts attempts
	failure  failure
	// startedAt is when this process first assessed the cluster, zero for objects of a moment.
	startedAt time.Time
}

// attempts are those with which the Cluster Version Operator applies the release of an update. Each starts at the first manifest, so that what
// it says of the present one is less than what is known.
type attempts struct {
	// started is when the update did, zero if none is in progress.
	started time.Time
	// updated is the number of operators that are.
	updated      int
	manifests    *updatev1alpha1.ManifestProgress
	waitingOn    []updatev1alpha1.WaitedOperator
	progressedAt time.Time
	// others are the operators that the newest attempts wait for, if they differ, and othersSince is since when.
	others      []string
	othersSince time.Time
}

// failure is what the Cluster Version Operator reports as the reason for which it does not get on. Between two attempts it reports none.
type failure struct {
	// since is when it was first observed, and seen when it was last: zero if there is none.
	since, seen time.Time
	which       string
	reported    *updatev1alpha1.ComponentReport
	// applied is the highest count of manifests when it was observed last, and beyond since when there is a higher one.
	applied int32
	beyond  time.Time
}

// NewVersionObserved returns what was observed before, by an assessment before that.
func NewVersionObserved(before assess.Observed) VersionObserved {
	observed := VersionObserved{Requested: before.Requested}
	if version := before.Version; version != nil && version.ProgressedAt != nil {
		observed.attempts = attempts{
			started: assess.TimeOf(version.StartedAt), manifests: version.Manifests, waitingOn: version.WaitingOn, progressedAt: version.ProgressedAt.Time,
			updated: -1,
		}
	}
	if failing := before.Failing; failing != nil && failing.Reported != nil {
		observed.failure = failure{since: assess.TimeOf(failing.StartedAt), which: failing.Case, reported: failing.Reported}
	}
	return observed
}

// next returns what is observed of a control plane at a moment, which is not known for objects of a moment.
func (o VersionObserved) next(in ClusterVersionInput, operators controlplane.Operators, now time.Time) VersionObserved {
	var next VersionObserved
	version := in.ClusterVersion
	if version == nil {
		return next
	}
	next.Requested = o.requested(version, in.Snapshot, now)
	switch {
	case !isBehind(version):
	case in.Snapshot && next.Requested != nil:
		next.BehindSince = assess.TimeOf(next.Requested.Since)
	case !in.Snapshot:
		// While a release is retrieved, which takes half an hour if it fails, the operator is behind again and again, and responds meanwhile.
		next.BehindSince, next.generation = o.BehindSince, version.Status.ObservedGeneration
		if next.BehindSince.IsZero() || next.generation != o.generation {
			next.BehindSince = now
		}
	}
	next.failure = o.failure.next(in, operators, o.attempts.applied(), now)
	if operators.IsUnfinished {
		next.attempts = o.attempts.next(in, operators, next.failure, now)
	}
	next.startedAt = o.startedAt
	if next.startedAt.IsZero() && !in.Snapshot {
		next.startedAt = now
	}
	return next
}

func (o VersionObserved) requested(version *configv1.ClusterVersion, isSnapshot bool, now time.Time) *updatev1alpha1.RequestedUpdate {
	requested := requestedBy(version)
	switch {
	case requested == nil:
	case isSame(requested, o.Requested):
		requested.Since = o.Requested.Since
	case isSnapshot:
		requested.Since = assess.OptionalTime(requestedBefore(version, now))
	default:
		requested.Since = wholeSecond(now)
	}
	return requested
}

func wholeSecond(now time.Time) *metav1.Time {
	return assess.OptionalTime(now.Truncate(time.Second))
}

// otherPatience is how long another list of operators stands until it replaces the one before: an updated operator that degrades for a
// moment, such as network while a node of the control plane reboots, is waited for first by the next attempt.
const otherPatience = 2 * time.Minute

// next returns the attempts with what the present one says. One that fails at an object waits for that, and for the operators that it names besides.
func (a attempts) next(in ClusterVersionInput, operators controlplane.Operators, failure failure, now time.Time) attempts {
	started := in.ClusterVersion.Status.History[0].StartedTime.Time
	isFirst := !a.started.Equal(started) || a.progressedAt.IsZero()
	if isFirst {
		a = attempts{started: started, updated: operators.Updated, progressedAt: now.Truncate(time.Second)}
	}
	said := in.attempt()
	isAhead := said.Manifests != nil && (a.manifests == nil || said.Manifests.Applied > a.manifests.Applied || said.Manifests.Total != a.manifests.Total)
	if isAhead {
		a.manifests = said.Manifests
	}
	hasProgressed := isAhead || a.updated >= 0 && operators.Updated > a.updated
	a.updated = operators.Updated
	switch {
	case in.Snapshot:
		a.progressedAt = time.Time{}
	case hasProgressed && !isFirst:
		a.progressedAt = now.Truncate(time.Second)
	case operators.LastChange.After(a.progressedAt) && !operators.LastChange.After(now):
		a.progressedAt = operators.LastChange
	}
	if reported := failure.reported; reported != nil && len(controlplane.FailedObjects(reported.Message)) > 0 {
		a.others, a.othersSince = nil, time.Time{}
		a.waitingOn = a.since(in.unfinished(controlplane.FailedOperators(reported.Message)), in.Snapshot, now)
		return a
	}
	return a.wait(in.unfinished(said.WaitingOn), in, isAhead, now)
}

// applied returns the highest count of manifests that are applied, zero if there is none.
func (a attempts) applied() int32 {
	if a.manifests == nil {
		return 0
	}
	return a.manifests.Applied
}

// wait returns the attempts with what they wait for.
func (a attempts) wait(said []string, in ClusterVersionInput, isAhead bool, now time.Time) attempts {
	var known []string
	for _, one := range a.waitingOn {
		known = append(known, one.Name)
	}
	known = in.unfinished(known)
	isOther := len(said) > 0 && !haveSame(said, known)
	if !isOther || !haveSame(said, a.others) {
		a.others, a.othersSince = nil, time.Time{}
	}
	if isOther && a.othersSince.IsZero() {
		a.others, a.othersSince = said, now
	}
	switch {
	case isOther && (isAhead || len(known) == 0 || now.Sub(a.othersSince) >= otherPatience):
		a.others, a.othersSince = nil, time.Time{}
	case len(said) == 0 && isAhead:
		said = nil
	default:
		said = known
	}
	a.waitingOn = a.since(said, in.Snapshot, now)
	return a
}

// since returns operators with the times since when they have been waited for.
func (a attempts) since(names []string, isSnapshot bool, now time.Time) []updatev1alpha1.WaitedOperator {
	var waited []updatev1alpha1.WaitedOperator
	for _, name := range names {
		one := updatev1alpha1.WaitedOperator{Name: name}
		if at := slices.IndexFunc(a.waitingOn, func(before updatev1alpha1.WaitedOperator) bool { return before.Name == name }); at >= 0 {
			one.Since = a.waitingOn[at].Since
		} else if !isSnapshot {
			one.Since = wholeSecond(now)
		}
		waited = append(waited, one)
	}
	return waited
}

// nextCheck returns when other operators replace those that are waited for, zero if there are none.
func (a attempts) nextCheck() time.Time {
	if a.othersSince.IsZero() {
		return time.Time{}
	}
	return a.othersSince.Add(otherPatience)
}

func haveSame(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(name string) bool { return !slices.Contains(b, name) })
}

// attempt returns what the Cluster Version Operator says of its attempt.
func (in ClusterVersionInput) attempt() controlplane.Attempt {
	progressing := controlplane.FindCondition(in.ClusterVersion.Status.Conditions, configv1.OperatorProgressing)
	if progressing == nil {
		return controlplane.Attempt{}
	}
	return controlplane.ReadAttempt(progressing.Message)
}

// unfinished returns those of some operators that the update has to wait for: the message of the Cluster Version Operator may be older than
// they are.
func (in ClusterVersionInput) unfinished(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		operator := operatorNamed(name, in.ClusterOperators)
		return operator == nil || in.operatorInput(operator).IsUpdated() && controlplane.IsHealthy(operator)
	})
}

// longestGap is how long the Cluster Version Operator may report no failure between two attempts that fail: they are four minutes apart at
// most, and an attempt reaches what fails after some more (openshift/cluster-version-operator, pkg/cvo/sync_worker.go, Start).
//
// gapBeyond is how long it may once more manifests are applied than before: what is reported is dropped until an attempt has come as far as the one
// before, whose count was shown no more once it failed, and what fails is tried three times, which takes 23 seconds (statusWrapper.Report, and
// pkg/payload/task.go, Run). After that, what failed before is applied.
const longestGap, gapBeyond = 10 * time.Minute, 2 * time.Minute

// next returns the failure as it is reported at present, or was before a gap.
func (f failure) next(in ClusterVersionInput, operators controlplane.Operators, applied int32, now time.Time) failure {
	condition := controlplane.FindCondition(in.ClusterVersion.Status.Conditions, clusterVersionFailing)
	said := in.attempt().Manifests
	if f.seen.IsZero() {
		f.seen, f.applied = now, applied // it was observed by a controller before this one
	}
	switch {
	case !isFailing(condition):
		if reported := endedAt(condition, now); !f.since.IsZero() && reported.After(f.seen) {
			f.seen, f.applied, f.beyond = reported, max(f.applied, applied), time.Time{} // an attempt failed unobserved
		}
		if f.beyond.IsZero() && f.applied > 0 && said != nil && said.Applied > f.applied {
			f.beyond = now
		}
		if f.since.IsZero() || !operators.IsUnfinished || in.Snapshot || now.After(f.ends()) {
			return failure{}
		}
		return f
	case f.since.IsZero():
		f.since = condition.LastTransitionTime.Time
		if operators.IsUnfinished {
			f.since = assess.Later(f.since, in.ClusterVersion.Status.History[0].StartedTime.Time)
		}
	}
	f.seen, f.applied, f.beyond, f.which = now, applied, time.Time{}, caseFailing
	if said != nil {
		f.applied = max(applied, said.Applied)
	}
	if condition.Status != configv1.ConditionTrue {
		f.which = caseMayBeFailing
	}
	f.reported = controlplane.Reported(updatev1alpha1.ComponentClusterVersionOperator, condition)
	return f
}

// slowOperator is the reason with which the Cluster Version Operator reports operators that take long, since 4.19 and in updates of 4.16 to
// 4.18: that is told of the operators (pkg/cvo/status.go, convertErrorToProgressingForUpdateEffectNone).
const slowOperator = "SlowClusterOperator"

// isFailing returns whether a condition Failing reports a failure, or that there may be one.
func isFailing(condition *configv1.ClusterOperatorStatusCondition) bool {
	return condition != nil && condition.Status != configv1.ConditionFalse && condition.Reason != slowOperator
}

// endedAt returns until when a condition Failing that is False was another, zero if that is not known.
func endedAt(condition *configv1.ClusterOperatorStatusCondition, now time.Time) time.Time {
	if condition == nil || condition.Status != configv1.ConditionFalse || condition.LastTransitionTime.After(now) {
		return time.Time{}
	}
	return condition.LastTransitionTime.Time
}

// nextCheck returns when the failure is over if none is reported again, zero if it is reported.
func (f failure) nextCheck(now time.Time) time.Time {
	if f.since.IsZero() || f.seen.Equal(now) {
		return time.Time{}
	}
	return f.ends().Add(assess.Tick)
}

// ends returns when the failure is over if none is reported again.
func (f failure) ends() time.Time {
	ends := f.seen.Add(longestGap)
	if earlier := f.beyond.Add(gapBeyond); !f.beyond.IsZero() && earlier.Before(ends) {
		return earlier
	}
	return ends
}
