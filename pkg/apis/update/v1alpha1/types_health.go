package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Limits of the texts and lists of a health insight, in characters and items.
const (
	// SummaryMaxLength bounds a summary.
	SummaryMaxLength = 256
	// DescriptionMaxLength bounds a description.
	DescriptionMaxLength = 4096
	// ReportedMaxLength bounds the reason and the message that a component reports.
	ReportedMaxLength = 1024
	// PodReasonMaxLength bounds the state of a pod, and the reason of the end of a container.
	PodReasonMaxLength = 256
	// ReferenceMaxLength bounds a reference.
	ReferenceMaxLength = 512
	// ScopeMaxResources bounds the resources of a scope.
	ScopeMaxResources = 16
	// MaxCauses bounds the causes of a health insight.
	MaxCauses = 8
	// MaxCommands bounds the commands of a remediation.
	MaxCommands = 3
	// CommandMaxArguments bounds the words of a command.
	CommandMaxArguments = 16
	// CommandArgumentMaxLength bounds an argument of a command.
	CommandArgumentMaxLength = 253
)

// HealthInsight is a condition that needs an administrator's attention.
type HealthInsight struct {
	// reason is the name of the check that found the condition: NodeDrainBlocked, AlertFiring. It is the same in all versions. It is
	// absent in insights of others.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
	Reason string `json:"reason,omitempty"`

	// case distinguishes the cases of a reason: BudgetAllowsNone and PodTerminating of NodeDrainBlocked. It is absent where a reason has one
	// case.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]*$`
	Case string `json:"case,omitempty"`

	// origin is who reports the condition: Tenant for an UpdateInformer that is not trusted, and for alerts that the cluster's own monitoring
	// does not raise. It is absent for all else.
	// +optional
	Origin HealthOrigin `json:"origin,omitempty"`

	// reported is what a component of the cluster itself reports about the condition. It is absent if none does.
	// +optional
	Reported *ComponentReport `json:"reported,omitempty"`

	// pod is the pod that says most about why there is the condition. It is absent if none does.
	// +optional
	Pod *PodReport `json:"pod,omitempty"`

	// startedAt is when the condition started. It is absent when that is unknown.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`

	// scope is the part of the cluster and the resources that are affected.
	// +required
	Scope HealthScope `json:"scope,omitzero"`

	// impact is the effect of the condition on the cluster or its update.
	// +required
	Impact HealthImpact `json:"impact,omitzero"`

	// remediation is what an administrator can do about the condition.
	// +required
	Remediation HealthRemediation `json:"remediation,omitzero"`

	// causedBy are the health insights that cause this one, as far as objects of the cluster prove it by name; of more than
	// eight the worst. An insight that nothing causes has none.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	CausedBy []HealthCause `json:"causedBy,omitempty"`
}

// The components that report something, besides cluster operators. Node stands for whoever writes a condition of a Node: the kubelet, the
// node lifecycle controller for one that has stopped reporting, a network plugin. MachineConfigOperator stands for all of its controllers.
const (
	ComponentClusterVersionOperator = "ClusterVersionOperator"
	ComponentMachineConfigOperator  = "MachineConfigOperator"
	ComponentMachineConfigDaemon    = "MachineConfigDaemon"
	ComponentNode                   = "Node"
	ComponentHyperShift             = "HyperShift"
	ComponentClusterAPI             = "ClusterAPI"
	// ComponentMonitoring is the cluster's monitoring; the reason is the name of the alert.
	ComponentMonitoring = "Monitoring"
)

// HealthCause names a health insight that causes another one.
type HealthCause struct {
	// informer is the name of the informer that has the insight.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Informer string `json:"informer,omitempty"`

	// uid is that of the insight.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	UID string `json:"uid,omitempty"`
}

// HealthScope is what a health insight applies to.
type HealthScope struct {
	// type is the part of the cluster.
	// +required
	Type ScopeType `json:"type,omitempty"`

	// resources are the resources involved, the subject first.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Resources []HealthResource `json:"resources,omitempty"`
}

// HealthResource is a resource and the part that it has in a condition.
type HealthResource struct {
	ResourceRef `json:",inline"`

	// role is the part that the resource has.
	// +required
	Role ResourceRole `json:"role,omitempty"`
}

