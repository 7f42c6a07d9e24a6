package assess

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
)

// Trim drops from an object, before it is cached, what no assessment reads. Conditions and annotations that only a health check
// reads are those that its row declares. It is a cache.TransformFunc; objects of other kinds pass as they are.
func Trim(obj any) (any, error) {
	switch full := obj.(type) {
	case *configv1.ClusterVersion:
		return trimClusterVersion(full), nil
	case *configv1.ClusterOperator:
		return trimClusterOperator(full), nil
	case *appsv1.Deployment:
		return trimDeployment(full), nil
	case *corev1.Node:
		return trimNode(full), nil
	case *machineconfigv1.MachineConfigPool:
		return trimPool(full), nil
	case *metav1.PartialObjectMetadata:
		return trimMachineConfig(full), nil
	case *machineconfigv1.MachineConfigNode:
		return trimMachineConfigNode(full), nil
	default:
		return obj, nil
	}
}

func trimMeta(full metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: full.Name, Namespace: full.Namespace, UID: full.UID, ResourceVersion: full.ResourceVersion}
}

func trimClusterVersion(full *configv1.ClusterVersion) *configv1.ClusterVersion {
	trimmed := &configv1.ClusterVersion{ObjectMeta: trimMeta(full.ObjectMeta)}
	trimmed.Annotations = versionReads.annotations(full.Annotations)
	trimmed.Status.Desired = configv1.Release{Version: full.Status.Desired.Version, Image: full.Status.Desired.Image}
	trimmed.Status.History = full.Status.History
	trimmed.Status.Conditions = trimConditions(full.Status.Conditions, versionReads)
	return trimmed
}

// releaseAnnotations is in the names of the annotations with which a manifest says in which clusters it is installed.
const releaseAnnotations = "release.openshift.io/"

func trimClusterOperator(full *configv1.ClusterOperator) *configv1.ClusterOperator {
	trimmed := &configv1.ClusterOperator{ObjectMeta: trimMeta(full.ObjectMeta)}
	trimmed.Annotations = operatorReads.annotations(full.Annotations)
	for key, value := range full.Annotations {
		if strings.Contains(key, releaseAnnotations) {
			trimmed.Annotations[key] = value
		}
	}
	trimmed.Status.Versions = full.Status.Versions
	trimmed.Status.Conditions = trimConditions(full.Status.Conditions, operatorReads)
	return trimmed
}

func trimConditions(full []configv1.ClusterOperatorStatusCondition, read Reads) []configv1.ClusterOperatorStatusCondition {
	var trimmed []configv1.ClusterOperatorStatusCondition
	for _, condition := range full {
		if slices.Contains(read.Conditions, string(condition.Type)) {
			trimmed = append(trimmed, condition)
		}
	}
	return trimmed
}

func trimDeployment(full *appsv1.Deployment) *appsv1.Deployment {
	trimmed := &appsv1.Deployment{ObjectMeta: trimMeta(full.ObjectMeta)}
	for _, container := range full.Spec.Template.Spec.Containers {
		trimmed.Spec.Template.Spec.Containers = append(trimmed.Spec.Template.Spec.Containers,
			corev1.Container{Name: container.Name, Image: container.Image})
	}
	return trimmed
}

func trimNode(full *corev1.Node) *corev1.Node {
	trimmed := &corev1.Node{ObjectMeta: trimMeta(full.ObjectMeta)}
	trimmed.Labels = full.Labels
	trimmed.Annotations = nodeReads.annotations(full.Annotations)
	trimmed.Spec.Unschedulable = full.Spec.Unschedulable
	for _, taint := range full.Spec.Taints {
		if taint.Key == corev1.TaintNodeUnschedulable {
			trimmed.Spec.Taints = append(trimmed.Spec.Taints, taint)
		}
	}
	for _, condition := range full.Status.Conditions {
		if slices.Contains(nodeReads.Conditions, string(condition.Type)) {
			condition.LastHeartbeatTime = metav1.Time{}
			trimmed.Status.Conditions = append(trimmed.Status.Conditions, condition)
		}
	}
	return trimmed
}

func trimPool(full *machineconfigv1.MachineConfigPool) *machineconfigv1.MachineConfigPool {
	trimmed := &machineconfigv1.MachineConfigPool{ObjectMeta: trimMeta(full.ObjectMeta)}
	trimmed.Annotations = poolReads.annotations(full.Annotations)
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

func trimMachineConfig(full *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata {
	trimmed := &metav1.PartialObjectMetadata{TypeMeta: full.TypeMeta, ObjectMeta: trimMeta(full.ObjectMeta)}
	trimmed.Annotations = Reads{Annotations: []string{ReleaseVersionAnnotation}}.annotations(full.Annotations)
	return trimmed
}
