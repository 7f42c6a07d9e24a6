package insight

import (
	"strings"

	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// ControlPlaneNamespace returns the namespace of the management cluster in which the control plane of a hosted cluster runs.
func ControlPlaneNamespace(of types.NamespacedName) string {
	return of.Namespace + "-" + strings.ReplaceAll(of.Name, ".", "-")
}

// ToHosted returns a status as the object of a hosted cluster has it, and FromHosted the other way round. Elsewhere the status of a hosted
// cluster is like that of any other. They share the insights.
func ToHosted(status *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.HostedClusterUpdateStatusStatus {
	return &updatev1alpha1.HostedClusterUpdateStatusStatus{
		Conditions: status.Conditions, ObservedGeneration: status.ObservedGeneration, ControlPlane: status.ControlPlane, NodePools: status.WorkerPools,
	}
}

// FromHosted returns the status that the object of a hosted cluster has.
func FromHosted(hosted *updatev1alpha1.HostedClusterUpdateStatusStatus) *updatev1alpha1.UpdateStatusStatus {
	return &updatev1alpha1.UpdateStatusStatus{
		Conditions: hosted.Conditions, ObservedGeneration: hosted.ObservedGeneration, ControlPlane: hosted.ControlPlane, WorkerPools: hosted.NodePools,
	}
}
