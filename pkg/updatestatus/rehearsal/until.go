package rehearsal

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Until is how far an update is at a moment.
type Until struct {
	At metav1.Time `json:"at"`
	// IsComplete is whether the whole update is complete by then: Yes, No or Perhaps, or Unknown.
	IsComplete Answer      `json:"isComplete"`
	Pools      []PoolUntil `json:"pools,omitempty"`
}

// Answer is whether something is so by a moment.
type Answer string

// The answers: in nine of ten cases, in one of ten at most, in between, or it is not known.
const (
	Yes     Answer = "Yes"
	No      Answer = "No"
	Perhaps Answer = "Perhaps"
	Unknown Answer = "Unknown"
)

// PoolUntil is how far a worker pool is.
type PoolUntil struct {
	Name string `json:"name"`
	// LeastNodes and MostNodes of Nodes are updated by then, in eight of ten cases. They are what is updated now where more is not known.
	LeastNodes int32 `json:"leastNodes"`
	MostNodes  int32 `json:"mostNodes"`
	Nodes      int32 `json:"nodes"`
	// PauseBy is the last moment to pause the pool so that none of its nodes is in progress at the moment that is asked for, in 95 of 100 cases, and
	// InProgressUntil when those are done that are in progress at PauseBy. They are absent if all nodes are updated by then, or nothing is known.
	PauseBy         *metav1.Time `json:"pauseBy,omitempty"`
	InProgressUntil *metav1.Time `json:"inProgressUntil,omitempty"`
	// IsLate is whether nodes that are in progress now may be in progress then.
	IsLate bool `json:"isLate,omitempty"`
	// Pause is the command that pauses the pool, beside PauseBy.
	Pause *updatev1alpha1.Command `json:"pause,omitempty"`
}

// until returns how far a rehearsed update is.
func (r *Rehearsal) until(rehearsed *standalone.Rehearsal, all estimate.Update, at time.Time) *Until {
	until := &Until{At: metav1.NewTime(at), IsComplete: answer(r.StartedAt.Add(r.Takes.Least()), r.StartedAt.Add(r.Takes.Most()), at)}
	if len(r.NotUpdated) > 0 {
		until.IsComplete = No
	}
	for _, pool := range r.Pools {
		one := estimate.PoolUntil{}
		nodes, _ := nodesOf(pool.Name, rehearsed.Pools[pool.Name], all)
		if pool.Takes != nil {
			one, _ = all.Until(at, nodes)
		}
		until.Pools = append(until.Pools, poolUntil(pool.Name, pool.Nodes, one))
	}
	return until
}

// OfUpdate returns how far an update in progress is at a moment.
func OfUpdate(u *update.Update, made *updatev1alpha1.UpdateStatusSummaryStatus, history estimate.History, at, now time.Time) *Until {
	all := summary.EstimateOf(u, history, now)
	until := &Until{At: metav1.NewTime(at), IsComplete: Unknown}
	if made.Estimate != nil {
		until.IsComplete = answer(made.Estimate.Earliest.Time, made.Estimate.Latest.Time, at)
	}
	for _, pool := range u.Pools {
		found := slices.IndexFunc(all.Pools, func(one estimate.PoolNodes) bool { return one.Insight.Name == pool.Name })
		if found < 0 {
			continue
		}
		one, _ := all.Until(at, all.Pools[found])
		of := poolUntil(pool.Name, pool.Counts.Total, one)
		if u.IsHosted {
			of.Pause = nil // its pools are no MachineConfigPools
		}
		until.Pools = append(until.Pools, of)
	}
	return until
}

func answer(earliest, latest, at time.Time) Answer {
	switch {
	case !latest.After(at):
		return Yes
	case earliest.After(at):
		return No
	default:
		return Perhaps
	}
}

func poolUntil(name string, nodes int32, of estimate.PoolUntil) PoolUntil {
	one := PoolUntil{Name: name, LeastNodes: int32(of.Fewest), MostNodes: int32(of.Most), Nodes: nodes, IsLate: of.IsLate}
	if of.PauseBy.IsZero() {
		return one
	}
	by, inProgress := metav1.NewTime(of.PauseBy), metav1.NewTime(of.InProgressUntil)
	one.PauseBy, one.InProgressUntil = &by, &inProgress
	one.Pause = &updatev1alpha1.Command{
		Argv: []string{"oc", "patch", "machineconfigpool/" + name, "--type=merge", "-p", `{"spec":{"paused":true}}`}, Effect: updatev1alpha1.CommandChanges,
	}
	return one
}
