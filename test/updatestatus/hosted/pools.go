package hosted

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
)

// Keys of annotations and labels.
const (
	hypershiftPrefix = "hypershift.openshift.io/"
	poolKey          = hypershiftPrefix + "nodePool"
	targetConfig     = hypershiftPrefix + "nodePoolTargetConfigVersion"
	currentConfig    = hypershiftPrefix + "nodePoolCurrentConfigVersion"
	inProgress       = hypershiftPrefix + "nodePoolUpgradeInProgressTrue"
	inProgressFalse  = hypershiftPrefix + "nodePoolUpgradeInProgressFalse"
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
	p.setHealthy(r)
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
		machine := p.addMachine(r, script.Version)
		p.provisions(r, machine, "Provisioned")
		p.joins(r)
		p.labels(r)
	}
	return p
}

// setHealthy sets the conditions of a pool that is complete, beside those that tell of its Machines (openshift/hypershift:
// hypershift-operator/controllers/nodepool/conditions.go).
func (p *pool) setHealthy(r *recorder) {
	for _, kind := range []string{"UpdateManagementEnabled", "SupportedVersionSkew", "ValidMachineConfig", "ReachedIgnitionEndpoint", "Ready"} {
		p.set(r, kind, metav1.ConditionTrue, "AsExpected", "")
	}
	p.set(r, "ValidReleaseImage", metav1.ConditionTrue, "AsExpected", "Using release image: "+r.imageOf(p.Version))
	p.set(r, "ReconciliationActive", metav1.ConditionTrue, "ReconciliationActive", "Reconciliation active on resource")
	p.set(r, "ValidGeneratedPayload", metav1.ConditionTrue, "AsExpected", "Payload generated successfully")
	p.set(r, "UpdatingVersion", metav1.ConditionFalse, "AsExpected", "")
	p.set(r, "UpdatingConfig", metav1.ConditionFalse, "AsExpected", "")
}

func (p *pool) set(r *recorder, kind string, status metav1.ConditionStatus, reason, message string) {
	r.set(&p.nodePool.Status.Conditions, kind, status, reason, message)
}

// update plays the update of the pool.
func (p *pool) update(r *recorder) {
	if p.Version != r.script.From {
		return
	}
	r.after(30*time.Second, "pool "+p.Name+" is asked for another release")
	p.nodePool.Spec.Release.Image = r.imageOf(r.script.To)
	p.set(r, "ValidReleaseImage", metav1.ConditionTrue, "AsExpected", "Using release image: "+r.imageOf(r.script.To))
	p.set(r, "UpdatingVersion", metav1.ConditionTrue, "AsExpected", "Updating version in progress. Target version: "+r.script.To)
	p.set(r, "UpdatingConfig", metav1.ConditionTrue, "AsExpected", "Updating config in progress. Target config: "+newConfig)
	noSecret := fmt.Sprintf("secrets %q not found", "token-"+p.Name+"-"+newConfig)
	p.set(r, "ValidGeneratedPayload", metav1.ConditionFalse, "NotFound", noSecret)
	if p.UpgradeType == Replace {
		p.set(r, "ReachedIgnitionEndpoint", metav1.ConditionFalse, "NotFound", noSecret)
	}
	if p.Paused {
		forever := "true"
		p.nodePool.Spec.PausedUntil = &forever
		p.set(r, "ReconciliationActive", metav1.ConditionFalse, "ReconciliationPaused", "Reconciliation paused until field removed")
		r.management(p.nodePool)
		return
	}
	r.management(p.nodePool)
	p.generates(r)
	if p.UpgradeType == InPlace {
		p.updateInPlace(r)
	} else {
		p.replace(r)
	}
}

// generates is the configuration of the update: its Secret is made, and is empty until the ignition server has filled it (openshift/hypershift:
// hypershift-operator/controllers/nodepool/conditions.go, createValidGeneratedPayloadCondition, createReachedIgnitionEndpointCondition;
// ignition-server/controllers/tokensecret_controller.go, Reconcile).
func (p *pool) generates(r *recorder) {
	r.after(2*time.Second, "the configuration of pool "+p.Name+" is being generated")
	p.set(r, "ValidGeneratedPayload", metav1.ConditionUnknown, "", "Unable to get status data from token secret")
	if p.UpgradeType == Replace {
		p.set(r, "ReachedIgnitionEndpoint", metav1.ConditionFalse, "ignitionNotReached", "")
	}
	r.management(p.nodePool)
	r.after(15*time.Second, "the configuration of pool "+p.Name+" is generated")
	p.set(r, "ValidGeneratedPayload", metav1.ConditionTrue, "AsExpected", "Payload generated successfully")
	r.management(p.nodePool)
}

// replace replaces one Machine after the other.
func (p *pool) replace(r *recorder) {
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

func cordon(r *recorder, node *corev1.Node) {
	now := r.time()
	node.Spec.Unschedulable = true
	node.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &now}}
	r.hosted(node)
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
