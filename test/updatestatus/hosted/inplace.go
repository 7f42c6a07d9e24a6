package hosted

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
)

// updateInPlace updates one node after the other (openshift/hypershift: control-plane-operator/hostedclusterconfigoperator/controllers/
// inplaceupgrader/inplaceupgrader.go, reconcileInPlaceUpgrade).
func (p *pool) updateInPlace(r *recorder) {
	r.after(5*time.Second, "pool "+p.Name+" has a new configuration")
	group, version := p.group.(*clusterapiv1beta1.MachineSet), r.script.To
	group.Spec.Template.Spec.Version, group.Annotations[targetConfig] = &version, newConfig
	r.management(group)
	for at := range p.nodes {
		message := fmt.Sprintf("Nodepool update in progress. Target Config version: %s. Total Nodes: %d. Upgraded: %d", newConfig, p.Nodes, at)
		group.Annotations[inProgress] = message
		p.set(r, "UpdatingVersion", metav1.ConditionTrue, "AsExpected", message)
		r.management(group, p.nodePool)
		if p.Failing && at == 1 {
			p.fails(r, at)
			return
		}
		p.updateNode(r, at)
	}
	r.after(5*time.Second, "pool "+p.Name+" is updated")
	group.Annotations[currentConfig] = newConfig
	delete(group.Annotations, inProgress)
	r.management(group)
	p.isUpdated(r)
}

func (p *pool) annotate(r *recorder, at int, step string, after time.Duration, pairs ...string) {
	r.after(after, step)
	for pair := 0; pair < len(pairs); pair += 2 {
		p.nodes[at].Annotations[machineConfig+pairs[pair]] = pairs[pair+1] //nolint:gosec // there is an even number
	}
	r.hosted(p.nodes[at])
}

// begins is a node from its new configuration to its drain.
func (p *pool) begins(r *recorder, at int) {
	step := "node " + p.nodes[at].Name + " is drained"
	p.annotate(r, at, "node "+p.nodes[at].Name+" is to be updated", 5*time.Second, "currentConfig", oldConfig, "desiredConfig", newConfig, "state", "Done", "desiredDrain", "uncordon-"+oldConfig, "lastAppliedDrain", "uncordon-"+oldConfig)
	p.annotate(r, at, step, 30*time.Second, "state", "Working", "desiredDrain", "drain-"+newConfig)
}

func (p *pool) updateNode(r *recorder, at int) {
	node := p.nodes[at]
	p.begins(r, at)
	r.after(60*time.Second, "node "+node.Name+" is updated")
	cordon(r, node)
	p.annotate(r, at, "node "+node.Name+" is updated", 0, "lastAppliedDrain", "drain-"+newConfig)
	p.annotate(r, at, "node "+node.Name+" reboots", 60*time.Second, "post-config-action", "Rebooting")
	r.after(10*time.Second, "node "+node.Name+" reboots")
	p.ready(r, node, corev1.ConditionUnknown)
	p.healthy(r, p.machines[at], corev1.ConditionUnknown)
	r.after(90*time.Second, "node "+node.Name+" is back")
	p.ready(r, node, corev1.ConditionTrue)
	p.healthy(r, p.machines[at], corev1.ConditionTrue)
	p.annotate(r, at, "node "+node.Name+" is back", 10*time.Second, "currentConfig", newConfig, "state", "Done", "desiredDrain", "uncordon-"+newConfig)
	r.after(5*time.Second, "node "+node.Name+" is done")
	node.Spec.Unschedulable, node.Spec.Taints = false, nil
	p.annotate(r, at, "node "+node.Name+" is done", 0, "lastAppliedDrain", "uncordon-"+newConfig)
}

// fails is a node that can't be updated, which stops the pool.
func (p *pool) fails(r *recorder, at int) {
	p.begins(r, at)
	r.after(60*time.Second, "node "+p.nodes[at].Name+" is updated")
	cordon(r, p.nodes[at])
	p.annotate(r, at, "node "+p.nodes[at].Name+" is updated", 0, "lastAppliedDrain", "drain-"+newConfig)
	p.annotate(r, at, "node "+p.nodes[at].Name+" fails", 60*time.Second, "state", "Degraded", "reason", "failed to update OS: No space left on device")
	message := "Node " + p.nodes[at].Name + " in nodepool degraded: failed to update OS: No space left on device"
	group := p.group.(*clusterapiv1beta1.MachineSet)
	delete(group.Annotations, inProgress)
	group.Annotations[inProgressFalse] = message
	p.set(r, "UpdatingVersion", metav1.ConditionFalse, "InplaceUpgradeFailed", message)
	p.set(r, "UpdatingConfig", metav1.ConditionFalse, "InplaceUpgradeFailed", message)
	r.management(group, p.nodePool)
}
