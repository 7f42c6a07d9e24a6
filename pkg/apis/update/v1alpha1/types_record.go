package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// UpdateRecord is what happened in an update, and when. There is one for each update of the cluster, named by its start and its
// target version; the Update Status Controller writes it during the update, and keeps the newest ten and the last one that
// completed.
//
// A time is known only if it was observed, or if an object of the cluster has it. What began or ended in a gap, in which
// the cluster was not observed, has no time.
//
// +genclient
// +genclient:nonNamespaced
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:metadata:annotations="kubernetes.io/description=What happened in an update of the cluster, and when."
// +kubebuilder:resource:path=updaterecords,scope=Cluster
// +kubebuilder:printcolumn:name="From",type=string,JSONPath=`.status.versions.previous`,description="The version before the update"
// +kubebuilder:printcolumn:name="To",type=string,JSONPath=`.status.versions.target`,description="The version of the update"
// +kubebuilder:printcolumn:name="Result",type=string,JSONPath=`.status.result`,description="How the update ended"
// +kubebuilder:printcolumn:name="Started",type=date,JSONPath=`.status.startedAt`,description="How long ago the update started"
// +kubebuilder:printcolumn:name="Control Plane",type=string,JSONPath=`.status.took.controlPlane`,description="How long the update of the control plane took"
// +kubebuilder:printcolumn:name="Total",type=string,JSONPath=`.status.took.total`,description="How long the whole update took, worker pools included"
type UpdateRecord struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// status is what happened.
	// +optional
	Status UpdateRecordStatus `json:"status,omitzero"`
}

// UpdateRecordList is a list of UpdateRecords.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:object:root=true
type UpdateRecordList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the UpdateRecords.
	Items []UpdateRecord `json:"items"`
}

// Limits of the lists of a record.
const (
	// RecordMaxOperators bounds the operators.
	RecordMaxOperators = 128
	// RecordMaxPools bounds the pools.
	RecordMaxPools = 64
	// RecordMaxNodes bounds the nodes.
	RecordMaxNodes = 100
	// RecordMaxEpisodes bounds the episodes.
	RecordMaxEpisodes = 64
	// RecordMaxGaps bounds the gaps.
	RecordMaxGaps = 64
	// RecordMaxDurations bounds the durations of a phase: they are that many quantiles.
	RecordMaxDurations = 16
	// RecordMaxProgress bounds the progress of a pool.
	RecordMaxProgress = 32
)

// UpdateResult is how an update ended.
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=64
type UpdateResult string

const (
	// ResultInProgress is an update that goes on.
	ResultInProgress UpdateResult = "InProgress"
	// ResultCompleted is an update after which the control plane and every node ran the target version.
	ResultCompleted UpdateResult = "Completed"
	// ResultPartial is an update that completed in the control plane, and was not observed to complete on every node before the
	// next update started.
	ResultPartial UpdateResult = "Partial"
	// ResultSuperseded is an update that had not completed in the control plane when the next one started. A cancelled update is
	// superseded by the one back.
	ResultSuperseded UpdateResult = "Superseded"
)

// UpdateRecordStatus is what happened in an update.
// +kubebuilder:validation:MinProperties=1
type UpdateRecordStatus struct {
	// RecordTimes are those of the whole update: from the start in the history of the control plane to the last node. Of an update that did not
	// complete, the end is when the next one started.
	RecordTimes `json:",inline"`

	// versions that the cluster was updated from and to.
	// +optional
	Versions SummaryVersions `json:"versions,omitzero"`

	// result is how the update ended. Known values are InProgress, Completed, Partial and Superseded.
	// +optional
	Result UpdateResult `json:"result,omitempty"`

	// controlPlane are the times of the control plane, as the ClusterVersion, or the HostedCluster, has them.
	// +optional
	ControlPlane RecordTimes `json:"controlPlane,omitzero"`

	// took is how long the parts took that have both times.
	// +optional
	Took RecordTook `json:"took,omitzero"`

	// expected is when the whole update was expected to be complete in its first ten minutes, as far as that was known then.
	// +optional
	Expected *SummaryEstimate `json:"expected,omitempty"`

	// observedAt is up to when the record is complete. The controller writes it when something has changed, at most once a
	// minute, and otherwise every ten minutes while the update goes on.
	// +optional
	ObservedAt *metav1.Time `json:"observedAt,omitempty"`

	// operators are the cluster operators that did not run the target version when they were first observed, or may not have, by
	// their start.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=128
	Operators []OperatorRecord `json:"operators,omitempty"`

	// pools are the pools of nodes that did not run the target version when they were first observed, or may not have, by their
	// start. Those of the control plane are included.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Pools []PoolRecord `json:"pools,omitempty"`

	// nodes are the nodes that took longest, the longest first: as many as fit, at most 100.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	Nodes []NodeRecord `json:"nodes,omitempty"`

	// episodes are the health insights during the update, by their start: at most 64, of more the worst and longest.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Episodes []EpisodeRecord `json:"episodes,omitempty"`

	// gaps are when the cluster was not observed, the first one first. Of more than 64, the nearest two are one.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Gaps []RecordGap `json:"gaps,omitempty"`
}

// RecordTimes are the start and the end of something.
type RecordTimes struct {
	// startedAt is when it started. It is absent if that is not known.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`

	// completedAt is when it ended. It is absent before, and if that is not known.
	// +optional
	CompletedAt *metav1.Time `json:"completedAt,omitempty"`

	// completedBy is a time by which it had ended, where completedAt is not known.
	// +optional
	CompletedBy *metav1.Time `json:"completedBy,omitempty"`
}

// RecordTook is how long an update took, as kubectl get prints it.
// +kubebuilder:validation:MinProperties=1
type RecordTook struct {
	// controlPlane is how long the control plane took.
	// +optional
	// +kubebuilder:validation:Format=duration
	ControlPlane *metav1.Duration `json:"controlPlane,omitempty"`

	// total is how long the whole update took.
	// +optional
	// +kubebuilder:validation:Format=duration
	Total *metav1.Duration `json:"total,omitempty"`
}
