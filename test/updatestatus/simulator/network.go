package simulator

import (
	"fmt"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the network operator, which has a DaemonSet on every node, says of nodes that are not ready: openshift/cluster-network-operator,
// pkg/controller/statusmanager/pod_status.go (SetFromPods). It counts nodes and names none.

const (
	// progressTimeout is how long nothing of a DaemonSet changes until the operator is degraded.
	progressTimeout = 10 * time.Minute
	// podStarts is how long after its node a pod is ready.
	podStarts = 30 * time.Second

	daemonSet = `DaemonSet "/openshift-ovn-kubernetes/ovnkube-node" `
)

// networkState is the state of the network operator.
type networkState struct {
	// waits is for how many nodes its DaemonSet waits, changes how often that has changed, and changed when it last did.
	waits, changes int
	changed        time.Time
	// then is what it does once it waits for none.
	then []func()
}

// nodesNotReady follows a node that is not ready, or is again.
func (s *Simulation) nodesNotReady(change int) {
	if change > 0 {
		s.daemonSetWaits(change)
		return
	}
	s.after(podStarts, func() { s.daemonSetWaits(change) })
}

func (s *Simulation) daemonSetWaits(change int) {
	s.network.waits += change
	s.network.changes++
	s.network.changed = s.time()
	if atLeast(s.cvo.release, sinceAvailable) {
		return
	}
	if s.network.waits > 0 {
		s.networkAwaits()
		return
	}
	s.setDegraded(networkOperator, configv1.ConditionFalse, "", builders.Text{})
	s.settled(networkOperator)
	then := s.network.then
	s.network.then = nil
	for _, do := range then {
		do()
	}
}

// daemonSetRolls: a DaemonSet that rolls out changes, so that it does not hang any more.
func (s *Simulation) daemonSetRolls() {
	s.network.changes++
	s.network.changed = s.time()
	s.setDegraded(networkOperator, configv1.ConditionFalse, "", builders.Text{})
}

// networkAwaits reports for how many nodes the DaemonSet waits, and after a while that it hangs.
func (s *Simulation) networkAwaits() {
	s.progressing(planOf(networkOperator), fmt.Sprintf(daemonSet+"is not available (awaiting %d nodes)", s.network.waits))
	changes := s.network.changes
	s.inBackground(progressTimeout, func() {
		if changes != s.network.changes || s.network.waits == 0 {
			return
		}
		s.setDegraded(networkOperator, configv1.ConditionTrue, "RolloutHung",
			builders.NetworkPodStatus.Says(daemonSet+"rollout is not making progress - last change %s", s.network.changed.Format(time.RFC3339)))
	})
}

// rolledOut does something once an operator has rolled out: the network operator waits for all nodes.
func (s *Simulation) rolledOut(name string, do func()) {
	if name != networkOperator || s.network.waits == 0 || atLeast(s.cvo.release, sinceAvailable) {
		do()
		return
	}
	s.network.then = append(s.network.then, do)
	s.networkAwaits()
}

// startUnready starts with nodes that have not been ready for long.
func (s *Simulation) startUnready() {
	if s.network.waits = len(s.update.Unready); s.network.waits > 0 && !atLeast(s.update.From, sinceAvailable) {
		s.network.changed = s.update.Start.Add(-24 * time.Hour)
		s.after(0, s.networkAwaits)
	}
}
