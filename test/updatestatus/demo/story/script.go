package story

import (
	"slices"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
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
	Message: builders.CVOSyncWorker.Says("Retrieving payload failed version=%q image=%q failure=The update cannot be verified: "+
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
	return scaled(update, lasting)
}

// faults are those of simulator.Faults that an administrator repairs, and that are reported at once.
var faults = []string{"invalid-crd", "refused-manifest", "stuck-deployment"}

// Faults returns the names of the faults that NewFault knows.
func Faults() []string { return slices.Clone(faults) }

// NewFault returns the script of an update with one fault, that takes a time from its first to its last write.
func NewFault(name string, seed uint64, start time.Time, lasting time.Duration) *Script {
	update := simulator.Update{Seed: seed, Start: start, Scale: 1, Pools: simulator.DefaultPools(), AtLeast: time.Hour}
	simulator.Faults[name](&update)
	return scaled(update, lasting)
}

func scaled(update simulator.Update, lasting time.Duration) *Script {
	update.Scale = lasting.Seconds() / length(update).Seconds()
	return of(update)
}

func of(update simulator.Update) *Script {
	if update.Failure.Message.String() != "" {
		return &Script{Update: update, left: []step{admit(update.Scale)}}
	}
	return &Script{Update: update, left: []step{repair(update.Scale), unblock(update.Scale), resume()}}
}

// Play plays the update to its end. What is given makes the writes until there are no more, and calls a function after each: then an
// administrator does what is due, and what is left when the update is stuck.
func (s *Script) Play(simulation *simulator.Simulation, writes func(wrote func(simulator.Write)) error) error {
	for {
		err := writes(func(write simulator.Write) {
			s.left = slices.DeleteFunc(s.left, func(step step) bool {
				isDue := step.when(write)
				if isDue {
					step.do(simulation)
				}
				return isDue
			})
		})
		if err != nil || len(s.left) == 0 {
			return err
		}
		s.left[0].do(simulation)
		s.left = s.left[1:]
	}
}

// length plays an update in memory and returns how long it takes.
func length(update simulator.Update) time.Duration {
	simulation := simulator.NewSimulation(update)
	last := update.Start
	// In memory nothing fails.
	_ = of(update).Play(simulation, func(wrote func(simulator.Write)) error {
		for write, more := simulation.Next(); more; write, more = simulation.Next() {
			last = write.Time
			wrote(write)
		}
		return nil
	})
	return last.Sub(update.Start)
}
