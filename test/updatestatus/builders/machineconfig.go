package builders

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
)

// AnnotationReleaseVersion is the annotation of a rendered MachineConfig that names its release.
const AnnotationReleaseVersion = "machineconfiguration.openshift.io/release-image-version"

// labelRolePrefix begins the labels of a node that name its roles.
const labelRolePrefix = "node-role.kubernetes.io/"

// MachineConfigOption changes a MachineConfig.
type MachineConfigOption func(*machineconfigv1.MachineConfig)

// MachineConfig returns a rendered MachineConfig of a release; without a version, one of no release.
func MachineConfig(name, version string, options ...MachineConfigOption) *machineconfigv1.MachineConfig {
	config := &machineconfigv1.MachineConfig{
		TypeMeta:   metav1.TypeMeta{APIVersion: machineconfigv1.GroupVersion.String(), Kind: "MachineConfig"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
	}
	if version != "" {
		config.Annotations = map[string]string{AnnotationReleaseVersion: version}
	}
	for _, option := range options {
		option(config)
	}
	return config
}

// MachineConfigPoolOption changes a MachineConfigPool.
type MachineConfigPoolOption func(*machineconfigv1.MachineConfigPool)

// MachineConfigPool returns a pool that selects the nodes with the role of its name and has no configuration yet.
func MachineConfigPool(name string, options ...MachineConfigPoolOption) *machineconfigv1.MachineConfigPool {
	pool := &machineconfigv1.MachineConfigPool{
		TypeMeta: metav1.TypeMeta{APIVersion: machineconfigv1.GroupVersion.String(), Kind: "MachineConfigPool"},
		ObjectMeta: metav1.ObjectMeta{
			Name:   name,
			Labels: map[string]string{"pools.operator.machineconfiguration.openshift.io/" + name: ""},
		},
		Spec: machineconfigv1.MachineConfigPoolSpec{
			MachineConfigSelector: &metav1.LabelSelector{
				MatchLabels: map[string]string{"machineconfiguration.openshift.io/role": name},
			},
			NodeSelector: &metav1.LabelSelector{MatchLabels: map[string]string{labelRolePrefix + name: ""}},
		},
		Status: machineconfigv1.MachineConfigPoolStatus{ObservedGeneration: 1}, // the Machine Config Operator has seen it
	}
	for _, option := range options {
		option(pool)
	}
	return pool
}

// Configuration sets the rendered MachineConfig that the pool wants on its nodes.
func Configuration(name string) MachineConfigPoolOption {
	return func(pool *machineconfigv1.MachineConfigPool) {
		pool.Spec.Configuration.Name = name
	}
}

// PoolCondition sets a condition of the pool.
func PoolCondition(kind machineconfigv1.MachineConfigPoolConditionType, status corev1.ConditionStatus, message string) MachineConfigPoolOption {
	return func(pool *machineconfigv1.MachineConfigPool) {
		pool.Status.Conditions = append(pool.Status.Conditions, machineconfigv1.MachineConfigPoolCondition{Type: kind, Status: status, Message: message})
	}
}

// Selector sets which nodes the pool selects; nil selects none.
func Selector(selector *metav1.LabelSelector) MachineConfigPoolOption {
	return func(pool *machineconfigv1.MachineConfigPool) {
		pool.Spec.NodeSelector = selector
	}
}

// Paused pauses the pool.
func Paused() MachineConfigPoolOption {
	return func(pool *machineconfigv1.MachineConfigPool) {
		pool.Spec.Paused = true
	}
}

// MaxUnavailable sets how many of the pool's nodes are updated at once.
func MaxUnavailable(nodes int) MachineConfigPoolOption {
	return func(pool *machineconfigv1.MachineConfigPool) {
		value := intstr.FromInt32(int32(nodes))
		pool.Spec.MaxUnavailable = &value
	}
}
