package nodestate

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// Late is a node that is being updated, with since when, and what other nodes of its pool took.
type Late struct {
	Node  *updatev1alpha1.NodeInsight
	State insight.NodeState
	// Since is when its phase started, zero if that is not known. IsAtLeast is whether it may have started before.
	Since     time.Time
	IsAtLeast bool
	// IsLeaving is whether the node is being deleted, or is to be, and NotReady whether its kubelet is not ready.
	IsLeaving, NotReady bool
	// NotBegun is whether what updates the node has not begun to.
	NotBegun bool
	// Usual is what the phase took until the end of the update of other nodes of the pool, in this update or else in an earlier one. It is
	// zero if fewer than three are known.
	Usual Usual
	// NotBefore is until when it is not reported that a node does not return: a controller that has just started may run on it.
	NotBefore time.Time
	Now       time.Time
}

// Usual is how long a phase of other nodes of a pool took, until the end of their update.
type Usual struct {
	// Median is the median, and Long the 90th percentile.
	Median, Long time.Duration
}

// How long a node takes without it being reported. Bare metal takes 15 to 25 minutes to reboot, and the pull of an image over a slow
// connection may take forty.
const (
	usualReturn, longReturn     = 30 * time.Minute, time.Hour
	leastReturn, leastLost      = 15 * time.Minute, 40 * time.Minute
	usualUpdate, longUpdate     = 45 * time.Minute, 2 * time.Hour
	leastUpdate                 = 30 * time.Minute
	longReboot                  = time.Hour
	usualStart, longStart       = 10 * time.Minute, time.Hour
	returnFactor, lostFactor    = 2, 4
	updateFactor, failureFactor = 3, 2
)

// NotReturned is the name of the check of a node that does not come back from its reboot. It is no text of a host, as constants of this package are.
var NotReturned = "node-not-returned"

// The cases of a node that takes long: before its reboot, and after it.
const (
	caseUpdating = "Updating"
	caseRebooted = "Rebooted"
)

// The texts of late nodes. They have no start: several nodes share one line, and each insight has its own startedAt.
const (
	takesLong, takeLong = "is slow to update", "are slow to update"
	lateText            = "{earlier}{usual}{step}"
)

