package simulator

import (
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// What the kubelet says of its node, and the node lifecycle controller when it says nothing: kubernetes/kubernetes, pkg/kubelet and
// pkg/controller/nodelifecycle/node_lifecycle_controller.go.

// gracePeriod is how long a kubelet may say nothing until its conditions are Unknown: node-monitor-grace-period.
const gracePeriod = 50 * time.Second

// pressures are the conditions that the kubelet reports besides Ready, and their reasons when all is well.
var pressures = []struct {
	kind   corev1.NodeConditionType
	reason string
}{
	{corev1.NodeMemoryPressure, "KubeletHasSufficientMemory"},
	{corev1.NodeDiskPressure, "KubeletHasNoDiskPressure"},
	{corev1.NodePIDPressure, "KubeletHasSufficientPID"},
}

func kubeletCondition(
	kind corev1.NodeConditionType, status corev1.ConditionStatus, since time.Time, reason string,
) builders.NodeOption {
	return builders.NodeCondition(kind, status, since, reason, "kubelet says "+reason)
}

// rebootKubelet stops the kubelet of a node that reboots. After the grace period nothing is known of the node; the kubelet is back
// before the daemon, and not ready at first.
func (s *Simulation) rebootKubelet(n *node) {
	reboot := n.times.reboot
	stops, back, ready := min(15*time.Second, reboot/8), reboot-min(25*time.Second, reboot/4), reboot-min(10*time.Second, reboot/8)
	s.after(stops, func() { n.down = true })
	lost := s.update.Lost[n.object.Name]
	if unknown := stops + gracePeriod; lost || unknown < back {
		s.after(unknown, func() { s.loseKubelet(n) })
	}
	if !lost {
		s.startKubelet(n, back, ready, reboot)
	}
}

// startKubelet plans the end of a reboot: the kubelet is back, then ready, then the daemon starts.
func (s *Simulation) startKubelet(n *node, back, ready, started time.Duration) {
	s.after(back, func() {
		n.down = false
		s.setReady(n, corev1.ConditionFalse, "KubeletNotReady")
	})
	s.after(ready, func() { s.setReady(n, corev1.ConditionTrue, "KubeletReady") })
	s.after(started, func() { s.started(n) })
}

// loseKubelet is what the node lifecycle controller writes of a kubelet that says nothing: every condition of its is Unknown.
func (s *Simulation) loseKubelet(n *node) {
	wasReady := isReady(n.object)
	now := metav1.NewTime(s.time())
	change(s, n.object, status, func(object *corev1.Node) {
		for at := range object.Status.Conditions {
			condition := &object.Status.Conditions[at]
			condition.Status, condition.Reason, condition.LastTransitionTime = corev1.ConditionUnknown, "NodeStatusUnknown", now
			condition.Message = "Kubelet stopped posting node status."
		}
	})
	s.taintReadiness(n)
	s.poolChanged(n.pool)
	if wasReady {
		s.nodesNotReady(1)
	}
}

// setReady is what the kubelet reports; of everything but its readiness it knows at once that all is well.
func (s *Simulation) setReady(n *node, ready corev1.ConditionStatus, reason string) {
	wasReady := isReady(n.object)
	s.changeKubelet(n, func(object *corev1.Node) {
		for _, well := range pressures {
			if conditionOfNode(object, well.kind).Status == corev1.ConditionUnknown {
				kubeletCondition(well.kind, corev1.ConditionFalse, s.time(), well.reason)(object)
			}
		}
		since := s.time()
		if before := conditionOfNode(object, corev1.NodeReady); before.Status == ready {
			since = before.LastTransitionTime.Time
		}
		kubeletCondition(corev1.NodeReady, ready, since, reason)(object)
	})
	s.taintReadiness(n)
	s.poolChanged(n.pool)
	switch isReady := ready == corev1.ConditionTrue; {
	case wasReady && !isReady:
		s.nodesNotReady(1)
	case !wasReady && isReady:
		s.nodesNotReady(-1)
	}
}

// taintReadiness taints a node that is not ready, or of which nothing is known, as the node lifecycle controller does: once against
// new pods and once against those that run, in one write here.
func (s *Simulation) taintReadiness(n *node) {
	ready := conditionOfNode(n.object, corev1.NodeReady).Status
	since := metav1.NewTime(s.time())
	reconcile(s, n.object, allButStatus, func(object *corev1.Node) {
		for _, effect := range []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute} {
			setTaint(object, corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: effect, TimeAdded: &since}, ready == corev1.ConditionFalse)
			setTaint(object, corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: effect, TimeAdded: &since}, ready == corev1.ConditionUnknown)
		}
	})
}

func conditionOfNode(node *corev1.Node, kind corev1.NodeConditionType) corev1.NodeCondition {
	for _, condition := range node.Status.Conditions {
		if condition.Type == kind {
			return condition
		}
	}
	return corev1.NodeCondition{Type: kind}
}

// startHeartbeats starts the periodic reports of the kubelets.
func (s *Simulation) startHeartbeats() {
	if s.update.HeartbeatEvery <= 0 {
		return
	}
	// A random source of its own: the update is the same with and without heartbeats.
	random := rand.New(rand.NewPCG(s.update.Seed, 1))
	for _, pool := range s.pools {
		for _, node := range pool.nodes {
			first := time.Duration(random.Int64N(int64(s.update.HeartbeatEvery)))
			s.inBackground(first, func() { s.heartbeat(node) })
		}
	}
}

func (s *Simulation) heartbeat(n *node) {
	s.inBackground(s.update.HeartbeatEvery, func() { s.heartbeat(n) })
	// A node that reboots reports nothing.
	if !n.down {
		s.changeKubelet(n, func(*corev1.Node) {})
	}
}

// changeKubelet changes a node's status as its kubelet does: with the time of the report in every condition.
func (s *Simulation) changeKubelet(n *node, set func(*corev1.Node)) {
	change(s, n.object, status, func(object *corev1.Node) {
		set(object)
		for at := range object.Status.Conditions {
			object.Status.Conditions[at].LastHeartbeatTime = metav1.NewTime(s.time())
		}
	})
}
