package story

import (
	"fmt"
	"slices"
	"time"

	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const (
	workerPool = "worker"
	// PausedPool is the pool that an administrator has paused.
	PausedPool = "infra"
	// whatIsWrong is the message of the Machine Config Daemon of DegradedNode.
	whatIsWrong = `disk validation failed: content mismatch for file "/etc/kubernetes/kubelet.conf"`
)

// refused is why the release is not accepted at first, as long as its signature can't be found: loadUpdatedPayload in
// pkg/cvo/sync_worker.go of openshift/cluster-version-operator.
var refused = simulator.Refusal{
	Reason: "RetrievePayload",
	Message: fmt.Sprintf("Retrieving payload failed version=%q image=%q failure=The update cannot be verified: "+
		"unable to verify sha256:4d20 against keyrings: verifier-public-key-redhat", simulator.DefaultTo, builders.Image(simulator.DefaultTo)),
	Tries: 2,
}

var (
	// DegradedNode is the node that fails to update until it is repaired.
	DegradedNode = simulator.NodeName(workerPool, 1)
	// StorageNode is the node whose drain waits for storage that rebuilds.
	StorageNode = simulator.NodeName(workerPool, 2)
)

// Script is a played update, with what an administrator does on the way. It is played once.
type Script struct {
	// Update is what is played.
	Update simulator.Update

	left []step
}

// New returns the script of an update that takes a time from its first to its last write.
func New(seed uint64, start time.Time, lasting time.Duration) *Script {
	update := simulator.Update{
		Seed:     seed,
		Start:    start,
		Scale:    1,
		Pools:    simulator.DefaultPools(),
		Degraded: map[string]string{DegradedNode: whatIsWrong},
		Refused:  refused,
		Blocked:  map[string]bool{StorageNode: true},
	}
	for at := range update.Pools {
		update.Pools[at].Paused = update.Pools[at].Name == PausedPool
	}
	update.Scale = lasting.Seconds() / length(update).Seconds()
	return of(update)
}

func of(update simulator.Update) *Script {
	return &Script{Update: update, left: []step{repair(update.Scale), unblock(update.Scale), resume()}}
}

// Play plays the update to its end. The writes are made by what is given, to their end or up to the first one at which
// until is true, which it tells; as playback.Player does.
func (s *Script) Play(
	simulation *simulator.Simulation, writes func(until func(simulator.Write) bool) (stopped bool, err error),
) error {
	for {
		stopped, err := writes(s.isDue)
		if err != nil {
			return err
		}
		if !s.act(simulation, stopped) {
			return nil
		}
	}
}

// isDue returns whether the administrator does something after a write.
func (s *Script) isDue(write simulator.Write) bool {
	due := false
	for at := range s.left {
		s.left[at].isDue = s.left[at].isDue || s.left[at].when(write)
		due = due || s.left[at].isDue
	}
	return due
}

// act lets the administrator do what is due, or if the update is stuck the first of what is left. It tells whether there was
// anything to do.
func (s *Script) act(simulation *simulator.Simulation, stopped bool) bool {
	acted := false
	s.left = slices.DeleteFunc(s.left, func(step step) bool {
		now := step.isDue || !stopped && !acted
		if now {
			step.do(simulation)
			acted = true
		}
		return now
	})
	return acted
}

// length plays an update in memory and returns how long it takes.
func length(update simulator.Update) time.Duration {
	simulation := simulator.NewSimulation(update)
	last := update.Start
	// In memory nothing fails.
	_ = of(update).Play(simulation, func(until func(simulator.Write) bool) (bool, error) {
		for write, more := simulation.Next(); more; write, more = simulation.Next() {
			last = write.Time
			if until(write) {
				return true, nil
			}
		}
		return false, nil
	})
	return last.Sub(update.Start)
}
