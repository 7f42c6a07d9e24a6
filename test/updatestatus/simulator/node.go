package simulator

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// node is a node of the cluster, with what plays on it.
type node struct {
	object            *corev1.Node
	machineConfigNode *machineconfigv1.MachineConfigNode
	pool              *pool

	// busy says that the daemon applies target, and image in image mode. A try is what it does until it fails: what was planned for
	// an earlier one is void.
	busy          bool
	target, image string
	tries         int
	// waits says that the daemon waits for the drain.
	waits bool
	// times are how long the node takes.
	times nodeTimes
	// draining is since when it is being drained.
	draining time.Duration
	// down says that its kubelet does not run.
	down bool
}

// nodeTimes are how long a node takes: from the request of the drain to its end, from there to the reboot, and the reboot until the
// daemon has started.
type nodeTimes struct {
	drain, update, reboot time.Duration
}

// troubleBefore is since when what is wrong before the update is so.
const troubleBefore = 2 * time.Hour

func (s *Simulation) buildNode(p *pool, at int, config string) *node {
	name := NodeName(p.script.Name, at)
	uncordoned := verbUncordon + config
	since := s.ago(sinceUpdateBefore)
	object := builders.Node(name,
		builders.Role(p.script.Name),
		builders.Configs(config, config),
		builders.Drain(uncordoned, uncordoned),
		builders.Annotation(builders.AnnotationReason, ""),
		builders.NodeLabel(corev1.LabelHostname, name),
	)
	for _, well := range pressures {
		kubeletCondition(well.kind, corev1.ConditionFalse, since, well.reason)(object)
	}
	kubeletCondition(corev1.NodeReady, corev1.ConditionTrue, since, "KubeletReady")(object)
	if s.update.Unready[name] {
		kubeletCondition(corev1.NodeReady, corev1.ConditionFalse, s.ago(troubleBefore), "KubeletNotReady")(object)
	}
	if s.update.Cordoned[name] {
		builders.CordonedSince(s.ago(troubleBefore))(object)
	}
	object.CreationTimestamp = metav1.NewTime(s.ago(sinceInstallation - time.Duration(at)*time.Minute))
	if atLeast(s.update.From, sincePostConfigAction) {
		builders.Annotation(builders.AnnotationPostConfigAction, "")(object)
	}
	if p.script.Zones > 0 {
		builders.NodeLabel(corev1.LabelTopologyZone, fmt.Sprintf("us-east-1%c", 'a'+at%p.script.Zones))(object)
	}
	if p.image != nil {
		builders.Images(p.image.current, p.image.current)(object)
	}
	switch p.script.Name {
	case masterPool:
		builders.Role("control-plane")(object)
	case workerPool, arbiterPool:
	default:
		// The nodes of a custom pool are workers too.
		builders.Role(workerPool)(object)
	}
	object.Status.Capacity = corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("8"),
		corev1.ResourceMemory: resource.MustParse("32Gi"),
	}
	n := &node{object: object, pool: p}
	if s.hasMachineConfigNodes(s.update.From) {
		n.machineConfigNode = newMachineConfigNode(n, since)
	}
	return n
}

// drawTimes draws how long a node takes: some seconds without a disruption.
func (s *Simulation) drawTimes(n *node) nodeTimes {
	if s.update.NodeTimes != nil {
		var times nodeTimes
		times.drain, times.update, times.reboot = s.update.NodeTimes(s.random)
		return times
	}
	if n.pool.script.Disruption != Reboot {
		return nodeTimes{update: s.about(5 * time.Second)}
	}
	return nodeTimes{drain: s.about(2 * time.Minute), update: s.about(time.Minute), reboot: s.about(2*time.Minute + 15*time.Second)}
}

// annotate writes annotations, given as keys and values.
func (s *Simulation) annotate(n *node, keysAndValues ...string) {
	change(s, n.object, allButStatus, func(object *corev1.Node) {
		for at := 0; at < len(keysAndValues); at += 2 {
			object.Annotations[keysAndValues[at]] = keysAndValues[at+1]
		}
	})
}

// nodeNamed returns a node, nil if there is none with the name.
func (s *Simulation) nodeNamed(name string) *node {
	for _, p := range s.pools {
		for _, n := range p.nodes {
			if n.object.Name == name {
				return n
			}
		}
	}
	return nil
}
