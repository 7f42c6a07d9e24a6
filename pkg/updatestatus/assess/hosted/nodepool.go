package hosted

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

const (
	hypershiftPrefix = hypershiftv1beta1.GroupName + "/"

	// PoolKey is the label of a node with the name of its NodePool, and the annotation of a Machine with its namespace and name.
	PoolKey = hypershiftPrefix + "nodePool"
	// TargetConfigAnnotation is that of a MachineSet with what its nodes are updated to in place.
	TargetConfigAnnotation = hypershiftPrefix + "nodePoolTargetConfigVersion"
	// InProgressAnnotation is that of a MachineSet while its nodes are updated in place.
	InProgressAnnotation = hypershiftPrefix + "nodePoolUpgradeInProgressTrue"
	// MaxUnavailableAnnotation is that of a MachineSet with how many of its nodes are updated at a time in place.
	MaxUnavailableAnnotation = hypershiftPrefix + "nodePoolMaxUnavailable"
	// MachineReleaseAnnotation is that of a Machine with the release that its node runs.
	MachineReleaseAnnotation = hypershiftPrefix + "release-version"

	strategyOnDelete = "OnDelete"
)

// PoolObjects are a NodePool and what its nodes are assessed by.
type PoolObjects struct {
	NodePool *hypershiftv1beta1.NodePool
	// HostedCluster is nil if there is none.
	HostedCluster *hypershiftv1beta1.HostedCluster
	// MachineDeployment is that of a pool whose nodes are replaced, MachineSet that of one whose nodes are updated in place; nil
	// if there is none.
	MachineDeployment *clusterapiv1beta1.MachineDeployment
	MachineSet        *clusterapiv1beta1.MachineSet
}

// nodePool is what the objects of a pool say.
type nodePool struct {
	*hypershiftv1beta1.NodePool

	ref  updatev1alpha1.ResourceRef
	part insight.Part
	// target is the version that the nodes are updated to, empty if it is not known.
	target string
	// isUpdating is whether the pool has not completed the update to its target, and started when that started, zero if it is not
	// known. The rollout of a configuration is no update.
	isUpdating bool
	started    time.Time
	// isRefused is whether the pool asks for a release that HyperShift does not update it to.
	isRefused bool
	// isPaused is whether HyperShift does not start to update nodes, and pauseEnds when that ends by itself. While the hosted
	// cluster of a pool whose nodes are replaced is paused, machinesPaused: no Machine is drained either.
	isPaused, machinesPaused bool
	pauseEnds                time.Time
	inPlace                  bool
	// config is what the nodes are updated to in place, empty if it is not known.
	config string
	// replicas is how many nodes there should be.
	replicas int32
	// maxUnavailable is how many nodes are updated at a time in place, as their MachineSet says, zero if it does not.
	maxUnavailable int
	// payload is the newest update of the payload of the hosted cluster, empty if it is not known.
	payload configv1.UpdateHistory
}

// unknownPoolTarget is the message of node pools, and their nodes, without a target.
const unknownPoolTarget = "The version of the release of the NodePool is not known"

func (o PoolObjects) read(now time.Time) *nodePool {
	pool := &nodePool{NodePool: assess.WithKnownTimes(o.NodePool, poolTimes, now), part: insight.Part{WorkerPool: o.NodePool.Name}}
	pool.ref = hypershiftRef("nodepools", pool)
	pool.inPlace = pool.Spec.Management.UpgradeType == string(updatev1alpha1.UpgradeInPlace)
	var machines clusterapiv1beta1.MachineGroupSpec
	switch {
	case pool.inPlace && o.MachineSet != nil:
		machines = o.MachineSet.Spec
	case o.MachineDeployment != nil:
		machines = o.MachineDeployment.Spec
	}
	pool.replicas = *cmp.Or(machines.Replicas, pool.Spec.Replicas, new(int32))
	made := *cmp.Or(machines.Template.Spec.Version, new(string))
	o.setTarget(pool, made, now)
	inProgress := false
	if pool.inPlace && o.MachineSet != nil && made == pool.target {
		// Until the MachineSet has the target, its configuration is that of the version before.
		pool.config = o.MachineSet.Annotations[TargetConfigAnnotation]
		_, inProgress = o.MachineSet.Annotations[InProgressAnnotation]
	}
	if o.MachineSet != nil {
		pool.maxUnavailable, _ = strconv.Atoi(o.MachineSet.Annotations[MaxUnavailableAnnotation])
	}
	o.setPause(pool, inProgress, now)
	return pool
}

