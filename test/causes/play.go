package causes

import (
	"math/rand/v2"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// start is when all played updates start.
var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

const (
	// lasting is how long a fault is watched, and looking how often. shown is how long after its insight a fault must be told first.
	lasting = 150 * time.Minute
	looking = 10 * time.Minute
	shown   = 15 * time.Second
)

// Moment is the status at a moment of an update.
type Moment struct {
	// After is the time since the start of the update.
	After  time.Duration
	Status *updatev1alpha1.UpdateStatusStatus
}

// update is an update with a fault.
type update struct {
	simulation *simulator.Simulation
	next       *simulator.Write
	ledger     *ledger.Ledger
	builder    *status.Builder
	fault      *fault
}

// Play plays an update with a fault, and returns the status at each moment at which it is looked at: every few minutes, and again a
// moment later.
func Play(of *fault, seed uint64) []Moment {
	random := rand.New(rand.NewPCG(seed, 1))
	script := simulator.Update{Seed: seed, Start: start, Pools: []simulator.Pool{
		{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 3}, {Name: "infra", Nodes: 2},
	}}
	of.begin(random, &script)
	u := &update{simulation: simulator.NewSimulation(script), ledger: ledger.New(), builder: status.NewBuilder(), fault: of}
	var moments []Moment
	for after := time.Duration(0); after <= lasting; after += looking {
		for _, again := range []time.Duration{0, shown} {
			u.playTo(start.Add(after + again))
			moments = append(moments, Moment{After: after + again, Status: u.look(start.Add(after + again))})
		}
	}
	return moments
}

// playTo makes the writes up to a moment.
func (u *update) playTo(until time.Time) {
	for {
		if u.next == nil {
			write, more := u.simulation.Next()
			if !more {
				return
			}
			u.next = &write
		}
		if u.next.Time.After(until) {
			return
		}
		u.next = nil
	}
}

// look returns the status at a moment.
func (u *update) look(now time.Time) *updatev1alpha1.UpdateStatusStatus {
	in := lag.NewCluster(u.simulation.Objects()).Input()
	in.Alerts = []assess.Alert{}
	u.fault.act(&cluster{ClusterInput: &in, now: now})
	messages := assess.Cluster(in, now)
	for _, message := range messages {
		u.ledger.Apply(message)
	}
	return u.builder.Build(u.ledger.View(), nil, now)
}