// ResourceRole is the part that a resource has in a condition.
// +kubebuilder:validation:Enum=Subject;Blocker;Affected
type ResourceRole string

const (
	// RoleSubject is what the condition is about. There is one.
	RoleSubject ResourceRole = "Subject"
	// RoleBlocker is what brings the condition about, or keeps it: a PodDisruptionBudget that blocks a drain.
	RoleBlocker ResourceRole = "Blocker"
	// RoleAffected is what else the condition is about.
	RoleAffected ResourceRole = "Affected"
)

// HealthLevel is the severity of a condition.
// +kubebuilder:validation:Enum=Unknown;Info;Warning;Error;Critical
type HealthLevel string

const (
	// LevelUnknown is a condition of unknown severity.
	LevelUnknown HealthLevel = "Unknown"
	// LevelInfo is a condition that requires no action.
	LevelInfo HealthLevel = "Info"
	// LevelWarning is a condition that may become a problem.
	LevelWarning HealthLevel = "Warning"
	// LevelError is a condition that is a problem.
	LevelError HealthLevel = "Error"
	// LevelCritical is a condition that threatens the cluster or its workloads.
	LevelCritical HealthLevel = "Critical"
)

// ImpactType is the kind of effect that a condition has.
// +kubebuilder:validation:Enum=None;Unknown;APIAvailability;ClusterCapacity;ApplicationAvailability;ApplicationOutage;DataLoss;UpdateSpeed;UpdateStalled
type ImpactType string

const (
	// ImpactNone is no effect.
	ImpactNone ImpactType = "None"
	// ImpactUnknown is an unknown effect.
	ImpactUnknown ImpactType = "Unknown"
	// ImpactAPIAvailability is an API that may be unavailable.
	ImpactAPIAvailability ImpactType = "APIAvailability"
	// ImpactClusterCapacity is a cluster with less capacity for workloads.
	ImpactClusterCapacity ImpactType = "ClusterCapacity"
	// ImpactApplicationAvailability is an application with less redundancy.
	ImpactApplicationAvailability ImpactType = "ApplicationAvailability"
	// ImpactApplicationOutage is an application that is unavailable.
	ImpactApplicationOutage ImpactType = "ApplicationOutage"
	// ImpactDataLoss is data that may be lost.
	ImpactDataLoss ImpactType = "DataLoss"
	// ImpactUpdateSpeed is an update that is slower than usual.
	ImpactUpdateSpeed ImpactType = "UpdateSpeed"
	// ImpactUpdateStalled is an update, or a part of it, that makes no progress.
	ImpactUpdateStalled ImpactType = "UpdateStalled"
)

// HealthImpact is the effect of a condition on the cluster or its update.
type HealthImpact struct {
	// level is the severity of the condition.
	// +required
	Level HealthLevel `json:"level,omitempty"`

	// type is the kind of effect.
	// +required
	Type ImpactType `json:"type,omitempty"`

	// summary describes the condition in one line.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Summary string `json:"summary,omitempty"`

	// description describes the condition in full.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	Description string `json:"description,omitempty"`
}

// HealthRemediation is what an administrator can do about a condition.
type HealthRemediation struct {
	// reference is the URL of a page about the condition.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^https?://[^\s/]+\S*$`
	Reference string `json:"reference,omitempty"`

	// commands help with the condition, the first one first. They are absent when there are none, as for an alert, whose page says
	// what to do.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	Commands []Command `json:"commands,omitempty"`
}

// CommandEffect is what a command does to the cluster.
// +kubebuilder:validation:Enum=Reads;Changes
type CommandEffect string

const (
	// CommandReads is a command that changes nothing.
	CommandReads CommandEffect = "Reads"
	// CommandChanges is a command that changes the cluster.
	CommandChanges CommandEffect = "Changes"
)

// Command is a command that an administrator may run. It is no text for a shell: nothing in it has to be quoted.
type Command struct {
	// argv are the command and its arguments. The command is oc.
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	// +kubebuilder:validation:items:Pattern=`^[ -~]*$`
	Argv []string `json:"argv,omitempty"`

	// effect is whether the command changes the cluster, or only reads it.
	// +required
	Effect CommandEffect `json:"effect,omitempty"`

	// cluster is the cluster in which to run the command, for what is about a hosted cluster.
	// +optional
	Cluster ResourceCluster `json:"cluster,omitempty"`
}
