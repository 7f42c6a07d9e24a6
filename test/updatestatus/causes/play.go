package causes

import (
	"math/rand/v2"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// start is when all played updates start: when the Cluster Version Operator accepts the release, some minutes after the request.
var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

const (
	acceptance = 3 * time.Minute
	// lasting is how long a fault is watched, and looking how often. shown is how long after its insight a fault must be told first.
	lasting = 150 * time.Minute
	looking = 10 * time.Minute
	closely = 2 * time.Minute
	shown   = 15 * time.Second
)

// Moment is the status at a moment of an update.
type Moment struct {
	// After is the time since the start of the update.
	After  time.Duration
	Status *updatev1alpha1.UpdateStatusStatus
}

// Play plays an update with a fault, and returns the status at each moment at which it is looked at: every few minutes, and again a
// moment later. The daemons and controllers that try again are played to the end.
func Play(of *fault, seed uint64) []Moment {
	random := rand.New(rand.NewPCG(seed, 1))
	script := simulator.Update{
		Seed: seed, Start: start.Add(-acceptance), Acceptance: acceptance, AtLeast: acceptance + lasting + looking,
		Pools: []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 3}, {Name: "infra", Nodes: 2}},
	}
	of.begin(random, &script)
	update := played.New(script)
	update.Change = func(in *standalone.Input, now time.Time) {
		*in = copyOf(*in)
		in.Lease = leaseRenewed(now.Add(-20 * time.Second))
		of.act(&cluster{Input: in, now: now})
	}
	var moments []Moment
	every := looking
	if of.isDue {
		every = closely
	}
	for after := time.Duration(0); after <= lasting; after += every {
		for _, again := range []time.Duration{0, shown} {
			now := start.Add(after + again)
			update.To(now)
			if in := update.Input(); of.request != nil && of.request(&cluster{Input: &in, now: now}) {
				update.Simulation.Request(secondVersion)
			}
			moments = append(moments, Moment{After: after + again, Status: update.Status(now)})
		}
	}
	return moments
}

// copyOf returns copies of what a fault changes, without alerts that were there before.
func copyOf(in standalone.Input) standalone.Input {
	in.ClusterVersion, in.MachineConfigOperator = in.ClusterVersion.DeepCopy(), in.MachineConfigOperator.DeepCopy()
	in.ClusterOperators, in.MachineConfigPools = copies(in.ClusterOperators), copies(in.MachineConfigPools)
	in.Nodes, in.MachineConfigNodes = copies(in.Nodes), copies(in.MachineConfigNodes)
	in.Alerts = []assess.Alert{}
	return in
}

func copies[T interface{ DeepCopy() T }](of []T) []T {
	copied := make([]T, 0, len(of))
	for _, one := range of {
		copied = append(copied, one.DeepCopy())
	}
	return copied
}
