package hosted

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// addMachine adds the next Machine.
func (p *pool) addMachine(r *recorder, version string) *clusterapiv1beta1.Machine {
	machine := newMachine(fmt.Sprintf("%s-%d", p.Name, p.made), p.Name, version)
	p.made++
	p.machines = append(p.machines, machine)
	p.provisions(r, machine, "Pending")
	return machine
}

// provisions is a Machine in a phase until its node joins, with the conditions of that (kubernetes-sigs/cluster-api: internal/controllers/machine/
// machine_controller_phases.go and machine_controller_noderef.go), and what its provider says (kubernetes-sigs/cluster-api-provider-kubevirt:
// pkg/kubevirt/machine.go, GetVMNotReadyReason).
func (p *pool) provisions(r *recorder, machine *clusterapiv1beta1.Machine, phase string) {
	machine.Status.Phase = phase
	set := func(kind string, status metav1.ConditionStatus, reason, message string) {
		r.set(&machine.Status.Conditions, kind, status, reason, message)
	}
	set("BootstrapReady", metav1.ConditionTrue, "", "")
	switch phase {
	case "Pending":
		set("InfrastructureReady", metav1.ConditionFalse, "WaitingForInfrastructure", "")
		set("Ready", metav1.ConditionFalse, "WaitingForInfrastructure", "1 of 2 completed")
	case "Provisioning":
		set("InfrastructureReady", metav1.ConditionFalse, "VMNotReady", "VM is not ready: Starting")
		set("Ready", metav1.ConditionFalse, "VMNotReady", "1 of 2 completed")
	default:
		set("InfrastructureReady", metav1.ConditionTrue, "", "")
		set("Ready", metav1.ConditionTrue, "", "")
		set("NodeHealthy", metav1.ConditionFalse, "NodeProvisioning", "Waiting for a node with matching ProviderID to exist")
	}
	p.put(r, machine)
}

// put writes a Machine, and what HyperShift says of all of them in the NodePool.
func (p *pool) put(r *recorder, machine *clusterapiv1beta1.Machine) {
	r.management(machine)
	p.aggregate(r, "AllMachinesReady", "Ready", "ready")
	p.aggregate(r, "AllNodesHealthy", "NodeHealthy", "healthy")
	r.management(p.nodePool)
}

// aggregate sets the condition of a NodePool that tells of a condition of its Machines, also of those that are being deleted
// (openshift/hypershift: hypershift-operator/controllers/nodepool/conditions.go, setAllMachinesReadyCondition, setAllNodesHealthyCondition).
func (p *pool) aggregate(r *recorder, kind, of, state string) {
	var reasons, lines []string
	for _, machine := range p.machines {
		one := meta.FindStatusCondition(machine.Status.Conditions, of)
		if one == nil || one.Status == metav1.ConditionTrue {
			continue
		}
		if infrastructure := meta.FindStatusCondition(machine.Status.Conditions, "InfrastructureReady"); of == "Ready" && infrastructure.Status != metav1.ConditionTrue {
			one = infrastructure
		}
		reasons, lines = append(reasons, one.Reason), append(lines, fmt.Sprintf("Machine %s: %s: %s\n", machine.Name, one.Reason, one.Message))
	}
	if len(lines) == 0 {
		p.set(r, kind, metav1.ConditionTrue, "AsExpected", "All is well")
		return
	}
	slices.Sort(reasons)
	message := fmt.Sprintf("%d of %d machines are not %s\n", len(lines), len(p.machines), state) + strings.Join(lines, "")
	p.set(r, kind, metav1.ConditionFalse, strings.Join(slices.Compact(reasons), ","), message)
}

// healthy says of a Machine whether its node is ready.
func (p *pool) healthy(r *recorder, machine *clusterapiv1beta1.Machine, status corev1.ConditionStatus) {
	if status == corev1.ConditionTrue {
		r.set(&machine.Status.Conditions, "NodeHealthy", metav1.ConditionTrue, "", "")
	} else {
		r.set(&machine.Status.Conditions, "NodeHealthy", metav1.ConditionFalse, "NodeConditionsFailed", "Condition Ready on node is reporting status "+string(status))
	}
	p.put(r, machine)
}

// joins adds the node of the newest Machine, which is not ready and has no label yet.
func (p *pool) joins(r *recorder) {
	machine := p.machines[len(p.machines)-1]
	node := builders.Node(machine.Name+".example.com", builders.NotReady(r.now))
	node.Annotations["cluster.x-k8s.io/machine"] = machine.Name
	p.nodes = append(p.nodes, node)
	machine.Status.NodeRef, machine.Status.Phase = &clusterapiv1beta1.NodeRef{Name: node.Name}, "Running"
	r.hosted(node)
	p.healthy(r, machine, corev1.ConditionFalse)
}

