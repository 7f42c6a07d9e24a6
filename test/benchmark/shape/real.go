package shape

import (
	"time"

	"github.com/openshift/cluster-version-operator/test/simulator"
)

const (
	// realScale makes a node take eight to fifteen minutes, as nodes of real clusters do.
	realScale = 2
	// realDegraded is how many of the nodes that are updated after the middle of the update fail: one of so many. A failed node
	// is an urgent change.
	realDegraded = 10
)

// realUpdate returns the script of an update at the pace of real ones. One pool updates its nodes one by one.
func (s Shape) realUpdate(start time.Time) simulator.Update {
	pools := s.pools()
	pools[len(pools)-1].MaxUnavailable = 1
	workers := pools[1]
	degraded := map[string]string{}
	for at := workers.Nodes / 2; at < workers.Nodes; at += realDegraded {
		degraded[simulator.NodeName(workers.Name, at)] = `disk validation failed: content mismatch for file "/etc/kubernetes/kubelet.conf"`
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
	operators, nodes := length(update)
	return operators + nodes/2
}
