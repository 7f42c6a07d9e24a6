package nodes

import (
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// Trim drops from an object, before it is cached, what no assessment reads: rules read of a Node what this file keeps. It is
// a cache.TransformFunc; objects of other kinds pass as they are.
func Trim(obj any) (any, error) {
	switch full := obj.(type) {
	case *corev1.Node:
		return trimNode(full), nil
	case *machineconfigv1.MachineConfigPool:
		return trimPool(full), nil
	case *metav1.PartialObjectMetadata:
		return trimMachineConfig(full), nil
	case *machineconfigv1.MachineConfigNode:
		return assess.TrimMachineConfigNode(full), nil
	default:
		return obj, nil
	}
}

func trimMeta(full metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: full.Name, UID: full.UID, ResourceVersion: full.ResourceVersion}
}

func trimNode(full *corev1.Node) *corev1.Node {
	trimmed := &corev1.Node{ObjectMeta: trimMeta(full.ObjectMeta)}
	trimmed.Labels = full.Labels
	trimmed.Annotations = pick(full.Annotations, assess.NodeAnnotations()...)
	trimmed.Spec.Unschedulable = full.Spec.Unschedulable
	for _, taint := range full.Spec.Taints {
		if taint.Key == corev1.TaintNodeUnschedulable {
			trimmed.Spec.Taints = append(trimmed.Spec.Taints, taint)
		}
	}
	for _, condition := range full.Status.Conditions {
		if slices.Contains(assess.NodeConditions(), condition.Type) {
			condition.LastHeartbeatTime = metav1.Time{}
			trimmed.Status.Conditions = append(trimmed.Status.Conditions, condition)
		}
	}
	return trimmed
}

func trimPool(full *machineconfigv1.MachineConfigPool) *machineconfigv1.MachineConfigPool {
	trimmed := &machineconfigv1.MachineConfigPool{ObjectMeta: trimMeta(full.ObjectMeta)}
	trimmed.Spec.NodeSelector = full.Spec.NodeSelector
	trimmed.Spec.Paused = full.Spec.Paused
	trimmed.Spec.MaxUnavailable = full.Spec.MaxUnavailable
	trimmed.Spec.Configuration.Name = full.Spec.Configuration.Name
	for at := range full.Status.Conditions {
		if one := &full.Status.Conditions[at]; slices.Contains(assess.PoolConditions(), one.Type) {
			kept := machineconfigv1.MachineConfigPoolCondition{Type: one.Type, Message: one.Message}
			trimmed.Status.Conditions = append(trimmed.Status.Conditions, kept)
		}
	}
	return trimmed
}

func trimMachineConfig(full *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata {
	trimmed := &metav1.PartialObjectMetadata{TypeMeta: full.TypeMeta, ObjectMeta: trimMeta(full.ObjectMeta)}
	trimmed.Annotations = pick(full.Annotations, assess.ReleaseVersionAnnotation)
	return trimmed
}

func pick(from map[string]string, keys ...string) map[string]string {
	picked := make(map[string]string, len(keys))
	for _, key := range keys {
		if value, found := from[key]; found {
			picked[key] = value
		}
	}
	return picked
}

// isSame returns whether two states of a trimmed object are assessed alike.
func isSame(before, after any) bool {
	if a, isNode := before.(*corev1.Node); isNode {
		b, isNode := after.(*corev1.Node)
		return isNode && isSameNode(a, b)
	}
	return reflect.DeepEqual(assessedFields(before), assessedFields(after))
}

// isSameNode compares what Trim keeps. It is called for each heartbeat, and reflection takes several times as long for maps.
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
