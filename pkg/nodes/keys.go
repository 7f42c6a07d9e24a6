package nodes

import (
	"maps"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
	"github.com/openshift/library-go/pkg/controller/factory"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

const (
	// everything is the key of an assessment of all nodes and pools. Resyncs of the factory queue it too.
	everything = factory.DefaultQueueKey

	nodePrefix = "node/"
	// drainPrefix is for a node of whose drain something was read.
	drainPrefix = "drain/"
)

// keysFor returns the queue keys of an object that was added, changed or deleted (it may be a tombstone). A node concerns
// itself and its pool; what pools, MachineConfigs and the ClusterVersion say concerns every node.
func keysFor(obj any) []string {
	if tombstone, deleted := obj.(cache.DeletedFinalStateUnknown); deleted {
		obj = tombstone.Obj
	}
	if node, ok := obj.(*corev1.Node); ok {
		return []string{nodePrefix + node.Name}
	}
	return []string{everything}
}

// nodeOf returns the name of the node that a key is about, and whether there is news of it that the node itself does not
// show.
func nodeOf(key string) (node string, isNews, found bool) {
	if node, found = strings.CutPrefix(key, drainPrefix); found {
		return node, true, true
	}
	node, found = strings.CutPrefix(key, nodePrefix)
	return node, false, found
}

// handler queues the keys of what changed. A heartbeat of a node, the status of a pool, a step of the ClusterVersion
// change nothing that is assessed, and queue nothing.
func handler(enqueue func(key string)) cache.ResourceEventHandler {
	queue := func(obj any) {
		for _, key := range keysFor(obj) {
			enqueue(key)
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    queue,
		DeleteFunc: queue,
		UpdateFunc: func(before, after any) {
			if !isSame(before, after) {
				queue(after)
			}
		},
	}
}

// isSame is whether assessments read the same of two objects.
func isSame(before, after any) bool {
	if a, isNode := before.(*corev1.Node); isNode {
		b, isNode := after.(*corev1.Node)
		return isNode && isSameNode(a, b)
	}
	return reflect.DeepEqual(assessed(before), assessed(after))
}

// isSameNode compares what Trim keeps. It is asked with each heartbeat, and reflection takes several times as long for maps.
func isSameNode(a, b *corev1.Node) bool {
	return maps.Equal(a.Labels, b.Labels) && maps.Equal(a.Annotations, b.Annotations) &&
		reflect.DeepEqual(a.Spec, b.Spec) && reflect.DeepEqual(a.Status, b.Status)
}

// assessed returns what assessments read of an object.
func assessed(obj any) any {
	switch full := obj.(type) {
	case *machineconfigv1.MachineConfigPool:
		return full.Spec
	case *metav1.PartialObjectMetadata:
		return full.Annotations
	case *configv1.ClusterVersion:
		return assess.TargetOf(full)
	default:
		return obj
	}
}
