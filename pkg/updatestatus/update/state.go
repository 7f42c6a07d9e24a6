package update

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// State is the state of the update of the whole cluster, which goes on until every worker pool with nodes is complete. It is the
// reason of the summary's condition Updating.
type State string

// The states of an update.
const (
	// Unknown is a control plane of which nothing tells whether it is being updated.
	Unknown State = updatev1alpha1.ReasonCannotDetermine
	// NotUpdating is a cluster that was not updated since its installation.
	NotUpdating State = updatev1alpha1.ReasonNotUpdating
	// UpdatingControlPlane, UpdatingWorkers and UpdatingBoth are what is being updated, or will be without an administrator.
	UpdatingControlPlane State = updatev1alpha1.ReasonControlPlane
	UpdatingWorkers      State = updatev1alpha1.ReasonWorkers
	UpdatingBoth         State = updatev1alpha1.ReasonControlPlaneAndWorkers
	// Requested is an update that was asked for and has not begun, NotAccepted one that is refused. No other one is in progress.
	Requested   State = updatev1alpha1.ReasonRequested
	NotAccepted State = updatev1alpha1.ReasonNotAccepted
	// Paused is an update of which only nodes of paused pools are left. Nothing that comes by itself is waited for.
	Paused State = updatev1alpha1.ReasonPaused
	// Completed is an update after which all runs the target version.
	Completed State = updatev1alpha1.ReasonCompleted
)

// Status returns the status of the summary's condition Updating.
func (s State) Status() metav1.ConditionStatus {
	switch s {
	case UpdatingControlPlane, UpdatingWorkers, UpdatingBoth:
		return metav1.ConditionTrue
	case NotUpdating, Requested, NotAccepted, Paused, Completed:
		return metav1.ConditionFalse
	default:
		return metav1.ConditionUnknown
	}
}

// IsUpdating returns whether something is being updated, or will be without an administrator.
func (s State) IsUpdating() bool {
	return s.Status() == metav1.ConditionTrue
}

// IsOver returns whether the last update is complete and known to be so. Another one may have been asked for.
func (s State) IsOver() bool {
	return s == Completed || s.IsAsked()
}

// IsAsked returns whether another update was asked for and has not begun.
func (s State) IsAsked() bool {
	return s == Requested || s == NotAccepted
}

// IsComplete returns whether no update is in progress, asked for, nor stopped by paused pools.
func (s State) IsComplete() bool {
	return s == Completed || s == NotUpdating
}

// IsExpected returns whether an update goes on or is expected to, as far as is known. A pool stays paused for as long as an
// administrator wants: a tool must not wait for it, and it is not a failure.
func (s State) IsExpected() bool {
	return !s.IsComplete() && s != Paused
}

func (u *Update) state() State {
	cp := &u.ControlPlane
	if cp.Updating == nil || cp.Version == nil || cp.Updating.Status == metav1.ConditionUnknown {
		return Unknown
	}
	isUpdating := cp.Updating.Status == metav1.ConditionTrue || cp.Counts.Behind() > 0
	var poolsUpdating, waiting, paused bool
	for _, pool := range u.Pools {
		if !pool.HasNodes() {
			continue
		}
		poolsUpdating = poolsUpdating || pool.Counts.Updating > 0
		waiting = waiting || pool.IsUnfinished()
		paused = paused || pool.IsPaused()
	}
	switch {
	case isUpdating && poolsUpdating:
		return UpdatingBoth
	case isUpdating:
		return UpdatingControlPlane
	case waiting:
		return UpdatingWorkers
	case State(cp.Updating.Reason).IsAsked():
		return State(cp.Updating.Reason)
	case paused:
		return Paused
	case cp.Version.Versions.Previous == nil:
		return NotUpdating
	default:
		return Completed
	}
}

// AreAllUpdated returns whether nothing is left of the last update, as far as there was one. Another one may have been asked for.
func (u *Update) AreAllUpdated() bool {
	return u.State.IsComplete() || u.State.IsAsked() && !slices.ContainsFunc(u.Pools, (*Pool).IsPaused)
}

// IsComplete returns whether the control plane, nodes included, is known not to be updating.
func (cp *ControlPlane) IsComplete() bool {
	return cp.Updating != nil && cp.Updating.Status == metav1.ConditionFalse && cp.Counts.Behind() == 0
}

// HasCompleted returns whether the last update of the control plane is known to be complete.
func (cp *ControlPlane) HasCompleted() bool {
	return cp.Updating != nil && cp.Updating.Status == metav1.ConditionFalse && cp.Version != nil && cp.Version.CompletedAt != nil
}

// IsKnown returns whether the control plane is known to be updating or not.
func (cp *ControlPlane) IsKnown() bool {
	return cp.Updating != nil && (cp.Updating.Status == metav1.ConditionTrue || cp.Updating.Status == metav1.ConditionFalse)
}
