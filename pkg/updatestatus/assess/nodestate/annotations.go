package nodestate

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// The annotations that the Machine Config Operator and its daemon set on nodes
// (openshift/machine-config-operator, pkg/daemon/constants).
const (
	annotationPrefix = "machineconfiguration.openshift.io/"

	// CurrentConfigAnnotation names the MachineConfig that a node runs.
	CurrentConfigAnnotation = annotationPrefix + "currentConfig"
	// DesiredConfigAnnotation names the MachineConfig that a node should run.
	DesiredConfigAnnotation = annotationPrefix + "desiredConfig"
	// CurrentImageAnnotation is the operating system image that a node in image mode runs.
	CurrentImageAnnotation = annotationPrefix + "currentImage"
	// DesiredImageAnnotation is the operating system image that a node in image mode should run.
	DesiredImageAnnotation = annotationPrefix + "desiredImage"
	// StateAnnotation is the state of the Machine Config Daemon.
	StateAnnotation = annotationPrefix + "state"
	// ReasonAnnotation is why the daemon failed.
	ReasonAnnotation = annotationPrefix + "reason"
	// DesiredDrainAnnotation is the drain or uncordon that the daemon requests.
	DesiredDrainAnnotation = annotationPrefix + "desiredDrain"
	// LastAppliedDrainAnnotation is the last drain or uncordon that was completed.
	LastAppliedDrainAnnotation = annotationPrefix + "lastAppliedDrain"
	// PostConfigActionAnnotation is what the daemon does after it has applied a configuration: PostConfigActionRebooting from the
	// request of the reboot until the daemon runs again, which sets it to the empty string. Since 4.15; see pkg/daemon/update.go
	// (reboot) and pkg/daemon/daemon.go (syncNode).
	PostConfigActionAnnotation = annotationPrefix + "post-config-action"
)

// PostConfigActionRebooting is the value of PostConfigActionAnnotation while a node reboots.
const PostConfigActionRebooting = "Rebooting"

// The values of StateAnnotation that matter. The daemon defines StateRebooting and never writes it (pkg/daemon/constants): it is
// read from objects of unknown origin.
const (
	StateDone      = "Done"
	StateRebooting = "Rebooting"

	stateDegraded       = "Degraded"
	stateUnreconcilable = "Unreconcilable"
)

// The prefixes of DesiredDrainAnnotation and LastAppliedDrainAnnotation, before the name of the MachineConfig.
const (
	DrainVerb    = "drain-"
	UncordonVerb = "uncordon-"
)

var reads = assess.ReadsOf(Checks, assess.Reads{
	Conditions: []string{string(corev1.NodeReady)},
	Annotations: []string{
		CurrentConfigAnnotation, DesiredConfigAnnotation, CurrentImageAnnotation, DesiredImageAnnotation,
		StateAnnotation, DesiredDrainAnnotation, LastAppliedDrainAnnotation, PostConfigActionAnnotation,
	},
})

// toBeDeleted is the taint of a node that the autoscaler is about to delete (kubernetes/autoscaler,
// cluster-autoscaler/utils/taints/taints.go).
const toBeDeleted = "ToBeDeletedByClusterAutoscaler"

// taintsRead are the keys of the taints that are read.
var taintsRead = []string{corev1.TaintNodeUnschedulable, corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, toBeDeleted}

// IsLeaving returns whether a node is being deleted, or is to be.
func IsLeaving(node *corev1.Node) bool {
	return node.DeletionTimestamp != nil ||
		slices.ContainsFunc(node.Spec.Taints, func(taint corev1.Taint) bool { return taint.Key == toBeDeleted })
}

// Reads returns what is read of Nodes. It must not be changed.
func Reads() assess.Reads {
	return reads
}

// Trim drops from a Node what no assessment reads.
func Trim(full *corev1.Node) *corev1.Node {
	trimmed := &corev1.Node{ObjectMeta: assess.TrimMeta(full.ObjectMeta)}
	trimmed.CreationTimestamp, trimmed.Labels = full.CreationTimestamp, full.Labels
	trimmed.Annotations = reads.Pick(full.Annotations)
	trimmed.Spec.Unschedulable = full.Spec.Unschedulable
	trimmed.DeletionTimestamp = full.DeletionTimestamp
	for _, taint := range full.Spec.Taints {
		if slices.Contains(taintsRead, taint.Key) {
			trimmed.Spec.Taints = append(trimmed.Spec.Taints, taint)
		}
	}
	for _, condition := range full.Status.Conditions {
		if slices.Contains(reads.Conditions, string(condition.Type)) {
			condition.LastHeartbeatTime = metav1.Time{}
			trimmed.Status.Conditions = append(trimmed.Status.Conditions, condition)
		}
	}
	return trimmed
}

// WithKnownTimes returns a Node whose times that are not known are zero.
func WithKnownTimes(node *corev1.Node, now time.Time) *corev1.Node {
	return assess.WithKnownTimes(node, times, now)
}

func times(node *corev1.Node) []*metav1.Time {
	all := append(make([]*metav1.Time, 0, 1+len(node.Status.Conditions)+len(node.Spec.Taints)), &node.CreationTimestamp)
	for at := range node.Status.Conditions {
		all = append(all, &node.Status.Conditions[at].LastTransitionTime)
	}
	for at := range node.Spec.Taints {
		all = append(all, node.Spec.Taints[at].TimeAdded)
	}
	return all
}
