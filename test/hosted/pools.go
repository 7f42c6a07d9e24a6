package hosted

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// Keys of annotations and labels.
const (
	hypershiftPrefix = "hypershift.openshift.io/"
	poolKey          = hypershiftPrefix + "nodePool"
	targetConfig     = hypershiftPrefix + "nodePoolTargetConfigVersion"
	currentConfig    = hypershiftPrefix + "nodePoolCurrentConfigVersion"
	inProgress       = hypershiftPrefix + "nodePoolUpgradeInProgressTrue"
	maxUnavailable   = hypershiftPrefix + "nodePoolMaxUnavailable"
	machineConfig    = "machineconfiguration.openshift.io/"
)

// The hashes of the configurations before and after the update.
const oldConfig, newConfig = "aaaa3333", "bbbb4444"

// pool is a NodePool with what it has.
type pool struct {
	Pool

	nodePool *hypershiftv1beta1.NodePool
	// group is the MachineDeployment or MachineSet.
	group    Object
	machines []*clusterapiv1beta1.Machine
	nodes    []*corev1.Node
	// made counts the Machines that were made.
	made int
	// clusterPaused is whether the HostedCluster is paused, and so the Cluster API.
	clusterPaused bool
}

func newPool(r *recorder, script Pool) *pool {
	if script.Version == "" {
		script.Version = r.script.From
	}
	p := &pool{Pool: script}
	replicas := int32(script.Nodes)
	p.nodePool = &hypershiftv1beta1.NodePool{
		TypeMeta: typeOf(hypershiftv1beta1.GroupName, "NodePool"), ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: script.Name},
		Spec: hypershiftv1beta1.NodePoolSpec{
			ClusterName: Name, Release: hypershiftv1beta1.Release{Image: r.imageOf(script.Version)}, Replicas: &replicas,
			Management: hypershiftv1beta1.NodePoolManagement{UpgradeType: script.UpgradeType},
		},
		Status: hypershiftv1beta1.NodePoolStatus{Version: script.Version},
	}
	if script.UpgradeType == InPlace {
		p.nodePool.Spec.Management.InPlace = &hypershiftv1beta1.InPlaceUpgrade{}
	} else {
		p.nodePool.Spec.Management.Replace = &hypershiftv1beta1.ReplaceUpgrade{Strategy: "RollingUpdate"}
	}
	for _, kind := range []string{"UpdateManagementEnabled", "ValidReleaseImage", "ReconciliationActive", "SupportedVersionSkew", "ValidMachineConfig", "AllMachinesReady", "AllNodesHealthy", "Ready"} {
		p.set(r, kind, metav1.ConditionTrue, "AsExpected", "")
	}
	p.set(r, "UpdatingVersion", metav1.ConditionFalse, "AsExpected", "")
	p.set(r, "UpdatingConfig", metav1.ConditionFalse, "AsExpected", "")
	spec := clusterapiv1beta1.MachineGroupSpec{Replicas: &replicas}
	spec.Template.Spec.Version = &script.Version
	meta := metav1.ObjectMeta{Namespace: ControlPlaneNamespace, Name: script.Name}
	if script.UpgradeType == InPlace {
		meta.Annotations = map[string]string{currentConfig: oldConfig, targetConfig: oldConfig, maxUnavailable: "1"}
		p.group = &clusterapiv1beta1.MachineSet{TypeMeta: typeOf(clusterapiv1beta1.GroupName, "MachineSet"), ObjectMeta: meta, Spec: spec}
	} else {
		p.group = &clusterapiv1beta1.MachineDeployment{TypeMeta: typeOf(clusterapiv1beta1.GroupName, "MachineDeployment"), ObjectMeta: meta, Spec: spec}
	}
	r.management(p.nodePool, p.group)
	for range script.Nodes {
		p.addMachine(r, script.Version)
		p.joins(r)
		p.labels(r)
	}
	return p
}

func (p *pool) set(r *recorder, kind string, status metav1.ConditionStatus, reason, message string) {
	r.set(&p.nodePool.Status.Conditions, kind, status, reason, message)
}

// addMachine adds the next Machine.
func (p *pool) addMachine(r *recorder, version string) {
	machine := newMachine(fmt.Sprintf("%s-%d", p.Name, p.made), p.Name, version)
	p.made++
	p.machines = append(p.machines, machine)
	r.management(machine)
}

// joins adds the node of the newest Machine, which is not ready and has no label yet.
func (p *pool) joins(r *recorder) {
	machine := p.machines[len(p.machines)-1]
	node := builders.Node(machine.Name+".example.com", builders.NotReady(r.now))
	node.Annotations["cluster.x-k8s.io/machine"] = machine.Name
	p.nodes = append(p.nodes, node)
	machine.Status.NodeRef, machine.Status.Phase = &clusterapiv1beta1.NodeRef{Name: node.Name}, "Running"
	r.set(&machine.Status.Conditions, "NodeHealthy", metav1.ConditionFalse, "NodeConditionsFailed", "Condition Ready on node is reporting status False")
	r.hosted(node)
	r.management(machine)
}

