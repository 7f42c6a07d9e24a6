package nodes

import (
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// isSame returns whether two states of a trimmed object are assessed alike.
func isSame(before, after any) bool {
	if a, isNode := before.(*corev1.Node); isNode {
		b, isNode := after.(*corev1.Node)
		return isNode && isSameNode(a, b)
	}
	return reflect.DeepEqual(assessedFields(before), assessedFields(after))
}

// isSameNode compares what assess.Trim keeps. It is called for each heartbeat, and reflection takes several times as long for maps.
func isSameNode(a, b *corev1.Node) bool {
	return maps.Equal(a.Labels, b.Labels) && maps.Equal(a.Annotations, b.Annotations) &&
		reflect.DeepEqual(a.Spec, b.Spec) && reflect.DeepEqual(a.Status, b.Status)
}

// assessedFields returns what assessments read of a trimmed object.
func assessedFields(obj any) any {
	switch full := obj.(type) {
	case *machineconfigv1.MachineConfigPool:
		return []any{full.Spec, full.Status.Conditions}
	case *metav1.PartialObjectMetadata:
		return full.Annotations
	case *machineconfigv1.MachineConfigNode:
		return []any{full.Spec, full.Status}
	case *configv1.ClusterVersion:
		return assess.TargetOf(full)
	default:
		return obj
	}
}
