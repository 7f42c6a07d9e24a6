package nodes

import (
	"maps"
	"reflect"
	"strings"
	"sync"
	"time"

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
	// something is the key of the changes that concern some nodes.
	something = "something"
	// gathering is for how long such changes gather: rendered MachineConfigs, and the pools that get them, come in bursts.
	gathering = 100 * time.Millisecond
)

// changes are those that concern some nodes. One key stands for all that there are when its turn comes: a cluster of many
// pools has thousands of MachineConfigs, and they come one by one.
type changes struct {
	changed

	mu sync.Mutex
}

// changed is what has changed: the names of MachineConfigPools that have the nodes that they had, and of MachineConfigs.
type changed struct {
	pools, configs map[string]bool
}

func noneChanged() changed {
	return changed{pools: map[string]bool{}, configs: map[string]bool{}}
}

func newChanges() *changes {
	return &changes{changed: noneChanged()}
}

// take returns all changes since it was called last.
func (c *changes) take() changed {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.changed
	c.changed = noneChanged()
	return taken
}

// keyFor returns the queue key of an object that was added or deleted (it may be a tombstone), or changed. A node concerns
// itself and its pool, a MachineConfig the nodes that name it; which pools there are, and what the ClusterVersion says,
// concerns every node.
func (c *changes) keyFor(obj any) string {
	if tombstone, deleted := obj.(cache.DeletedFinalStateUnknown); deleted {
		obj = tombstone.Obj
	}
	switch full := obj.(type) {
	case *corev1.Node:
		return nodePrefix + full.Name
	case *metav1.PartialObjectMetadata:
		return c.note(func() { c.configs[full.Name] = true })
	default:
		return everything
	}
}

// keyForChange returns the queue key of an object that was changed. A pool that has the same nodes concerns these.
func (c *changes) keyForChange(before, after any) string {
	if pool, isPool := after.(*machineconfigv1.MachineConfigPool); isPool {
		old, wasPool := before.(*machineconfigv1.MachineConfigPool)
		if wasPool && reflect.DeepEqual(old.Spec.NodeSelector, pool.Spec.NodeSelector) {
			return c.note(func() { c.pools[pool.Name] = true })
		}
	}
	return c.keyFor(after)
}

func (c *changes) note(change func()) (key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	return something
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
func (c *changes) handler(enqueue func(key string)) cache.ResourceEventHandler {
	queue := func(obj any) { enqueue(c.keyFor(obj)) }
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    queue,
		DeleteFunc: queue,
		UpdateFunc: func(before, after any) {
			if !isSame(before, after) {
				enqueue(c.keyForChange(before, after))
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
