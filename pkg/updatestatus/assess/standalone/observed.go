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