// LateChecks are those of a node that is being updated, by how long that takes. They are made of the status, which has what was observed
// of all nodes over time, and not of the node's objects alone.
var LateChecks = []assess.Check[Late]{
	{Find: notReturned, HealthCheck: assess.HealthCheck{
		Name: NotReturned, Then: assess.ThenKubelet, Subject: assess.NodeNoun,
		Texts: assess.Texts{assess.NoCase: {
			One: "has not returned from its reboot", Many: "have not returned from their reboot",
			Description: "The node is rebooting, and its kubelet is not ready." + lateText,
		}},
		Impact: updatev1alpha1.ImpactUpdateSpeed, FailureImpact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.CauseAndEffect,
		Thresholds: assess.Thresholds{Warning: usualReturn, Failure: longReturn},
		Appears: "a node has been rebooting for more than 30 minutes, and is not ready. If the times of three nodes of the pool " +
			"are known, from this update or an earlier one: for more than twice their 90th percentile (at least 15 " +
			"minutes, and 40 for an Error)",
		Response: "Check the console of the node: its firmware or boot loader may hang, or its kubelet may not start. The impact " +
			"of an Error is Update Stalled, because the update can't continue without the node.",
		NextSteps: assess.ReadOnly("oc describe node NODE", "oc get machines -n openshift-machine-api", "ssh core@NODE sudo journalctl -b -u crio -u kubelet"),
	}},
	{Find: notBegun, HealthCheck: assess.HealthCheck{
		Name: "node-not-begun", Then: assess.ThenDaemon, Subject: assess.NodeNoun,
		Texts: assess.Texts{assess.NoCase: {
			One: "has not begun to update", Many: "have not begun to update",
			Description: "The node is assigned its configuration, and its Machine Config Daemon does nothing about it: its pod may not run, or not reach the API server.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, Thresholds: assess.Thresholds{Warning: usualStart, Failure: longStart},
		Appears: "a node that is ready has been assigned another configuration for more than 10 minutes, and its state is Done: its Machine Config " +
			"Daemon has not begun to apply it. Not while the node waits to be uncordoned after an earlier update",
		Response:  "Check the pod of the node's Machine Config Daemon, and its log.",
		NextSteps: assess.ReadOnly(daemonPod, "oc describe node NODE"),
	}},
	{Find: updateSlow, HealthCheck: assess.HealthCheck{
		Name: "node-update-slow", Then: assess.ThenDaemon, Subject: assess.NodeNoun,
		Texts: assess.Texts{
			caseUpdating: {One: takesLong, Many: takeLong, Description: "The node is being updated." + lateText},
			caseRebooted: {One: takesLong, Many: takeLong, Description: "The node has rebooted, and its update is incomplete." + lateText},
		},
		Impact: updatev1alpha1.ImpactUpdateSpeed, FailureImpact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.CauseAndEffect,
		Thresholds: assess.Thresholds{Warning: usualUpdate, Failure: longUpdate},
		Appears: "a drained node has been updating, or has rebooted and is not done, for more than 45 minutes. If the times of " +
			"three nodes of the pool are known: for more than three times as long as half of them (at least 30 minutes; " +
			"after a reboot an Error from 60 minutes on, or twice the time of the Warning)",
		Response: "Check the log of its Machine Config Daemon for the current step, usually the pull of an image: check the " +
			"registry and the connection to it.",
		NextSteps: assess.ReadOnly("oc describe machineconfignode NODE", daemonPod, "oc describe node NODE"),
	}},
}

// notReturned returns that a node does not come back from its reboot.
func notReturned(late Late) *assess.Finding {
	if late.State.Phase != insight.PhaseRebooting || !late.NotReady || late.IsLeaving || late.Since.IsZero() {
		return nil
	}
	thresholds := assess.Thresholds{Warning: usualReturn, Failure: longReturn}
	if late.Usual.Long > 0 {
		thresholds = assess.Thresholds{Warning: max(leastReturn, returnFactor*late.Usual.Long), Failure: max(leastLost, lostFactor*late.Usual.Long)}
	}
	found := &assess.Finding{
		Since: late.Since, Thresholds: &thresholds, Reference: reference.MachineConfigOperator,
		Words: late.words(), Reported: late.reported(),
	}
	if late.Now.Before(late.NotBefore) {
		found.IsIncomplete, found.NextCheck = true, late.NotBefore
	}
	return found
}

// notBegun returns that what updates a node does not begin.
func notBegun(late Late) *assess.Finding {
	if !late.NotBegun || late.NotReady || late.IsLeaving || late.Since.IsZero() {
		return nil
	}
	return &assess.Finding{Since: late.Since, Reference: reference.MachineConfigOperator}
}

// updateSlow returns that a node takes long to be updated.
func updateSlow(late Late) *assess.Finding {
	isRebooting := late.State.Phase == insight.PhaseRebooting
	isSlow := late.State.Phase == insight.PhaseUpdating || isRebooting && !late.NotReady
	if !isSlow || late.NotBegun || late.State.Degraded || late.IsLeaving || late.Since.IsZero() {
		return nil
	}
	thresholds := assess.Thresholds{Warning: usualUpdate}
	if late.Usual.Median > 0 {
		thresholds.Warning = max(leastUpdate, updateFactor*late.Usual.Median)
	}
	thresholds.Failure = max(longUpdate, failureFactor*thresholds.Warning)
	which := caseUpdating
	if isRebooting {
		thresholds.Failure, which = max(longReboot, failureFactor*thresholds.Warning), caseRebooted
	}
	found := &assess.Finding{
		Since: late.Since, Thresholds: &thresholds, Reference: reference.MachineConfigOperator,
		Case: which, Words: late.words(), Reported: late.reported(),
	}
	if late.Node.Resource.Cluster == updatev1alpha1.ClusterHosted {
		found.NextSteps = assess.ReadOnly("oc describe node NODE") // it has no MachineConfigNode, and its daemon no pod that stays
	}
	return found
}

// words returns what the texts of late nodes say besides.
func (l Late) words() assess.Words {
	words := assess.Words{"earlier": "", "usual": "", "step": ""}
	if l.IsAtLeast {
		words["earlier"] = " It may have been in this state earlier."
	}
	if l.Usual.Median > 0 {
		words["usual"] = fmt.Sprintf(" From this phase on, half of the nodes of the pool took less than %s, and nine of ten less than %s.",
			insight.Duration(l.Usual.Median), insight.Duration(l.Usual.Long))
	}
	if reported := l.reported(); reported != nil {
		words["step"] = " The Machine Config Operator reports: " + reported.Message
	}
	return words
}

// reported returns what the Machine Config Operator last reported of the node, nil if nothing.
func (l Late) reported() *updatev1alpha1.ComponentReport {
	updating := meta.FindStatusCondition(l.Node.Conditions, updatev1alpha1.ConditionUpdating)
	if updating == nil || updating.Message == "" {
		return nil
	}
	return &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentMachineConfigOperator, Message: updating.Message}
}
