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

// ToHosted returns a status as the object of a hosted cluster has it. Elsewhere the status of a hosted cluster is like that of any
// other. It shares the insights, as FromHosted does.
func ToHosted(status *updatev1alpha1.UpdateStatusStatus) *updatev1alpha1.HostedClusterUpdateStatusStatus {
	hosted := &updatev1alpha1.HostedClusterUpdateStatusStatus{Conditions: status.Conditions}
	if cp := status.ControlPlane; cp != nil {
		hosted.ControlPlane = &updatev1alpha1.HostedControlPlane{Resource: cp.Resource, Conditions: cp.Conditions, Informers: cp.Informers}
	}
	for _, pool := range status.WorkerPools {
		hosted.NodePools = append(hosted.NodePools, updatev1alpha1.NodePool(pool))
	}
	return hosted
}

// FromHosted returns the status that the object of a hosted cluster has.
func FromHosted(hosted *updatev1alpha1.HostedClusterUpdateStatusStatus) *updatev1alpha1.UpdateStatusStatus {
	status := &updatev1alpha1.UpdateStatusStatus{Conditions: hosted.Conditions}
	if cp := hosted.ControlPlane; cp != nil {
		status.ControlPlane = &updatev1alpha1.ControlPlane{Resource: cp.Resource, Conditions: cp.Conditions, Informers: cp.Informers}
	}
	for _, pool := range hosted.NodePools {
		status.WorkerPools = append(status.WorkerPools, updatev1alpha1.WorkerPool(pool))
	}
	return status
}
