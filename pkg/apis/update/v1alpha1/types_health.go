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
	// ReferenceMaxLength bounds a reference.
	ReferenceMaxLength = 512
	// ScopeMaxResources bounds the resources of a scope.
	ScopeMaxResources = 16
)

// HealthInsight is what needs an administrator's attention.
type HealthInsight struct {
	// startedAt is when the condition began. It is absent when that is not known.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`

	// scope is what the condition is about.
	// +required
	Scope HealthScope `json:"scope"`

	// impact is what the condition does to the cluster or its update.
	// +required
	Impact HealthImpact `json:"impact"`

	// remediation is what an administrator can do about it.
	// +required
	Remediation HealthRemediation `json:"remediation"`
}

// HealthScope is what a health insight is about.
type HealthScope struct {
	// type is the part of the cluster.
	// +required
	Type ScopeType `json:"type"`

	// resources are the resources involved.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	Resources []ResourceRef `json:"resources,omitempty"`
}

// HealthLevel is how serious a condition is.
// +kubebuilder:validation:Enum=Unknown;Info;Warning;Error;Critical
type HealthLevel string

const (
	// LevelUnknown is a condition whose seriousness can't be told.
	LevelUnknown HealthLevel = "Unknown"
	// LevelInfo is a condition that is good to know.
	LevelInfo HealthLevel = "Info"
	// LevelWarning is a condition that may become a problem.
	LevelWarning HealthLevel = "Warning"
	// LevelError is a condition that is a problem.
	LevelError HealthLevel = "Error"
	// LevelCritical is a condition that threatens the cluster or its workloads.
	LevelCritical HealthLevel = "Critical"
)

// ImpactType is the kind of harm that a condition does.
// +kubebuilder:validation:Enum=None;Unknown;API Availability;Cluster Capacity;Application Availability;Application Outage;Data Loss;Update Speed;Update Stalled
type ImpactType string

const (
	// ImpactNone is no harm.
	ImpactNone ImpactType = "None"
	// ImpactUnknown is harm that can't be told.
	ImpactUnknown ImpactType = "Unknown"
	// ImpactAPIAvailability is an API that may not answer.
	ImpactAPIAvailability ImpactType = "API Availability"
	// ImpactClusterCapacity is a cluster that can run less.
	ImpactClusterCapacity ImpactType = "Cluster Capacity"
	// ImpactApplicationAvailability is an application with less redundancy.
	ImpactApplicationAvailability ImpactType = "Application Availability"
	// ImpactApplicationOutage is an application that does not serve.
	ImpactApplicationOutage ImpactType = "Application Outage"
	// ImpactDataLoss is data that may be lost.
	ImpactDataLoss ImpactType = "Data Loss"
	// ImpactUpdateSpeed is an update that takes longer.
	ImpactUpdateSpeed ImpactType = "Update Speed"
	// ImpactUpdateStalled is an update, or a part of it, that does not go on.
	ImpactUpdateStalled ImpactType = "Update Stalled"
)

// HealthImpact is what a condition does to the cluster or its update.
type HealthImpact struct {
	// level is how serious it is.
	// +required
	Level HealthLevel `json:"level"`

	// type is the kind of harm.
	// +required
	Type ImpactType `json:"type"`

	// summary says in a line what is wrong.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Summary string `json:"summary"`

	// description says in full what is wrong.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Description string `json:"description,omitempty"`
}

// HealthRemediation is what an administrator can do about a condition.
type HealthRemediation struct {
	// reference is the URL of a page that helps.
	// +required
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^https?://[^\s/]+\S*$`
	Reference string `json:"reference"`

	// estimatedFinish is when the condition is expected to be over by itself, if that is known.
	// +optional
	EstimatedFinish *metav1.Time `json:"estimatedFinish,omitempty"`
}
