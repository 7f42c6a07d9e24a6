package lag

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// Cluster is the objects of a played cluster, as they were written last.
type Cluster struct {
	objects map[objectKey]simulator.Object
	order   []objectKey
}

const (
	kindVersion    = "ClusterVersion"
	kindOperator   = "ClusterOperator"
	kindDeployment = "Deployment"

	kindNode              = "Node"
	kindMachineConfigNode = "MachineConfigNode"
)

type objectKey struct {
	kind, name string
}

// NewCluster returns a cluster of some objects.
func NewCluster(objects []simulator.Object) *Cluster {
	cluster := &Cluster{objects: map[objectKey]simulator.Object{}}
	for _, object := range objects {
		cluster.Put(object)
	}
	return cluster
}

// Put records an object that was written. It is not copied.
func (c *Cluster) Put(object simulator.Object) {
	key := objectKey{kind: object.GetObjectKind().GroupVersionKind().Kind, name: object.GetName()}
	if _, known := c.objects[key]; !known {
		c.order = append(c.order, key)
	}
	c.objects[key] = object
}

// Objects returns the objects, which must not be changed.
func (c *Cluster) Objects() []simulator.Object {
	var objects []simulator.Object
	for _, key := range c.order {
		objects = append(objects, c.objects[key])
	}
	return objects
}

// States returns the expected states of the cluster.
func (c *Cluster) States() States {
	return statesOf(c.Input())
}

// Write records a write, and returns the expected states of all subjects that it may have changed. It is much
// cheaper than States: most writes are about one subject.
func (c *Cluster) Write(write simulator.Write) States {
	c.Put(write.After)
	switch after := write.After.(type) {
	case *corev1.Node, *machineconfigv1.MachineConfigNode:
		input := c.input(func(kind string) bool {
			return kind != kindNode && kind != kindMachineConfigNode && kind != kindOperator
		})
		if node, known := c.objects[objectKey{kindNode, write.Name}].(*corev1.Node); known {
			input.Nodes = []*corev1.Node{node}
		}
		if reported, known := c.objects[objectKey{kindMachineConfigNode, write.Name}].(*machineconfigv1.MachineConfigNode); known {
			input.MachineConfigNodes = []*machineconfigv1.MachineConfigNode{reported}
		}
		return statesOf(input)
	case *configv1.ClusterOperator:
		input := c.input(func(kind string) bool { return kind == kindVersion || kind == kindDeployment })
		input.ClusterOperators = []*configv1.ClusterOperator{after}
		return statesOf(input)
	case *machineconfigv1.MachineConfigPool:
		if write.Status {
			// The counts of the Machine Config Operator are updated.
			return States{}
		}
	}
	return c.States()
}

func statesOf(input standalone.Input) States {
	states := States{}
	// What is asked for does not depend on the time.
	for _, message := range standalone.Assess(input, time.Time{}) {
		for _, report := range message.Reports {
			for at := range report.Insights {
				states.add(&report.Insights[at].Insight)
			}
		}
	}
	return states
}

// Input returns the cluster as the input of an assessment.
func (c *Cluster) Input() standalone.Input {
	return c.input(func(string) bool { return true })
}

func (c *Cluster) input(of func(kind string) bool) standalone.Input {
	var input standalone.Input
	for _, key := range c.order {
		if !of(key.kind) {
			continue
		}
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
		case *machineconfigv1.MachineConfigNode:
			input.MachineConfigNodes = append(input.MachineConfigNodes, object)
		}
	}
	return input
}
