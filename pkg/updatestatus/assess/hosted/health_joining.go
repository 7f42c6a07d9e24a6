package hosted

import (
	"cmp"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

var (
	// payloadThresholds are those of a configuration that can't be generated, also for an error that passes, as that of a registry.
	payloadThresholds = assess.Thresholds{Warning: 5 * time.Minute}
	// updatingPayloadThresholds are those during an update, which can't go on without.
	updatingPayloadThresholds = assess.Thresholds{Warning: 5 * time.Minute, Failure: 20 * time.Minute}
	// otherPayloadThresholds are beyond what the Secret of a configuration is missing, and then empty, at the start of each update.
	otherPayloadThresholds = assess.Thresholds{Warning: 10 * time.Minute}
	// reachThresholds are beyond what a host takes to boot into the ignition of its operating system.
	reachThresholds = assess.Thresholds{Warning: 15 * time.Minute, Failure: time.Hour}
	// machineThresholds is beyond what a host takes to boot: bare metal half an hour.
	machineThresholds = assess.Thresholds{Warning: 40 * time.Minute}
)

// The cases of a pool whose Machines are not ready or whose nodes do not join, and the text of the latter.
const (
	caseMachines  = "MachinesNotReady"
	caseJoining   = "NodesNotJoined"
	caseUnlabeled = "NodesWithoutLabel"

	waitsToJoin, waitToJoin = "waits for its nodes to join", "wait for their nodes to join"
)

// joiningChecks are those of a NodePool that are about its new nodes.
var joiningChecks = []assess.Check[checkedPool]{
	{Find: poolPayloadInvalid, HealthCheck: assess.HealthCheck{
		Name: "node-pool-payload-invalid", Then: assess.ThenHyperShift, Subject: nodePoolNoun,
		Texts:  nodePoolText("has no valid configuration for its nodes", "have no valid configuration for their nodes"),
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause,
		Appears: "ValidGeneratedPayload of a NodePool that is not paused has not been True for more than 5 minutes because of " +
			"InvalidConfig (Error from 20 minutes on during an update of the pool), or for more than 10 minutes for another reason",
		Response: "The description gives the reason: the ignition server can't generate the configuration of the nodes, usually " +
			"because of a MachineConfig, or because a registry can't be reached.",
		NextSteps: assess.ReadOnly(describeNodePool, ignitionServerLog),
	}},
	{Find: poolIgnitionNotReached, HealthCheck: assess.HealthCheck{
		Name: "node-pool-ignition-not-reached", Then: assess.ThenHyperShift, Subject: nodePoolNoun,
		Texts: assess.Texts{assess.NoCase: {
			Sentence: "No new node of node pool {name} has reached the ignition server",
			Description: "A new node gets its configuration from the ignition server of its hosted cluster when it boots for the first time. " +
				"A Machine of the pool has a host, and its node has not got it.",
		}},
		Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.Cause, Thresholds: reachThresholds,
		Appears: "a NodePool whose nodes are replaced is being updated, its ReachedIgnitionEndpoint is False with " +
			"ignitionNotReached, and a new Machine of it has been provisioned for more than 15 minutes without a node",
		Response: "Check the console of the new host, and whether the network of the nodes, its firewall and its DNS let it " +
			"reach the ignition endpoint (`.status.ignitionEndpoint` of the HostedCluster).",
		NextSteps: assess.ReadOnly(describeNodePool, ignitionServerLog),
	}},
	{Find: poolMachinesNotReady, HealthCheck: assess.HealthCheck{
		Name: "node-pool-machines-not-ready", Then: assess.ThenHyperShift, Subject: nodePoolNoun,
		Texts: assess.Texts{
			caseMachines:  {One: "has waited long for its Machines{reason}", Many: "have waited long for their Machines{reason}", Description: assess.Message + " ({machines})"},
			caseJoining:   {One: waitsToJoin + "{reason}", Many: waitToJoin + "{reason}", Description: assess.Message},
			caseUnlabeled: {One: waitsToJoin, Many: waitToJoin, Description: "The nodes of {machines} are ready and do not have the label of the pool."},
		},
		Impact: updatev1alpha1.ImpactUpdateSpeed, Causality: assess.CauseAndEffect, Thresholds: machineThresholds,
		Appears: "a Machine of a NodePool has had no host that is ready for more than 40 minutes (Machines that are being deleted " +
			"don't count); or its Machines are ready, and the node of a new one has not joined for as long",
		Response: "Check the Machines that the description names. Usually the platform has no capacity, the host does not boot, or " +
			"its node has no network.",
		NextSteps: assess.ReadOnly(describeNodePool),
	}},
}

// ignitionServerLog is the log of what generates configurations, and serves them (openshift/hypershift:
// control-plane-operator/controllers/hostedcontrolplane/v2/ignitionserver).
const ignitionServerLog = "oc logs -n CONTROLPLANE -l app=ignition-server --tail=100"

// poolPayloadInvalid is about the configuration that nodes get. Each update begins without one, for seconds: its Secret is missing, and then
// empty (openshift/hypershift: hypershift-operator/controllers/nodepool/conditions.go, createValidGeneratedPayloadCondition).
func poolPayloadInvalid(pool checkedPool) *assess.Finding {
	condition := pool.current(conditionGeneratedPayload)
	if condition == nil || condition.Status == metav1.ConditionTrue {
		return nil
	}
	found := conditionFinding(*condition)
	found.Reference = reference.HostedUpdates
	switch {
	case condition.Reason != reasonInvalidConfig:
		found.Thresholds = &otherPayloadThresholds
	case pool.isUpdating:
		found.Thresholds = &updatingPayloadThresholds
	default:
		found.Thresholds = &payloadThresholds
	}
	return found
}

// poolIgnitionNotReached is about new nodes that do not get their configuration. In a pool whose nodes are updated in place, they have it.
func poolIgnitionNotReached(pool checkedPool) *assess.Finding {
	reached := poolCondition(conditionReachedIgnition, reasonIgnitionNotReached)(pool)
	if reached == nil || pool.inPlace || !pool.isUpdating || pool.Joining.Provisioned.IsZero() {
		return nil
	}
	return &assess.Finding{Since: assess.Later(reached.Since, pool.Joining.Provisioned), Reference: reference.HostedUpdates}
}

// poolMachinesNotReady is about Machines that are not ready for long, or whose nodes do not join. AllMachinesReady of the NodePool tells of
// all together, and also of those that are being deleted, as some are in each rollout.
func poolMachinesNotReady(pool checkedPool) *assess.Finding {
	waiting := pool.Unprovisioned
	if waiting.Count == 0 {
		return poolNotJoined(pool)
	}
	machines := "Machine " + waiting.Refs[0].Name
	if more := waiting.Count - 1; more > 0 {
		machines += fmt.Sprintf(" and %s more", insight.Count(more, "Machine"))
	}
	return &assess.Finding{
		Since: waiting.Since, Case: caseMachines, Words: assess.Words{"machines": machines}, Blockers: waiting.Refs,
		Reported:  &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentClusterAPI, Reason: waiting.Reason, Message: waiting.Message},
		Reference: reference.HostedUpdates,
	}
}

// poolNotJoined is about new Machines that are ready while their nodes are not, or have no label of the pool
// (openshift/hypershift: control-plane-operator/hostedclusterconfigoperator/controllers/node/node.go).
func poolNotJoined(pool checkedPool) *assess.Finding {
	if pool.Joining.Since.IsZero() {
		return nil
	}
	found := poolCondition(conditionNodesHealthy, "")(pool)
	if found == nil {
		found = &assess.Finding{
			Case: caseUnlabeled, Words: assess.Words{"machines": insight.Count(int(pool.Joining.Count), "Machine")}, Reference: reference.HostedUpdates,
		}
	}
	found.Since, found.Case = pool.Joining.Since, cmp.Or(found.Case, caseJoining)
	for _, name := range pool.Joining.Nodes {
		ref := assess.NodeRef(name)
		ref.Cluster = updatev1alpha1.ClusterHosted
		found.Blockers = append(found.Blockers, ref)
	}
	return found
}
