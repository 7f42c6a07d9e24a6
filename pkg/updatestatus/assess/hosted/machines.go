package hosted

import (
	"regexp"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// Conditions of a Machine while it is provisioned, and its phase from then until its node joins (kubernetes-sigs/cluster-api:
// internal/controllers/machine/machine_controller_phases.go). InfrastructureReady is the condition Ready of the provider's Machine.
const (
	conditionInfrastructure = "InfrastructureReady"
	conditionBootstrap      = "BootstrapReady"

	phaseProvisioned = "Provisioned"
)

// maxMachines bounds the Machines of a pool, and the nodes of Machines, that are named.
const maxMachines = 4

// JoiningMachines are the Machines with the target version whose nodes have not joined their pool yet.
type JoiningMachines struct {
	Count int32
	// Since is when the oldest of them was created, zero if that is not known.
	Since time.Time
	// Provisioned is since when the first of those without a node has a host, zero if none has.
	Provisioned time.Time
	// Nodes are the names of the first nodes that there are.
	Nodes []string
}

// Add adds a Machine, and its node unless that has no name yet.
func (m *JoiningMachines) Add(machine *clusterapiv1beta1.Machine, node string) {
	m.Count, m.Since = m.Count+1, assess.Earliest(m.Since, machine.CreationTimestamp.Time)
	if ready := conditionOf(machine, conditionInfrastructure); machine.Status.Phase == phaseProvisioned && ready.Status == metav1.ConditionTrue {
		m.Provisioned = assess.Earliest(m.Provisioned, ready.LastTransitionTime.Time)
	}
	if node != "" && len(m.Nodes) < maxMachines {
		m.Nodes = append(m.Nodes, node)
	}
}

// UnprovisionedMachines are the Machines of a pool without a host that is ready, but for those that are being deleted or repaired.
type UnprovisionedMachines struct {
	Count int
	// Since is when the oldest of them lost its host, or was created without one, and Reason and Message are what it reports.
	Since           time.Time
	Reason, Message string
	// Refs are the first of them.
	Refs []updatev1alpha1.ResourceRef
}

// Add adds a Machine if it is one of them, and it is known since when.
func (m *UnprovisionedMachines) Add(machine *clusterapiv1beta1.Machine) {
	condition, since := unprovisioned(machine)
	if since.IsZero() {
		return
	}
	if m.Since.IsZero() || since.Before(m.Since) {
		m.Since, m.Reason, m.Message = since, condition.Reason, informative(condition.Message)
	}
	m.Count++
	if len(m.Refs) < maxMachines {
		m.Refs = append(m.Refs, machineRef(machine))
	}
}

// unprovisioned returns the condition of a Machine because of which it has no host that is ready, and since when, both zero if it has one, or
// goes. What a Machine without a node reports changes with each attempt, and the time of its condition with that (kubernetes-sigs/
// cluster-api, util/conditions/setter.go, Set): it counts from when it was created.
func unprovisioned(machine *clusterapiv1beta1.Machine) (condition metav1.Condition, since time.Time) {
	if machine.DeletionTimestamp != nil || machineRepaired(machine) != nil {
		return metav1.Condition{}, time.Time{}
	}
	for _, kind := range []string{conditionInfrastructure, conditionBootstrap} {
		found := meta.FindStatusCondition(machine.Status.Conditions, kind)
		switch {
		case found == nil, found.Status == metav1.ConditionTrue:
		case machine.Status.NodeRef == nil:
			return *found, machine.CreationTimestamp.Time
		default:
			return *found, found.LastTransitionTime.Time
		}
	}
	return metav1.Condition{}, time.Time{}
}

// counted is the message of a Machine that is being provisioned: how many steps of it are done, and not what fails (kubernetes-sigs/cluster-api,
// util/conditions/getter.go, WithStepCounter).
var counted = regexp.MustCompile(`^\d+ of \d+ completed$`)

func informative(message string) string {
	if counted.MatchString(message) {
		return ""
	}
	return message
}

// provisionFailure matches the reasons of InfrastructureReady with which a provider says that it failed, and not that it is at work:
// InstanceProvisionFailed, InstanceTerminated (AWS, api/v1beta2/conditions_consts.go), VMProvisionFailed (Azure, api/v1beta1/
// conditions_consts.go), VMCreateFailed, Unschedulable (KubeVirt, api/v1alpha1/condition_consts.go, pkg/kubevirt/machine.go),
// NoSuitableAgents (openshift/cluster-api-provider-agent, api/v1beta1/agentmachine_types.go), InstanceCreateFailed, InstanceStateError,
// InvalidMachineSpec (OpenStack, api/v1beta1/conditions_consts.go), InstanceErrored (IBM Cloud, api/v1beta2/conditions_consts.go). Each
// provider but Agent is kubernetes-sigs/cluster-api-provider-….
var provisionFailure = regexp.MustCompile(`(?:Failed|Error|Errored|Terminated|Stopped|Deleted)$|^(?:Unschedulable|NoSuitableAgents|InvalidMachineSpec)$`)