// setTarget sets what a pool is updated to: what it asks for, if that is known, or else what its Machines are made from.
func (o PoolObjects) setTarget(pool *nodePool, made string, now time.Time) {
	asked := ""
	if o.HostedCluster != nil {
		release := readRelease(o.HostedCluster, nil, now)
		pool.payload = release.payload
		asked = release.versionOf(pool.Spec.Release.Image)
	}
	pool.target = cmp.Or(asked, pool.versionInMessage(), made)
	updating := pool.current(conditionUpdatingVersion)
	switch {
	case updating == nil || updating.Status != metav1.ConditionTrue:
		pool.target = cmp.Or(pool.target, pool.Status.Version)
	default:
		pool.started = updating.LastTransitionTime.Time
	}
	// A pool that has no version yet is being installed.
	pool.isUpdating = pool.Status.Version != "" && pool.target != pool.Status.Version
	image := pool.current(conditionReleaseImage)
	pool.isRefused = image != nil && image.Status == metav1.ConditionFalse && asked != pool.Status.Version
}

// setPause sets whether a pool, or its hosted cluster, is paused. The pause of a pool does not stop nodes from being updated in place
// once that has started, and that of its hosted cluster does not stop them at all: it pauses the Cluster of the Cluster API and so its
// Machines (openshift/hypershift: hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go, pauseCAPICluster), but the
// NodePool goes by its own pause alone (hypershift-operator/controllers/nodepool/nodepool_controller.go, reconcile), and what updates
// nodes in place by none (control-plane-operator/hostedclusterconfigoperator/controllers/inplaceupgrader/inplaceupgrader.go).
func (o PoolObjects) setPause(pool *nodePool, inProgress bool, now time.Time) {
	paused, ends := isPausedUntil(pool.Spec.PausedUntil, now)
	pool.isPaused, pool.pauseEnds = paused && !inProgress, ends
	if o.HostedCluster == nil || pool.inPlace {
		return
	}
	if paused, ends := isPausedUntil(o.HostedCluster.Spec.PausedUntil, now); paused {
		pool.isPaused, pool.machinesPaused, pool.pauseEnds = true, true, assess.Earliest(pool.pauseEnds, ends)
	}
}

// NodePoolInput is what a node pool is assessed from.
type NodePoolInput struct {
	PoolObjects

	// Nodes counts the assessed nodes of the pool, Joining its Machines whose nodes are to join it, and Unprovisioned those that have no host.
	Nodes         insight.NodeCounts
	Joining       JoiningMachines
	Unprovisioned UnprovisionedMachines
	// StalledObserved is when it was first observed that nothing of the pool is being updated, zero if it was not.
	StalledObserved time.Time
}

// NodePool assesses a node pool, which is updated by itself to a version of its own. The result changes without an event when a
// pause ends, and when a condition has lasted long enough.
func NodePool(in NodePoolInput, now time.Time) assess.Result {
	return in.assess(in.read(now), now)
}

func (in NodePoolInput) assess(pool *nodePool, now time.Time) assess.Result {
	updating := pool.updating(in)
	one := &updatev1alpha1.NodePoolInsight{
		MachineConfigPoolInsight: updatev1alpha1.MachineConfigPoolInsight{
			Name:           pool.Name,
			Resource:       pool.ref,
			Conditions:     []metav1.Condition{updating},
			Assessment:     pool.assess(in),
			Completion:     pool.completion(in.Nodes),
			Summaries:      in.Nodes.Summaries(),
			MaxUnavailable: pool.maxConcurrent(in.Nodes.Total),
		},
		Versions:    updatev1alpha1.SummaryVersions{Previous: assess.FitVersion(pool.Status.Version), Target: assess.FitVersion(pool.target)},
		UpgradeType: updatev1alpha1.UpgradeType(pool.Spec.Management.UpgradeType),
	}
	insights := []insight.ScopedInsight{{
		Part: pool.part, Stalled: pool.isStalled(in), Unfinished: in.Nodes.AreUnfinished() || updating.Status == metav1.ConditionTrue || pool.isRefused,
		Insight: updatev1alpha1.Insight{UID: insight.UID("np", pool.Name), Type: updatev1alpha1.InsightNodePool, NodePool: one},
	}}
	health, nextCheck := assess.CheckHealth(poolChecks, checkedPool{pool, in}, assess.Subject{Resource: pool.ref, Part: pool.part}, now)
	return assess.Result{
		Report:    insight.Report{Subject: insight.Subject{Kind: "NodePool", Name: pool.Name}, Insights: append(insights, health...)},
		NextCheck: assess.Earliest(pool.pauseEnds, nextCheck),
	}
}

