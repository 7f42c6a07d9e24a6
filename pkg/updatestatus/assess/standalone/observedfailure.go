package standalone

import (
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
)

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
// 4.18: insights about these operators have it (openshift/cluster-version-operator, pkg/cvo/status.go, convertErrorToProgressingForUpdateEffectNone).
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
