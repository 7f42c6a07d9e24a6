package simulator

import (
	"cmp"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
)

// What the Machine Config Controller, the Machine Config Daemon and the kubelet do with a node.

type node struct {
	object *corev1.Node
	pool   *pool
	// applying is how long the node takes from the end of its drain to its reboot, and rebooting how long it is not ready then, if
	// the script says so.
	applying, rebooting time.Duration
}

const (
	verbDrain    = "drain-"
	verbUncordon = "uncordon-"
)

func (s *Simulation) buildNode(p *pool, name, config string) *node {
	uncordoned := verbUncordon + config
	since := s.ago(sinceUpdateBefore)
	object := builders.Node(name,
		builders.Role(p.script.Name),
		builders.Configs(config, config),
		builders.Drain(uncordoned, uncordoned),
		builders.Annotation(builders.AnnotationReason, ""),
		builders.NodeLabel("kubernetes.io/hostname", name),
		kubeletCondition(corev1.NodeMemoryPressure, corev1.ConditionFalse, since, "KubeletHasSufficientMemory"),
		kubeletCondition(corev1.NodeDiskPressure, corev1.ConditionFalse, since, "KubeletHasNoDiskPressure"),
		kubeletCondition(corev1.NodePIDPressure, corev1.ConditionFalse, since, "KubeletHasSufficientPID"),
		kubeletCondition(corev1.NodeReady, corev1.ConditionTrue, since, "KubeletReady"),
	)
	switch p.script.Name {
	case masterPool:
		builders.Role("control-plane")(object)
	case workerPool:
	default:
		// The nodes of a custom pool are workers too.
		builders.Role(workerPool)(object)
	}
	object.Status.Capacity = corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("8"),
		corev1.ResourceMemory: resource.MustParse("32Gi"),
	}
	return &node{object: object, pool: p}
}

func kubeletCondition(
	kind corev1.NodeConditionType, status corev1.ConditionStatus, since time.Time, reason string,
) builders.NodeOption {
	return builders.NodeCondition(kind, status, since, reason, "kubelet says "+reason)
}

// updateNode updates a node.
func (s *Simulation) updateNode(n *node) {
	target := n.pool.target
	steps := []struct {
		wait time.Duration
		do   func()
	}{
		// The Machine Config Controller assigns the configuration.
		{time.Second, func() { s.annotate(n, builders.AnnotationDesiredConfig, target) }},
		// The Machine Config Daemon sees it and asks for a drain.
		{4 * time.Second, func() { s.annotate(n, builders.AnnotationState, builders.StateWorking) }},
		{2 * time.Second, func() { s.annotate(n, builders.AnnotationDesiredDrain, verbDrain+target) }},
		// The controller cordons and drains.
		{3 * time.Second, func() { s.cordon(n, true) }},
		{time.Second, func() { s.recount(n.pool) }},
	}
	var wait time.Duration
	for _, step := range steps {
		wait += step.wait
		s.after(wait, step.do)
	}
	wait += s.drawTimes(n)
	if !s.update.Blocked[n.object.Name] {
		s.after(wait, func() { s.endDrain(n) })
	}
}

// drawTimes draws how long a node takes, and returns how long to drain.
func (s *Simulation) drawTimes(n *node) (drain time.Duration) {
	if s.update.NodeTimes != nil {
		drain, n.applying, n.rebooting = s.update.NodeTimes(s.random)
		return drain
	}
	drain, n.applying = s.about(2*time.Minute), s.about(time.Minute)
	return drain
}

// endDrain is what the Machine Config Controller writes when no pod is left, and what follows.
func (s *Simulation) endDrain(n *node) {
	s.annotate(n, builders.AnnotationLastAppliedDrain, verbDrain+n.pool.target)
	if reason, degrades := s.update.Degraded[n.object.Name]; degrades {
		s.after(n.applying, func() { s.degrade(n, reason) })
		return
	}
	s.after(n.applying, func() { s.reboot(n) })
}

// reboot reboots a node that has its new configuration.
func (s *Simulation) reboot(n *node) {
	target := n.pool.target
	steps := []struct {
		wait time.Duration
		do   func()
	}{
		{0, func() { s.annotate(n, builders.AnnotationState, builders.StateRebooting) }},
		{s.about(15 * time.Second), func() { s.setReady(n, false) }},
		{cmp.Or(n.rebooting, s.about(2*time.Minute)), func() { s.setReady(n, true) }},
		// The daemon is back and asks for the node to be uncordoned; the controller does it.
		{10 * time.Second, func() { s.annotate(n, builders.AnnotationDesiredDrain, verbUncordon+target) }},
		{3 * time.Second, func() { s.cordon(n, false) }},
		{time.Second, func() { s.annotate(n, builders.AnnotationLastAppliedDrain, verbUncordon+target) }},
		{2 * time.Second, func() { s.finish(n) }},
		{time.Second, func() { s.nodeDone(n.pool) }},
	}
	var wait time.Duration
	for _, step := range steps {
		wait += step.wait
		s.after(wait, step.do)
	}
}

func (s *Simulation) annotate(n *node, key, value string) {
	change(s, n.object, allButStatus, func(object *corev1.Node) { object.Annotations[key] = value })
}

func (s *Simulation) cordon(n *node, cordoned bool) {
	change(s, n.object, allButStatus, func(object *corev1.Node) {
		object.Spec.Unschedulable = cordoned
		object.Spec.Taints = nil
		if cordoned {
			since := metav1.NewTime(s.time())
			object.Spec.Taints = []corev1.Taint{{
				Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &since,
			}}
		}
	})
}

func (s *Simulation) setReady(n *node, ready bool) {
	status, reason, reboots := corev1.ConditionTrue, "KubeletReady", -1
	if !ready {
		status, reason, reboots = corev1.ConditionFalse, "KubeletNotReady", 1
	}
	s.changeKubelet(n, kubeletCondition(corev1.NodeReady, status, s.time(), reason))
	s.recount(n.pool)
	s.nodesReboot(reboots)
}

// finish writes the last state of the daemon: the node has its configuration.
func (s *Simulation) finish(n *node) {
	change(s, n.object, allButStatus, func(object *corev1.Node) {
		builders.Configs(n.pool.target, n.pool.target)(object)
		builders.Annotation(builders.AnnotationReason, "")(object)
	})
}

func (s *Simulation) degrade(n *node, reason string) {
	change(s, n.object, allButStatus, builders.DegradedBecause(reason))
	s.recount(n.pool)
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
	if isReady(n.object) {
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
