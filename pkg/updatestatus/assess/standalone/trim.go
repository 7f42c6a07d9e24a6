package standalone

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
)

// What assessments read, beside what their health checks declare.
var (
	versionReads = assess.ReadsOf(versionChecks, assess.Reads{Conditions: []string{string(configv1.OperatorProgressing)}})
	poolReads    = assess.ReadsOf(poolChecks, assess.Reads{Conditions: []string{string(machineconfigv1.MachineConfigPoolUpdating)}})
)

// What follows drops from objects, before they are cached, what no assessment reads. Conditions and annotations that only a health check
// reads are those that its row declares.

// TrimClusterVersion returns what is read of an object.
func TrimClusterVersion(full *configv1.ClusterVersion) *configv1.ClusterVersion {
	trimmed := &configv1.ClusterVersion{ObjectMeta: assess.TrimMeta(full.ObjectMeta)}
	trimmed.Generation, trimmed.Status.ObservedGeneration = full.Generation, full.Status.ObservedGeneration
	trimmed.Annotations = versionReads.Pick(full.Annotations)
	trimmed.Spec.DesiredUpdate, trimmed.Spec.Overrides = full.Spec.DesiredUpdate, unmanaged(full.Spec.Overrides)
	trimmed.Status.Desired = configv1.Release{
		Version: full.Status.Desired.Version, Image: full.Status.Desired.Image, Architecture: full.Status.Desired.Architecture,
	}
	trimmed.Status.History = full.Status.History
	trimmed.Status.Conditions = controlplane.TrimConditions(full.Status.Conditions, versionReads)
	return trimmed
}

// TrimDeployment returns what is read of an object.
func TrimDeployment(full *appsv1.Deployment) *appsv1.Deployment {
	trimmed := &appsv1.Deployment{ObjectMeta: assess.TrimMeta(full.ObjectMeta)}
	for _, container := range full.Spec.Template.Spec.Containers {
		trimmed.Spec.Template.Spec.Containers = append(trimmed.Spec.Template.Spec.Containers,
			corev1.Container{Name: container.Name, Image: container.Image})
	}
	return trimmed
}

// TrimPool returns what is read of an object.
func TrimPool(full *machineconfigv1.MachineConfigPool) *machineconfigv1.MachineConfigPool {
	trimmed := &machineconfigv1.MachineConfigPool{ObjectMeta: assess.TrimMeta(full.ObjectMeta)}
	trimmed.Annotations = poolReads.Pick(full.Annotations)
	trimmed.Generation, trimmed.Status.ObservedGeneration = full.Generation, full.Status.ObservedGeneration
	trimmed.Spec.NodeSelector = full.Spec.NodeSelector
	trimmed.Spec.Paused = full.Spec.Paused
	trimmed.Spec.MaxUnavailable = full.Spec.MaxUnavailable
	trimmed.Spec.Configuration.Name = full.Spec.Configuration.Name
	for _, condition := range full.Status.Conditions {
		if slices.Contains(poolReads.Conditions, string(condition.Type)) {
			trimmed.Status.Conditions = append(trimmed.Status.Conditions, condition)
		}
	}
	return trimmed
}

// TrimMachineConfig returns what is read of an object.
func TrimMachineConfig(full *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata {
	trimmed := &metav1.PartialObjectMetadata{TypeMeta: full.TypeMeta, ObjectMeta: assess.TrimMeta(full.ObjectMeta)}
	trimmed.CreationTimestamp = full.CreationTimestamp
	trimmed.Annotations = assess.Reads{Annotations: []string{ReleaseVersionAnnotation}}.Pick(full.Annotations)
	return trimmed
}
