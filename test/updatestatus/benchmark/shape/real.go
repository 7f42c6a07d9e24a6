package shape

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	// realScale makes a node take eight to fifteen minutes, as nodes of real clusters do.
	realScale = 2
	// realDegraded is how many of the nodes that are updated in the middle of the update and after it fail: one of so many, or two of
	// those that are updated at a time. A failed node is an urgent change.
	realDegraded = 10
	// zones is in how many zones the nodes of the pool with failing ones are: zone after zone is updated.
	zones = 3
)

// realUpdate returns the script of an update at the pace of real ones. One pool updates its nodes one by one.
func (s Shape) realUpdate(start time.Time) simulator.Update {
	pools := s.pools()
	pools[len(pools)-1].MaxUnavailable = 1
	workers := &pools[1]
	workers.Zones = zones
	var inOrder []string
	for zone := range zones {
		for at := zone; at < workers.Nodes; at += zones {
			inOrder = append(inOrder, simulator.NodeName(workers.Name, at))
		}
	}
	degraded := map[string]string{}
	// The first one is on its way when half of the nodes are done. A failed node takes two places: half of the pool's stay free.
	together := workers.MaxUnavailable
	for at := (len(inOrder) + together) / 2; at < len(inOrder) && 4*len(degraded) < together; at += min(realDegraded, max(together/2, 1)) {
		degraded[inOrder[at]] = `disk validation failed: content mismatch for file "/etc/kubernetes/kubelet.conf"`
	}
	return simulator.Update{
		Seed: 1, Start: start, Pools: pools, Scale: realScale, HeartbeatEvery: heartbeat / realScale, Degraded: degraded, Dress: dresser(pools),
	}
}

// Middle returns how long after its start half of the nodes are done, in an update at the pace of real ones. The pool that updates
// its nodes one by one goes on for many hours after the others, and does not count.
func (s Shape) Middle() time.Duration {
	update := s.realUpdate(time.Time{}.AddDate(2000, 0, 0))
	update.HeartbeatEvery = 0
	update.Dress = nil
	update.Pools = update.Pools[:len(update.Pools)-1]
	left := 0
	for _, pool := range update.Pools {
		left += pool.Nodes
	}
	left /= 2
	simulation := simulator.NewSimulation(update)
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		if isDone(write) {
			left--
		}
		if left == 0 {
			return write.Time.Sub(update.Start)
		}
	}
	return 0
}

// isDone returns whether a write ends the update of a node.
func isDone(write simulator.Write) bool {
	before, isNode := write.Before.(*corev1.Node)
	if !isNode {
		return false
	}
	after := write.After.(*corev1.Node)
	return before.Annotations[builders.AnnotationCurrentConfig] != after.Annotations[builders.AnnotationCurrentConfig]
}
