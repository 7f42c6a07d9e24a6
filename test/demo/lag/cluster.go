package lag

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/test/actors"
)

// Cluster is the objects of a played cluster, as they were written last.
type Cluster struct {
	objects map[objectKey]actors.Object
	order   []objectKey
}

type objectKey struct {
	kind, name string
}

// NewCluster returns a cluster of some objects.
func NewCluster(objects []actors.Object) *Cluster {
	cluster := &Cluster{objects: map[objectKey]actors.Object{}}
	for _, object := range objects {
		cluster.Put(object)
	}
	return cluster
}

// Put takes note of an object that was written. It is not copied.
func (c *Cluster) Put(object actors.Object) {
	key := objectKey{kind: object.GetObjectKind().GroupVersionKind().Kind, name: object.GetName()}
	if _, known := c.objects[key]; !known {
		c.order = append(c.order, key)
	}
	c.objects[key] = object
}

// States returns what is to be said of the cluster.
func (c *Cluster) States() States {
	states := States{}
	// What is asked for does not depend on the time.
	for _, message := range assess.Cluster(c.input(), time.Time{}) {
		for _, report := range message.Reports {
			for at := range report.Insights {
				states.add(&report.Insights[at].Insight)
			}
		}
	}
	return states
}

func (c *Cluster) input() assess.ClusterInput {
	var input assess.ClusterInput
	for _, key := range c.order {
		switch object := c.objects[key].(type) {
		case *configv1.ClusterVersion:
			input.ClusterVersion = object
		case *configv1.ClusterOperator:
			input.ClusterOperators = append(input.ClusterOperators, object)
		case *appsv1.Deployment:
			input.MachineConfigOperator = object
		case *machineconfigv1.MachineConfigPool:
			input.MachineConfigPools = append(input.MachineConfigPools, object)
		case *machineconfigv1.MachineConfig:
			config := &metav1.PartialObjectMetadata{TypeMeta: object.TypeMeta, ObjectMeta: object.ObjectMeta}
			input.MachineConfigs = append(input.MachineConfigs, config)
		case *corev1.Node:
			input.Nodes = append(input.Nodes, object)
		}
	}
	return input
}