// labels makes the newest node ready, with the label of its pool.
func (p *pool) labels(r *recorder) {
	node := p.nodes[len(p.nodes)-1]
	if node.Labels == nil {
		node.Labels = map[string]string{}
	}
	node.Labels[poolKey] = p.Name
	p.ready(r, node, corev1.ConditionTrue)
	p.healthy(r, p.machines[len(p.machines)-1], corev1.ConditionTrue)
}

func (p *pool) ready(r *recorder, node *corev1.Node, status corev1.ConditionStatus) {
	for at := range node.Status.Conditions {
		if one := &node.Status.Conditions[at]; one.Type == corev1.NodeReady && one.Status != status {
			one.Status, one.LastTransitionTime = status, r.time()
		}
	}
	r.hosted(node)
}

// addNext adds the next Machine with its node.
func (p *pool) addNext(r *recorder) {
	r.after(5*time.Second, "pool "+p.Name+" has a new machine")
	machine := p.addMachine(r, r.script.To)
	for _, phase := range []string{"Provisioning", "Provisioned"} {
		r.after(20*time.Second, "machine "+machine.Name+" is "+phase)
		p.provisions(r, machine, phase)
	}
	r.after(40*time.Second, "machine "+machine.Name+" reaches the ignition server")
	p.set(r, "ReachedIgnitionEndpoint", metav1.ConditionTrue, "AsExpected", "")
	r.management(p.nodePool)
	r.after(20*time.Second, "the node of machine "+machine.Name+" joins")
	p.joins(r)
	r.after(20*time.Second, "the node of machine "+machine.Name+" is ready")
	p.labels(r)
}

// removeOldest deletes the oldest Machine with its node, and returns whether it is gone.
func (p *pool) removeOldest(r *recorder) bool {
	old, node := p.machines[0], p.nodes[0]
	r.after(10*time.Second, "machine "+old.Name+" is drained")
	now := r.time()
	old.DeletionTimestamp, old.Status.Phase = &now, "Deleting"
	r.record(Delete, old, false)
	if isSince(r.script.From, hasDeletion) {
		old.Status.Deletion = &clusterapiv1beta1.MachineDeletionStatus{NodeDrainStartTime: &now}
	}
	message := fmt.Sprintf("Drain not completed yet (started at %s):", now.Format(time.RFC3339))
	p.deletes(r, old, "DrainingSucceeded", Draining, "Draining the node before deletion", message)
	cordon(r, node)
	if p.Stuck == Draining {
		r.after(20*time.Second, "the drain of machine "+old.Name+" is blocked")
		message += "\n* Pod shop/cart-0: cannot evict pod as it would violate the pod's disruption budget. " +
			"The disruption budget cart needs 1 healthy pods and has 1 currently"
		p.deletes(r, old, "DrainingSucceeded", Draining, message, message)
		return false
	}
	r.after(80*time.Second, "machine "+old.Name+" has drained")
	r.set(&old.Status.Conditions, "DrainingSucceeded", metav1.ConditionTrue, "", "")
	now = r.time()
	if drained := old.Status.Deletion; drained != nil {
		old.Status.Deletion = &clusterapiv1beta1.MachineDeletionStatus{NodeDrainStartTime: drained.NodeDrainStartTime, WaitForNodeVolumeDetachStartTime: &now}
	}
	message = fmt.Sprintf("Waiting for Node volumes to be detached (started at %s)\n* PersistentVolumeClaims: shop/data-cart-0", now.Format(time.RFC3339))
	p.deletes(r, old, "VolumeDetachSucceeded", Detaching, "Waiting for node volumes to be detached", message)
	if p.Stuck == Detaching {
		return false
	}
	r.after(10*time.Second, "machine "+old.Name+" is gone")
	r.record(Delete, node, true)
	r.record(Release, old, false)
	p.machines, p.nodes = p.machines[1:], p.nodes[1:]
	p.put(r, p.machines[0])
	return true
}

// deletes puts a Machine into a stage of its deletion, which has a condition that is False, and the condition Deleting with a message of
// its own.
func (p *pool) deletes(r *recorder, machine *clusterapiv1beta1.Machine, condition string, stage Stage, message, deleting string) {
	reason := map[Stage]string{Draining: "Draining", Detaching: "WaitingForVolumeDetach"}[stage]
	r.set(&machine.Status.Conditions, condition, metav1.ConditionFalse, reason, message)
	if machine.Status.V1Beta2 == nil && isSince(r.script.From, hasDeletion) {
		machine.Status.V1Beta2 = &clusterapiv1beta1.MachineV1Beta2Status{}
	}
	if machine.Status.V1Beta2 != nil {
		r.set(&machine.Status.V1Beta2.Conditions, "Deleting", metav1.ConditionTrue, string(stage), deleting)
	}
	r.set(&machine.Status.Conditions, "Ready", metav1.ConditionFalse, reason, message)
	p.put(r, machine)
}
