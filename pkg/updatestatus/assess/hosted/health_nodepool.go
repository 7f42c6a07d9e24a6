package hosted

import (
	"cmp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

var (
	// skewThresholds is beyond what HyperShift takes to assess a pool again after the control plane is complete.
	skewThresholds = assess.Thresholds{Warning: 5 * time.Minute}
	// ignitionThresholds is beyond what a hosted cluster that is installed takes to serve configurations to new nodes.
	ignitionThresholds = assess.Thresholds{Warning: 20 * time.Minute}
	// stalledThresholds are those of a pool that is stuck in any cluster.
	stalledThresholds = assess.Thresholds{Warning: 15 * time.Minute, Failure: time.Hour}
)

// nodePoolNoun is a NodePool.
var nodePoolNoun = assess.Noun{One: "Node pool", Many: "node pools"}

// nodePoolText is that of a check for a condition of a NodePool.
func nodePoolText(one, many string) assess.Texts {
	return assess.Texts{assess.NoCase: {One: one + "{reason}", Many: many + "{reason}", Description: assess.Message}}
}

// The cases of a pool in which no node is being updated, and their description.
const (
	caseNotStarted = "NotStarted"
	caseStopped    = "Stopped"

	stalledText = "The NodePool is neither paused nor stopped by a condition, and none of its nodes is being updated to {release}. The NodePool reports: {says}"
)

// checkedPool is a NodePool with its nodes.
type checkedPool struct {
	*nodePool
	NodePoolInput
}

// poolChecks are those of a NodePool.
var poolChecks = slices.Concat(poolStateChecks, joiningChecks)

// poolStateChecks are those of a NodePool, but for those of its new nodes.
var poolStateChecks = []assess.Check[checkedPool]{
	{Find: poolRefused, HealthCheck: assess.HealthCheck{
		Name: "node-pool-refused", Then: assess.ThenHyperShift, Subject: nodePoolNoun,
		Texts:  nodePoolText("can't be updated", "can't be updated"),
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect,
		Appears: "UpdateManagementEnabled, ValidReleaseImage, ValidMachineConfig or ValidPlatformImage of a NodePool is False; or " +
			"ValidArchPlatform is False because of the payload of its hosted cluster; or IgnitionEndpointAvailable is False " +
			"for more than 20 minutes. HyperShift then doesn't update the conditions that it checks later",
		Response:  "The description gives the reason. Correct the NodePool, or the configuration or release that it refers to.",
		NextSteps: assess.ReadOnly(describeNodePool),
	}},
	{Find: poolInPlaceFailed, HealthCheck: assess.HealthCheck{
		Name: "node-pool-in-place-failed", Then: assess.ThenHyperShift, Subject: nodePoolNoun,
		Texts:  nodePoolText("has failed to update a node in place", "have failed to update a node in place"),
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Effect,
		Appears:   "a node of a pool could not be updated in place, which stops the pool",
		Response:  "The description has the cause. Resolve it on the node.",
		NextSteps: assess.ReadOnly(describeNodePool),
	}},
	{Find: poolSkew, HealthCheck: assess.HealthCheck{
		Name: "node-pool-unsupported", Then: assess.ThenHyperShift, Subject: nodePoolNoun,
		Texts:  nodePoolText("has a version that the control plane does not support", "have a version that the control plane does not support"),
		Impact: updatev1alpha1.ImpactUnknown, Causality: assess.NeitherCauseNorEffect, Thresholds: skewThresholds,
		Appears: "SupportedVersionSkew of a NodePool has been False with UnsupportedSkew for more than 5 minutes, and the payload " +
			"of its hosted cluster has been complete for as long",
		Response:  "Update the pool, or the control plane if the pool is ahead of it.",
		NextSteps: assess.ReadOnly(describeNodePool),
	}},
	{Find: poolCondition(conditionPoolReady, reasonTooManyUnhealthy), HealthCheck: assess.HealthCheck{
		Name: "node-pool-unhealthy", Then: assess.ThenHyperShift, Subject: nodePoolNoun,
		Texts:  nodePoolText("has too many unhealthy nodes", "have too many unhealthy nodes"),
		Impact: updatev1alpha1.ImpactClusterCapacity, Causality: assess.Effect,
		Appears: "Ready of a NodePool is False with TooManyUnhealthy: its unhealthy nodes are not replaced automatically, and an " +
			"update continues",
		Response:  "Check the nodes and Machines of the pool.",
		NextSteps: assess.ReadOnly(describeNodePool),
	}},
	{Find: poolNotStarting, HealthCheck: assess.HealthCheck{
		Name: "node-pool-not-starting", Then: assess.ThenHyperShift, Subject: nodePoolNoun,
		Texts: assess.Texts{
			caseNotStarted: {One: "has not started to update", Many: "have not started to update", Description: stalledText},
			caseStopped:    {One: "has stopped updating", Many: "have stopped updating", Description: stalledText},
		},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Effect, Thresholds: stalledThresholds,
		Appears: "a NodePool requests another release, is not paused, and no condition stops it, but none of its nodes has been " +
			"updated, drained or replaced for more than 15 minutes",
		Response:  "The description has the message of the NodePool. Check the operators of HyperShift and of the Cluster API.",
		NextSteps: assess.ReadOnly(describeNodePool, controlPlanePods),
	}},
	{Find: poolPaused, HealthCheck: assess.HealthCheck{
		Name: "node-pool-paused", Then: assess.ThenUnpaused, Subject: nodePoolNoun,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "Outdated nodes in paused node pool {name} will not be updated",
			Description: "{by} has pausedUntil, which stops all changes to the nodes of the pool, including updates. " +
				"The nodes will not be updated until it has passed or is removed.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Effect, StartsWhenObserved: true,
		Appears: "a node pool is paused and has nodes that are not updated; a pool whose nodes are replaced is also paused while " +
			"its hosted cluster is paused",
		Response:  "Remove `.spec.pausedUntil` when the nodes may be updated.",
		NextSteps: slices.Concat(assess.ReadOnly(describeNodePool), assess.Mutating("oc patch nodepool -n NAMESPACE NODEPOOL --type=merge -p", `{"spec":{"pausedUntil":null}}`)),
	}},
	{Find: poolOnDelete, HealthCheck: assess.HealthCheck{
		Name: "node-pool-on-delete", Then: assess.ThenUnpaused, Subject: nodePoolNoun,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "Nodes of node pool {name} wait for the deletion of their Machines",
			Description: "The NodePool has the strategy OnDelete: a node is replaced when an administrator deletes its Machine, in namespace {namespace} " +
				"of the management cluster. Waiting: {nodes}.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect, StartsWhenObserved: true,
		Appears:   "nodes of a pool with the strategy OnDelete wait to be replaced",
		Response:  "Delete the Machines of the nodes that may be replaced.",
		NextSteps: assess.ReadOnly(describeNodePool),
	}},
}

// poolRefused is about what stops HyperShift from changing the pool.
func poolRefused(pool checkedPool) *assess.Finding {
	kind := pool.stoppedBy()
	if kind == "" {
		return nil
	}
	found := poolCondition(kind, "")(pool)
	if kind == conditionIgnition {
		found.Thresholds = &ignitionThresholds
	}
	return found
}

func poolInPlaceFailed(pool checkedPool) *assess.Finding {
	if !pool.isInPlaceFailed() {
		return nil
	}
	found := poolCondition(conditionUpdatingVersion, reasonInPlaceFailed)(pool)
	if found != nil {
		found.Level = updatev1alpha1.LevelError
	}
	return found
}

// poolSkew waits for the payload: while it is being updated, a pool may be ahead of what it has completed.
func poolSkew(pool checkedPool) *assess.Finding {
	if pool.payload.State != configv1.CompletedUpdate {
		return nil
	}
	found := poolCondition(conditionVersionSkew, reasonUnsupportedSkew)(pool)
	if found != nil {
		found.CountedSince = assess.TimeOf(pool.payload.CompletionTime)
	}
	return found
}

// poolCondition returns a check for a condition that is False, with a reason if one is given, and current.
func poolCondition(kind, reason string) func(checkedPool) *assess.Finding {
	return func(pool checkedPool) *assess.Finding {
		condition := pool.current(kind)
		if condition == nil || condition.Status != metav1.ConditionFalse || reason != "" && condition.Reason != reason {
			return nil
		}
		found := conditionFinding(*condition)
		found.Reference = reference.HostedUpdates
		return found
	}
}

// poolNotStarting is about a pool that is to be updated and is stuck for no reason that a condition gives.
func poolNotStarting(pool checkedPool) *assess.Finding {
	if !pool.isStalled(pool.NodePoolInput) {
		return nil
	}
	which, since := caseStopped, pool.StalledObserved
	if pool.Nodes.Completed == 0 {
		// It may have been paused since it was asked.
		which, since = caseNotStarted, cmp.Or(since, pool.started)
	}
	if since.IsZero() {
		return nil
	}
	return &assess.Finding{
		Since: since, Case: which,
		Words:     assess.Words{"release": cmp.Or(pool.target, "another release"), "says": pool.says()},
		Reported:  &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentHyperShift, Message: pool.says()},
		Reference: reference.HostedUpdates,
	}
}

func poolPaused(pool checkedPool) *assess.Finding {
	if !pool.isPaused || pool.Nodes.Excluded == 0 {
		return nil
	}
	return &assess.Finding{
		Words:     assess.Words{"by": pausedBy(pool)},
		Reference: reference.HostedUpdates,
	}
}

// pausedBy returns what can pause the pool.
func pausedBy(pool checkedPool) string {
	if pool.inPlace {
		return "The NodePool"
	}
	return "The NodePool or its HostedCluster"
}

// poolOnDelete is about a pool whose outdated nodes are replaced when people delete their Machines.
func poolOnDelete(pool checkedPool) *assess.Finding {
	controlPlane := insight.ControlPlaneNamespace(types.NamespacedName{Namespace: pool.Namespace, Name: pool.Spec.ClusterName})
	if !pool.isOnDelete() || pool.Nodes.Pending == 0 || pool.isPaused {
		return nil
	}
	return &assess.Finding{
		Words:     assess.Words{"namespace": controlPlane, "nodes": insight.Count(int(pool.Nodes.Pending), "node")},
		Reference: reference.HostedUpdates,
	}
}