// labels makes the newest node ready, with the label of its pool.
func (p *pool) labels(r *recorder) {
	node := p.nodes[len(p.nodes)-1]
	if node.Labels == nil {
		node.Labels = map[string]string{}
	}
	node.Labels[poolKey] = p.Name
	p.ready(r, node, corev1.ConditionTrue)
	machine := p.machines[len(p.machines)-1]
	r.set(&machine.Status.Conditions, "NodeHealthy", metav1.ConditionTrue, "NodeConditionsSucceeded", "")
	r.management(machine)
}

func (p *pool) ready(r *recorder, node *corev1.Node, status corev1.ConditionStatus) {
	for at := range node.Status.Conditions {
		if one := &node.Status.Conditions[at]; one.Type == corev1.NodeReady && one.Status != status {
			one.Status, one.LastTransitionTime = status, r.time()
		}
	}
	r.hosted(node)
}

// update plays the update of the pool.
func (p *pool) update(r *recorder) {
	if p.Version != r.script.From {
		return
	}
	r.after(30*time.Second, "pool "+p.Name+" is asked for another release")
	p.nodePool.Spec.Release.Image = r.imageOf(r.script.To)
	p.set(r, "UpdatingVersion", metav1.ConditionTrue, "AsExpected", "Updating version in progress. Target version: "+r.script.To)
	if p.Paused {
		forever := "true"
		p.nodePool.Spec.PausedUntil = &forever
		p.set(r, "ReconciliationActive", metav1.ConditionFalse, "ReconciliationPaused", "Reconciliation paused until field removed")
		r.management(p.nodePool)
		return
	}
	if p.UpgradeType == InPlace {
		p.updateInPlace(r)
	} else {
		p.replace(r)
	}
}

// replace replaces one Machine after the other.
func (p *pool) replace(r *recorder) {
	p.set(r, "UpdatingConfig", metav1.ConditionTrue, "AsExpected", "Updating config in progress")
	r.management(p.nodePool)
	r.after(5*time.Second, "pool "+p.Name+" makes new machines")
	version := r.script.To
	p.group.(*clusterapiv1beta1.MachineDeployment).Spec.Template.Spec.Version = &version
	r.management(p.group)
	if p.clusterPaused {
		return
	}
	for range p.Nodes {
		p.addNext(r)
		if !p.removeOldest(r) {
			return
		}
	}
	p.isUpdated(r)
}

// addNext adds the next Machine with its node.
func (p *pool) addNext(r *recorder) {
	r.after(5*time.Second, "pool "+p.Name+" has a new machine")
	p.addMachine(r, r.script.To)
	machine := p.machines[len(p.machines)-1]
	for _, phase := range []string{"Provisioning", "Provisioned"} {
		r.after(20*time.Second, "machine "+machine.Name+" is "+phase)
		machine.Status.Phase = phase
		r.management(machine)
	}
	r.after(60*time.Second, "the node of machine "+machine.Name+" joins")
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
	r.management(machine)
}

func cordon(r *recorder, node *corev1.Node) {
	now := r.time()
	node.Spec.Unschedulable = true
	node.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &now}}
	r.hosted(node)
}

// updateInPlace updates one node after the other.
func (p *pool) updateInPlace(r *recorder) {
	r.management(p.nodePool)
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
	p.annotate(r, at, step, 5*time.Second, "currentConfig", oldConfig, "desiredConfig", newConfig, "state", "Done", "desiredDrain", "uncordon-"+oldConfig, "lastAppliedDrain", "uncordon-"+oldConfig)
	p.annotate(r, at, step, 5*time.Second, "state", "Working", "desiredDrain", "drain-"+newConfig)
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
	r.after(90*time.Second, "node "+node.Name+" is back")
	p.ready(r, node, corev1.ConditionTrue)
	p.annotate(r, at, "node "+node.Name+" is back", 10*time.Second, "currentConfig", newConfig, "state", "Done", "desiredDrain", "uncordon-"+newConfig)
	r.after(5*time.Second, "node "+node.Name+" is done")
	node.Spec.Unschedulable, node.Spec.Taints = false, nil
	p.annotate(r, at, "node "+node.Name+" is done", 0, "lastAppliedDrain", "uncordon-"+newConfig)
}

// fails is a node that can't be updated, which stops the pool.
func (p *pool) fails(r *recorder, at int) {
	p.begins(r, at)
	p.annotate(r, at, "node "+p.nodes[at].Name+" fails", 60*time.Second, "state", "Degraded", "reason", "failed to update OS: No space left on device")
	p.set(r, "UpdatingVersion", metav1.ConditionFalse, "InplaceUpgradeFailed", "Node "+p.nodes[at].Name+" in nodepool degraded: failed to update OS: No space left on device")
	r.management(p.nodePool)
}

// isUpdated is the end of the update: the new version first, and then the conditions.
func (p *pool) isUpdated(r *recorder) {
	r.after(10*time.Second, "pool "+p.Name+" is updated")
	p.nodePool.Status.Version = r.script.To
	r.management(p.nodePool)
	p.set(r, "UpdatingVersion", metav1.ConditionFalse, "AsExpected", "")
	p.set(r, "UpdatingConfig", metav1.ConditionFalse, "AsExpected", "")
	r.management(p.nodePool)
}
