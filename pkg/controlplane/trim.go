package controlplane

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
)

// Trim drops from an object, before it is cached, what no assessment reads. It is a cache.TransformFunc; objects of
// other kinds pass as they are.
func Trim(obj any) (any, error) {
	switch full := obj.(type) {
	case *configv1.ClusterVersion:
		return trimClusterVersion(full), nil
	case *configv1.ClusterOperator:
		return trimClusterOperator(full), nil
	case *appsv1.Deployment:
		return trimDeployment(full), nil
	default:
		return obj, nil
	}
}

func trimMeta(full metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: full.Name, Namespace: full.Namespace, UID: full.UID, ResourceVersion: full.ResourceVersion,
	}
}

func trimClusterVersion(full *configv1.ClusterVersion) *configv1.ClusterVersion {
	return &configv1.ClusterVersion{
		ObjectMeta: trimMeta(full.ObjectMeta),
		Status: configv1.ClusterVersionStatus{
			Desired:    configv1.Release{Version: full.Status.Desired.Version, Image: full.Status.Desired.Image},
			History:    full.Status.History,
			Conditions: full.Status.Conditions,
		},
	}
}

func trimClusterOperator(full *configv1.ClusterOperator) *configv1.ClusterOperator {
	trimmed := &configv1.ClusterOperator{
		ObjectMeta: trimMeta(full.ObjectMeta),
		Status: configv1.ClusterOperatorStatus{
			Conditions: full.Status.Conditions,
			Versions:   full.Status.Versions,
		},
	}
	for key, value := range full.Annotations {
		if !strings.Contains(key, "release.openshift.io/") {
			continue
		}
		if trimmed.Annotations == nil {
			trimmed.Annotations = map[string]string{}
		}
		trimmed.Annotations[key] = value
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

// withoutVersion returns a copy of an object of ours without its resource version. It shares the rest.
func withoutVersion(obj any) any {
	switch full := obj.(type) {
	case *configv1.ClusterVersion:
		bare := *full
		bare.ResourceVersion = ""
		return &bare
	case *configv1.ClusterOperator:
		bare := *full
		bare.ResourceVersion = ""
		return &bare
	case *appsv1.Deployment:
		bare := *full
		bare.ResourceVersion = ""
		return &bare
	default:
		return obj
	}
}
