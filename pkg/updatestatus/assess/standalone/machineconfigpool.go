package standalone

import (
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// MachineConfigPoolInput is what a pool is assessed from.
type MachineConfigPoolInput struct {
	Pool *machineconfigv1.MachineConfigPool
	// Nodes counts the assessed nodes of the pool.
	Nodes  insight.NodeCounts
	Target Target
	// SelectorError is why the pool's node selector can't be parsed, empty if it can (Pools.Unparsable).
	SelectorError string
	// Members are the nodes of the pool.
	Members []PoolMember
	// IsRendered is whether the configuration of the pool is one of the target. Turn is since when the pool can be updated: since its
	// configuration was rendered, or while that has not happened since the Machine Config Operator is updated. It is zero if that is
	// not known, and while it waits for another pool.
	IsRendered bool
	Turn       time.Time
	// LastProgress is when a node of the pool was last observed being updated, or the pool paused, zero if neither was.
	LastProgress time.Time
	// Arbiters are those that the control plane waits for while one is unavailable.
	Arbiters []PoolMember
	// IsAhead is whether the update has not begun (Rehearse): a pool does not start without a reason only then.
	IsAhead bool
}

// MachineConfigPoolSubject is the subject of reports about a pool.
func MachineConfigPoolSubject(name string) insight.Subject {
	return insight.Subject{Kind: "MachineConfigPool", Name: name}
}

// MachineConfigPool assesses a pool. The result changes without an event when a pool has stood still for long enough.
func MachineConfigPool(in MachineConfigPoolInput, now time.Time) assess.Result {
	in.Pool = assess.WithKnownTimes(in.Pool, poolTimes, now)
	name := in.Pool.Name
	part := PartOf(name)
	counts := in.Nodes
	insights := []insight.ScopedInsight{{Part: part, Unfinished: counts.AreUnfinished(), Insight: updatev1alpha1.Insight{
		UID:  insight.UID("mcp", name),
		Type: updatev1alpha1.InsightMachineConfigPool,
		MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{
			Name:           name,
			Resource:       poolRef(name),
			Conditions:     []metav1.Condition{poolUpdating(in, counts)},
			Assessment:     counts.Assess(in.Target.Known),
			Completion:     counts.Completion(),
			Summaries:      counts.Summaries(),
			MaxUnavailable: maxUnavailable(in.Pool, counts.Total),
			Reported:       in.reported(counts),
		},
	}}}
	health, nextCheck := assess.CheckHealth(poolChecks, checkedPool{in, now}, assess.Subject{Resource: poolRef(name), Part: part}, now)
	return assess.Result{
		Report: insight.Report{Subject: MachineConfigPoolSubject(name), Insights: append(insights, health...)}, NextCheck: nextCheck,
	}
}

// poolTimes returns the times that are read.
func poolTimes(pool *machineconfigv1.MachineConfigPool) []*metav1.Time {
	var times []*metav1.Time
	for at := range pool.Status.Conditions {
		times = append(times, &pool.Status.Conditions[at].LastTransitionTime)
	}
	return times
}

// maxUnavailable returns how many nodes of a pool the Machine Config Operator updates at a time: by default one, a percentage
// rounded down but at least one, also in the control plane (pkg/controller/node/node_controller.go, maxUnavailable). A pool with an invalid
// value is not updated at all.
func maxUnavailable(pool *machineconfigv1.MachineConfigPool, nodes int32) int32 {
	if pool.Spec.MaxUnavailable == nil {
		return 1
	}
	const up = false
	maxConcurrent, err := intstr.GetScaledValueFromIntOrPercent(pool.Spec.MaxUnavailable, int(nodes), up)
	if err != nil {
		return 1
	}
	return int32(min(max(maxConcurrent, 1), max(int(nodes), 1)))
}

// withMissing returns counts with the nodes that files lack by the pool's own count. They count as outdated: nothing shows
// that they are complete. While others are not complete either, the counts are those of what is known.
func withMissing(c insight.NodeCounts, pool *machineconfigv1.MachineConfigPool) insight.NodeCounts {
	missing := pool.Status.MachineCount - c.Total
	if missing <= 0 || !c.AreCompleted() {
		return c
	}
	c.Missing = missing
	c.Total += missing
	return c
}

// ownMessage is how what the Machine Config Operator says of a pool in particular starts: that it waits for the build of an image, or
// stopped or paused its update (openshift/machine-config-operator, pkg/controller/node/status.go). Of other pools it says that all nodes
// are being updated.
const ownMessage = "Pool "

// poolPausedMessage starts what it says of a paused pool, which the pool's spec tells.
const poolPausedMessage = "Pool is paused; will not update"

// poolRolloutMessage starts what it says, since 4.23, of a pool whose image is built: its nodes are being updated.
const poolRolloutMessage = "Pool is waiting for nodes to apply OS image"

// poolMessage returns what the Machine Config Operator says of a pool in particular, empty if nothing.
func poolMessage(pool *machineconfigv1.MachineConfigPool) string {
	for at := range pool.Status.Conditions {
		one := &pool.Status.Conditions[at]
		isKnown := strings.HasPrefix(one.Message, poolPausedMessage) || strings.HasPrefix(one.Message, poolRolloutMessage)
		if one.Type == machineconfigv1.MachineConfigPoolUpdating && strings.HasPrefix(one.Message, ownMessage) && !isKnown {
			return insight.Shorten(insight.OneLine(one.Message), updatev1alpha1.NodeMessageMaxLength)
		}
	}
	return ""
}

// reported returns what the Machine Config Operator says of a pool in particular that is not complete, nil if nothing.
func (in MachineConfigPoolInput) reported(counts insight.NodeCounts) *updatev1alpha1.ComponentReport {
	message := poolMessage(in.Pool)
	if message == "" || !in.Target.Known || counts.Missing > 0 || counts.AreCompleted() {
		return nil
	}
	return &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentMachineConfigOperator, Message: message}
}

// poolUpdating is true from the start of the first node to the end of the last one. A node that has just joined a pool, and whose
// version is unknown, is no update.
func poolUpdating(in MachineConfigPoolInput, counts insight.NodeCounts) metav1.Condition {
	status, reason, message := metav1.ConditionFalse, updatev1alpha1.ReasonPending, poolMessage(in.Pool)
	paused := in.Pool.Spec.Paused
	switch {
	case !in.Target.Known:
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = unknownTarget
	case counts.Missing > 0:
		status, reason = metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine
		message = fmt.Sprintf("%d of %d nodes are not in the files", counts.Missing, counts.Total)
	case counts.AreCompleted():
		reason, message = updatev1alpha1.ReasonCompleted, ""
	case counts.Updating > 0 || counts.Completed > 0 && counts.OnAnother > 0 && !paused:
		status, reason = metav1.ConditionTrue, updatev1alpha1.ReasonProgressing
	case paused:
		reason = updatev1alpha1.ReasonExcluded
	}
	return assess.Condition(updatev1alpha1.ConditionUpdating, status, reason, message, time.Time{})
}

func poolRef(name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Group: machineconfigv1.GroupName, Resource: "machineconfigpools", Name: name}
}