// isFinishing returns whether all nodes that are there are updated, and the pool is not: others will join, or it has not said so.
// A pool that should have no nodes waits for none.
func (p *nodePool) isFinishing(counts insight.NodeCounts) bool {
	return counts.AreCompleted() && p.isUpdating && counts.Total+p.replicas > 0
}

// isUnknown returns whether no node of a pool is known that should have some: those of platform None belong to no pool.
func (p *nodePool) isUnknown(counts insight.NodeCounts) bool {
	return counts.Total == 0 && p.replicas > 0 && !p.isUpdating
}

// completion returns the share of nodes that are updated, in percent: 100 only if the pool is. Of a pool whose nodes are replaced it
// is that of the nodes that there should be, as there are more while some come and others go.
func (p *nodePool) completion(counts insight.NodeCounts) int32 {
	switch {
	case p.isUnknown(counts):
		return 0
	case counts.AreCompleted() && !p.isFinishing(counts):
		return 100
	case p.inPlace || p.replicas == 0:
		return min(99, 100*counts.Completed/max(counts.Total, 1))
	default:
		return min(99, 100*counts.Completed/p.replicas)
	}
}

// isReplacing returns whether nodes are replaced, although no node that is there may tell.
func (p *nodePool) isReplacing(joining JoiningMachines) bool {
	return p.isUpdating && !p.inPlace && joining.Count > 0
}

// isOnDelete returns whether nodes are replaced only when people delete their Machines.
func (p *nodePool) isOnDelete() bool {
	replace := p.Spec.Management.Replace
	return !p.inPlace && replace != nil && replace.Strategy == strategyOnDelete
}

// isStalled returns whether a pool is to be updated, nothing of it is being updated, and no other check says why.
func (p *nodePool) isStalled(in NodePoolInput) bool {
	isWaiting := p.isUpdating && (in.Nodes.OnAnother > 0 || p.isFinishing(in.Nodes))
	isStopped := p.isPaused || p.isOnDelete() || p.isInPlaceFailed() || p.stoppedBy() != ""
	return isWaiting && !isStopped && in.Nodes.Updating == 0 && in.Joining.Count == 0
}

func (p *nodePool) updating(in NodePoolInput) metav1.Condition {
	status, reason, message := metav1.ConditionFalse, updatev1alpha1.ReasonPending, ""
	counts := in.Nodes
	switch {
	case p.target == "":
		status, reason, message = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine, unknownPoolTarget
	case p.isUnknown(counts):
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = fmt.Sprintf("None of the %s of the NodePool is known", insight.Count(int(p.replicas), "node"))
	case p.isFinishing(counts):
		status, reason = metav1.ConditionTrue, updatev1alpha1.ReasonProgressing
		message = fmt.Sprintf("%s of %d run %s; the NodePool has not completed the update",
			insight.Count(int(counts.Completed), "node"), p.replicas, p.target)
	case p.isReplacing(in.Joining):
		status, reason = metav1.ConditionTrue, updatev1alpha1.ReasonProgressing
		message = fmt.Sprintf("The nodes of %s with %s have not joined yet", insight.Count(int(in.Joining.Count), "Machine"), p.target)
	case counts.AreCompleted():
		reason = updatev1alpha1.ReasonCompleted
	case counts.Updating > 0 || counts.Completed > 0 && counts.OnAnother > 0 && !p.isPaused:
		status, reason = metav1.ConditionTrue, updatev1alpha1.ReasonProgressing
	case p.isPaused:
		reason = updatev1alpha1.ReasonExcluded
	}
	return assess.Condition(updatev1alpha1.ConditionUpdating, status, reason, message, time.Time{})
}

// assess returns the first assessment that applies.
func (p *nodePool) assess(in NodePoolInput) updatev1alpha1.Assessment {
	assessed := in.Nodes.Assess(p.target != "")
	switch {
	case p.isInPlaceFailed():
		return updatev1alpha1.AssessmentDegraded
	case p.isUnknown(in.Nodes):
		return updatev1alpha1.AssessmentUnknown
	case p.isFinishing(in.Nodes), p.isReplacing(in.Joining) && assessed == updatev1alpha1.AssessmentPending:
		return updatev1alpha1.AssessmentProgressing
	default:
		return assessed
	}
}

func (p *nodePool) isInPlaceFailed() bool {
	updating := p.current(conditionUpdatingVersion)
	return p.inPlace && updating != nil && updating.Status == metav1.ConditionFalse && updating.Reason == reasonInPlaceFailed
}
