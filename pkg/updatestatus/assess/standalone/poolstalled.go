package standalone

import (
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// This file finds pools that make no progress. The Machine Config Operator writes about some of them that all nodes are updating, and
// about others nothing (openshift/machine-config-operator, pkg/controller/node).

// How long what makes a pool stuck lasts before it is reported. Rendering fails for a moment while the operator itself is updated.
var (
	renderThresholds   = assess.Thresholds{Warning: 3 * time.Minute}
	buildThresholds    = assess.Thresholds{Warning: time.Minute}
	stalledThresholds  = assess.Thresholds{Warning: 15 * time.Minute, Failure: time.Hour}
	cordonThresholds   = assess.Thresholds{Warning: 15 * time.Minute}
	buildingThresholds = assess.Thresholds{Warning: time.Hour}
	slowedThresholds   = assess.Thresholds{Warning: 30 * time.Minute}
)

// joining is how old a node is before it counts: it gets its configuration when it joins.
const joining = 20 * time.Minute

// What the Machine Config Operator says of a pool whose image is being built, or can't be (pkg/controller/node/status.go).
const (
	poolNoBuildMessage  = "Pool is waiting for a new OS image build"
	poolBuildingMessage = "Pool is waiting for OS image build"
	poolStoppedMessage  = "Pool update stopped due to OS image build"
)

// checkedPool is a pool at a moment.
type checkedPool struct {
	MachineConfigPoolInput

	now time.Time
}

func (p checkedPool) condition(kind machineconfigv1.MachineConfigPoolConditionType) *machineconfigv1.MachineConfigPoolCondition {
	for at := range p.Pool.Status.Conditions {
		if one := &p.Pool.Status.Conditions[at]; one.Type == kind {
			return one
		}
	}
	return nil
}

func (p checkedPool) isTrue(kind machineconfigv1.MachineConfigPoolConditionType) *machineconfigv1.MachineConfigPoolCondition {
	if one := p.condition(kind); one != nil && one.Status == corev1.ConditionTrue {
		return one
	}
	return nil
}

// says returns the condition Updating if its message begins with a text, nil if not.
func (p checkedPool) says(start string) *machineconfigv1.MachineConfigPoolCondition {
	if updating := p.condition(machineconfigv1.MachineConfigPoolUpdating); updating != nil && strings.HasPrefix(updating.Message, start) {
		return updating
	}
	return nil
}

// poolDegraded returns that the Machine Config Operator reports a pool as degraded for another reason than a node that has an insight.
func poolDegraded(p checkedPool) *assess.Finding {
	found := func(condition *machineconfigv1.MachineConfigPoolCondition, which string, thresholds assess.Thresholds) *assess.Finding {
		return &assess.Finding{
			Since: condition.LastTransitionTime.Time, Thresholds: &thresholds, Level: updatev1alpha1.LevelError,
			Case:      which,
			Reported:  reportedInPool(condition),
			Reference: reference.MachineConfigOperator,
		}
	}
	if rendering := p.isTrue(machineconfigv1.MachineConfigPoolRenderDegraded); rendering != nil {
		return found(rendering, caseRendering, renderThresholds)
	}
	if build := p.isTrue(machineconfigv1.MachineConfigPoolImageBuildDegraded); build != nil {
		return found(build, caseBuilding, buildThresholds)
	}
	if stopped := p.says(poolStoppedMessage); stopped != nil {
		return found(stopped, caseBuilding, buildThresholds)
	}
	if pinned := p.isTrue(machineconfigv1.MachineConfigPoolPinnedImageSetsDegraded); pinned != nil {
		one := found(pinned, casePinned, assess.Thresholds{})
		one.Level, one.Impact = updatev1alpha1.LevelWarning, updatev1alpha1.ImpactNone
		if p.isImageMode() {
			one.Impact = updatev1alpha1.ImpactUpdateSpeed
		}
		return one
	}
	if nodes := p.isTrue(machineconfigv1.MachineConfigPoolNodeDegraded); nodes != nil && !p.hasDegradedNode() && !p.isOutdated(nodes) {
		one := found(nodes, caseNodes, renderThresholds)
		one.Since = assess.Later(one.Since, p.LastProgress)
		return one
	}
	return nil
}

// isOutdated returns whether a condition about degraded nodes may be older than the nodes that it names ("Node worker-0 is reporting: …",
// pkg/controller/node/status.go): they are not degraded, and since when is not known.
func (p checkedPool) isOutdated(condition *machineconfigv1.MachineConfigPoolCondition) bool {
	return p.LastProgress.IsZero() && slices.ContainsFunc(p.Members, func(one PoolMember) bool {
		return strings.Contains(condition.Message, "Node "+one.Name+" is reporting")
	})
}

// hasDegradedNode returns whether a node has an insight that says that it is degraded, or recovers.
func (p checkedPool) hasDegradedNode() bool {
	return p.Nodes.Degraded > 0 || slices.ContainsFunc(p.Members, func(one PoolMember) bool { return one.IsDegraded })
}

// isImageMode returns whether the nodes of the pool get an image that is built for it.
func (p checkedPool) isImageMode() bool {
	return slices.ContainsFunc(p.Members, func(one PoolMember) bool { return one.HasImage })
}

// start returns since when nothing of a pool that should be updating has been updated, zero if it is not its turn, or if something is being
// updated, or if that is not known.
func (p checkedPool) start() time.Time {
	counts := p.Nodes
	if p.Turn.IsZero() || p.Pool.Spec.Paused || counts.OnAnother == 0 || counts.Updating > 0 || p.LastProgress.IsZero() && counts.Completed > 0 {
		return time.Time{}
	}
	since := assess.Later(p.Turn, p.LastProgress)
	// The operator sets Updating when a pool is resumed. Until it has noticed that, since when is not known.
	if updating := p.isTrue(machineconfigv1.MachineConfigPoolUpdating); updating != nil {
		since = assess.Later(since, updating.LastTransitionTime.Time)
	} else if p.LastProgress.IsZero() && p.says(poolPausedMessage) != nil {
		return time.Time{}
	}
	var joined time.Time
	for _, one := range p.Members {
		if one.State.IsBehind() {
			joined = assess.Earliest(joined, one.Created.Add(joining))
		}
	}
	return assess.Later(since, joined)
}

// poolNotStarting returns that none of the nodes that are to be updated is, and why, as far as the objects tell.
func poolNotStarting(p checkedPool) *assess.Finding {
	start := p.start()
	if start.IsZero() {
		return nil
	}
	found := &assess.Finding{Since: start, Thresholds: &stalledThresholds, Reference: reference.MachineConfigOperator, Words: assess.Words{}}
	switch used, isUsedUp := p.capacity(); {
	case !p.IsRendered:
		found.Case = caseNotRendered
		found.NextSteps = assess.ReadOnly("oc get pods -n openshift-machine-config-operator -l k8s-app=machine-config-controller",
			"oc get kubeletconfig,containerruntimeconfig -o wide", "oc describe machineconfigpool POOL")
	case p.says(poolBuildingMessage) != nil || p.says(poolNoBuildMessage) != nil:
		found.Case, found.Thresholds = caseImage, &buildingThresholds
		found.Reported = &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentMachineConfigOperator, Message: poolMessage(p.Pool)}
	case p.Pool.Status.ObservedGeneration < p.Pool.Generation:
		found.Case = caseSilent
		found.Words["generation"] = strconv.FormatInt(p.Pool.Generation, 10)
		found.Words["observed"] = strconv.FormatInt(p.Pool.Status.ObservedGeneration, 10)
		found.NextSteps = assess.ReadOnly("oc get pods -n openshift-machine-config-operator -l k8s-app=machine-config-controller")
	case isUsedUp:
		found.Words["used"], found.Words["most"] = usedUp(used), p.most()
		blockedBy(found, caseUsedUp, used)
	case len(p.skipped()) > 0:
		skipped := p.skipped()
		found.Words["skipped"] = skippedText(skipped)
		blockedBy(found, caseSkipped, skipped)
	case p.IsAhead:
		return nil // nothing keeps it from starting
	default:
		found.Case = caseUnexplained
		found.NextSteps = assess.ReadOnly(nodestate.ControllerLog, "oc describe machineconfigpool POOL")
	}
	if p.Nodes.Completed > 0 {
		found.Case = caseStopped + found.Case
	}
	return found
}

// reportedInPool returns what the Machine Config Operator reports in a condition of a pool.
func reportedInPool(condition *machineconfigv1.MachineConfigPoolCondition) *updatev1alpha1.ComponentReport {
	return &updatev1alpha1.ComponentReport{
		Component: updatev1alpha1.ComponentMachineConfigOperator, Reason: condition.Reason, Message: condition.Message,
	}
}
