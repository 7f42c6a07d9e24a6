package shape

import (
	"fmt"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// The shapes.
const (
	// Plain is a cluster at rest, before an update.
	Plain = "plain"
	// Real is such a cluster in the middle of an update at the pace of real ones.
	Real = "real"
)

const (
	masters = 3

	// transitionsOfNode is how often the state of a node changes in its update: pending, draining until its daemon
	// starts, updating until the daemon requests a drain, draining, updating, rebooting, completed.
	transitionsOfNode = 7
	// fullRate is how many nodes change a second, on the average of a replay, in clusters of fullSize nodes and more. In
	// smaller ones it is less, in proportion.
	fullRate = 30
	fullSize = 250

	// heartbeat is how often a kubelet posts an unchanged status (nodeStatusReportFrequency).
	heartbeat = 5 * time.Minute
	// operatorsTake bounds the part of a replay in which operators are updated and no node is.
	operatorsTake = 25 * time.Second
)

// Shape is a cluster to measure.
type Shape struct {
	Name string
	// Nodes is their number, masters included.
	Nodes int
}

// Validate returns an error if there is no such cluster.
func (s Shape) Validate() error {
	switch {
	case s.Name != Plain && s.Name != Real:
		return fmt.Errorf("unknown shape %q, not %s or %s", s.Name, Plain, Real)
	case s.Nodes <= masters:
		return fmt.Errorf("%d nodes, but at least one more than the %d masters is needed", s.Nodes, masters)
	default:
		return nil
	}
}

// Update returns the script of the update of a cluster that is quiet for a time before, but for heartbeats.
func (s Shape) Update(start time.Time, quiet time.Duration) simulator.Update {
	if s.Name == Real {
		return s.realUpdate(start)
	}
	update := simulator.Update{Seed: 1, Start: start, Pools: s.pools()}
	operators, nodes := length(update)
	wanted := time.Duration(float64(time.Second) * transitionsOfNode * float64(s.Nodes) / s.Rate())
	update.Scale = wanted.Seconds() / nodes.Seconds()
	update.OperatorScale = min(1, operatorsTake.Seconds()/(operators.Seconds()*update.Scale))
	update.Quiet = time.Duration(float64(quiet) / update.Scale)
	update.HeartbeatEvery = time.Duration(float64(heartbeat) / update.Scale)
	update.Dress = dresser(update.Pools)
	return update
}

// Rate is how many nodes change their state a second, on the average, once the first MachineConfig is rendered; zero if they
// change at the times of the simulation.
func (s Shape) Rate() float64 {
	if s.Name == Real {
		return 0
	}
	return fullRate * min(1, float64(s.Nodes)/fullSize)
}

// length returns how long an update takes, unscaled, until the first MachineConfig is rendered for it, and from there to
// its end.
func length(update simulator.Update) (operators, nodes time.Duration) {
	simulation := simulator.NewSimulation(update)
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		since := write.Time.Sub(update.Start)
		if write.Before == nil && operators == 0 {
			operators = since
		}
		nodes = since - operators
	}
	return operators, nodes
}

func (s Shape) pools() []simulator.Pool {
	workers := s.Nodes - masters
	storage, gpu, infra := workers/10, workers/6, (workers+4)/5
	return []simulator.Pool{
		{Name: "master", Nodes: masters},
		pool("worker", workers-storage-gpu-infra), pool("infra", infra), pool("gpu", gpu), pool("storage", storage),
	}
}

// pool returns a pool of which a tenth is updated at a time.
func pool(name string, nodes int) simulator.Pool {
	return simulator.Pool{Name: name, Nodes: nodes, MaxUnavailable: (nodes + 9) / 10}
}
