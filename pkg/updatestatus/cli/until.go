package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// What --for names.
const (
	forAll          = "all"
	forControlPlane = "control-plane"
	forManagement   = "management"
	forDataPlane    = "data-plane"
	forWorkers      = "workers"
	forPool         = "pool/"
)

// wholeParts are those without a name of their own.
var wholeParts = []string{forAll, forControlPlane, forManagement, forDataPlane, forWorkers}

func forParts() []string {
	return append(slices.Clone(wholeParts), forPool+"NAME")
}

func isPart(name string) bool {
	return slices.Contains(wholeParts, name) || strings.HasPrefix(name, forPool) && name != forPool
}

// until is what a watch waits for.
type until struct {
	part string
	// started is whether an update has been seen, or need not be.
	started bool
}

// reached returns whether nothing of the part is waited for any more that comes by itself: it is complete, or its pools are paused.
// A status with which something is wrong shows nothing of that.
func (u *until) reached(observed *observation, now time.Time) (bool, error) {
	if observed.check(now) != nil {
		return false, nil
	}
	read := observed.update
	if err := u.checkPool(read); err != nil {
		return false, err
	}
	u.started = u.started || !read.State.IsComplete()
	if !u.started {
		return false, nil
	}
	pool, isPool := strings.CutPrefix(u.part, forPool)
	at := slices.IndexFunc(read.Pools, func(one *update.Pool) bool { return one.Name == pool })
	switch {
	case read.State.IsAsked(), isPool && at < 0:
		return false, nil // no part of the update that was asked for is complete before it begins
	case isPool:
		return !read.Pools[at].IsUnfinished(), nil
	case u.part == forManagement:
		return managementReached(&read.ControlPlane)
	case u.part == forDataPlane:
		return isCompleted(read.ControlPlane.DataPlane), nil
	case u.part == forControlPlane:
		return read.ControlPlane.IsComplete(), nil
	case u.part == forWorkers:
		return read.ControlPlane.IsKnown() && !slices.ContainsFunc(read.Pools, (*update.Pool).IsUnfinished), nil
	default:
		return read.State.Status() == metav1.ConditionFalse, nil
	}
}

// managementReached returns whether the components in the management cluster are complete. They start before the payload: once that has
// started, a HostedCluster that does not report them never will.
func managementReached(cp *update.ControlPlane) (bool, error) {
	if cp.Management == nil && cp.DataPlane != nil && cp.DataPlane.State != updatev1alpha1.TrackPending {
		return false, errors.New("the HostedCluster does not report the version of its components in the management cluster, " +
			"as before OpenShift 4.22: wait for control-plane instead")
	}
	return isCompleted(cp.Management), nil
}

func isCompleted(track *updatev1alpha1.ControlPlaneTrack) bool {
	return track != nil && track.State == updatev1alpha1.TrackCompleted
}

// remaining names what is waited for.
func (u *until) remaining(observed *observation) string {
	read := observed.update
	var parts []string
	if (u.part == forAll || u.part == forControlPlane) && !read.ControlPlane.IsComplete() {
		parts = append(parts, "the control plane")
	}
	if u.part == forManagement && !isCompleted(read.ControlPlane.Management) {
		parts = append(parts, "the components in the management cluster")
	}
	if u.part == forDataPlane && !isCompleted(read.ControlPlane.DataPlane) {
		parts = append(parts, "the payload in the hosted cluster")
	}
	for _, pool := range read.Pools {
		if pool.IsUnfinished() && (u.part == forAll || u.part == forWorkers || u.part == forPool+pool.Name) {
			parts = append(parts, "pool "+pool.Name)
		}
	}
	pool, isPool := strings.CutPrefix(u.part, forPool)
	switch {
	case !u.started || read.State.IsAsked():
		return "the start of an update"
	case isPool && !slices.ContainsFunc(read.Pools, func(one *update.Pool) bool { return one.Name == pool }):
		return "a report about pool " + pool
	case len(parts) == 0:
		return "a status that is up to date"
	default:
		return strings.Join(parts, ", ")
	}
}

// pausedPools returns the names of the pools of the part that are paused before they are complete.
func pausedPools(observed *observation, part string) []string {
	var names []string
	for _, pool := range observed.update.Pools {
		if pool.IsPaused() && (part == forAll || part == forWorkers || part == forPool+pool.Name) {
			names = append(names, pool.Name)
		}
	}
	return names
}

// checkPool returns an error for a pool that does not exist. Until the controller has reported the nodes, that is not known.
func (u *until) checkPool(read *update.Update) error {
	name, isPool := strings.CutPrefix(u.part, forPool)
	isReported := len(read.Pools) > 0 || meta.IsStatusConditionTrue(read.Conditions, updatev1alpha1.ConditionAvailable)
	var names []string
	for _, pool := range read.Pools {
		names = append(names, pool.Name)
	}
	switch {
	case !isPool || !isReported || slices.Contains(names, name):
		return nil
	case read.ControlPlane.Pool != nil && read.ControlPlane.Pool.Name == name:
		return fmt.Errorf("pool %s is that of the control plane; did you mean --for=%s?", name, forControlPlane)
	default:
		return noPoolError(name, "--for="+forPool, names)
	}
}

// outcome returns what became of the part, empty for the whole update, which describe.End is about.
func (u *until) outcome(observed *observation) string {
	paused := pausedPools(observed, u.part)
	switch {
	case u.part == forAll:
		return ""
	case len(paused) > 0:
		return "Only paused pools are left of --for=" + u.part + ": " + strings.Join(paused, ", ") + "."
	case u.part == forControlPlane:
		return "The control plane is complete."
	case u.part == forManagement:
		return "The components in the management cluster are complete."
	case u.part == forDataPlane:
		return "The payload in the hosted cluster is complete."
	case u.part == forWorkers:
		return "The worker pools are complete."
	default:
		return "Pool " + strings.TrimPrefix(u.part, forPool) + " is complete."
	}
}
