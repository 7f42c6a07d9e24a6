package causes

import (
	"math/rand/v2"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// start is when all played updates start: when the Cluster Version Operator accepts the release, some minutes after the request.
var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

const (
	acceptance = 3 * time.Minute
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

// playing is an update with a fault.
type playing struct {
	simulation *simulator.Simulation
	next       *simulator.Write
	written    *lag.Cluster
	ledger     *ledger.Ledger
	builder    *status.Builder
	fault      *fault
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
	simulation := simulator.NewSimulation(script)
	u := &playing{simulation: simulation, written: lag.NewCluster(simulation.Objects()), ledger: ledger.New(), builder: status.NewBuilder(), fault: of}
	var moments []Moment
	for after := time.Duration(0); after <= lasting; after += looking {
		for _, again := range []time.Duration{0, shown} {
			now := start.Add(after + again)
			u.playTo(now)
			if of.request != nil && of.request(&cluster{Input: u.input(), now: now}) {
				u.simulation.Request(secondVersion)
			}
			moments = append(moments, Moment{After: after + again, Status: u.look(now)})
		}
	}
	return moments
}

// playTo makes the writes up to a moment.
func (u *playing) playTo(until time.Time) {
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
		u.written.Put(u.next.After)
		u.next = nil
	}
}

// input returns what is read of the cluster: copies, which a fault changes.
func (u *playing) input() *standalone.Input {
	copies := lag.NewCluster(nil)
	for _, object := range u.written.Objects() {
		copies.Put(object.DeepCopyObject().(simulator.Object))
	}
	in := copies.Input()
	in.Alerts = []assess.Alert{}
	return &in
}

// look returns the status at a moment.
func (u *playing) look(now time.Time) *updatev1alpha1.UpdateStatusStatus {
	in := u.input()
	u.fault.act(&cluster{Input: in, now: now})
	for _, message := range standalone.Assess(*in, now) {
		u.ledger.Apply(message)
	}
	return u.builder.Build(u.ledger.View(), nil, now)
}
