package nodes

import (
	"reflect"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
)

const (
	// allKey is the key of an assessment of all nodes and pools. Resyncs of the factory queue it too.
	allKey = factory.DefaultQueueKey
	// nodePrefix is that of the key of a node.
	nodePrefix = "node/"
	// drainPrefix is that of the key of a node whose drain blockers were read.
	drainPrefix = "drain/"
	// pendingChangesKey is the key of all changes that concern some nodes.
	pendingChangesKey = "pending-changes"
	// batchDelay is how long such changes wait for more: rendered MachineConfigs, and the pools that get them, come in bursts.
	batchDelay = 100 * time.Millisecond
)

// changeQueue queues the keys of what changed. One key stands for all changes that concern some nodes: a cluster of many
// pools has thousands of MachineConfigs, and they come one by one.
type changeQueue struct {
	mu      sync.Mutex
	pending pendingChanges
}

// pendingChanges are the names of MachineConfigPools that changed and have the same nodes, and of MachineConfigs.
type pendingChanges struct {
	pools, configs map[string]bool
}

func newPendingChanges() pendingChanges {
	return pendingChanges{pools: map[string]bool{}, configs: map[string]bool{}}
}

func newChangeQueue() *changeQueue {
	return &changeQueue{pending: newPendingChanges()}
}

// take returns all changes since it was called last.
func (q *changeQueue) take() pendingChanges {
	q.mu.Lock()
	defer q.mu.Unlock()
	taken := q.pending
	q.pending = newPendingChanges()
	return taken
}

// keyFor returns the queue key of an object that was added or deleted (it may be a tombstone), or changed. A node, and its
// MachineConfigNode, concern the node and its pool, a MachineConfig the nodes that name it; which pools there are, and the ClusterVersion, concern every
// node.
func (q *changeQueue) keyFor(obj any) string {
	if tombstone, deleted := obj.(cache.DeletedFinalStateUnknown); deleted {
		obj = tombstone.Obj
	}
	switch full := obj.(type) {
	case *corev1.Node:
		return nodePrefix + full.Name
	case *machineconfigv1.MachineConfigNode:
		return nodePrefix + full.Name
	case *metav1.PartialObjectMetadata:
		return q.add(func(pending pendingChanges) { pending.configs[full.Name] = true })
	default:
		return allKey
	}
}

// keyForChange returns the queue key of an object that was changed. A pool that has the same nodes concerns these.
func (q *changeQueue) keyForChange(before, after any) string {
	if pool, isPool := after.(*machineconfigv1.MachineConfigPool); isPool {
		old, wasPool := before.(*machineconfigv1.MachineConfigPool)
		if wasPool && reflect.DeepEqual(old.Spec.NodeSelector, pool.Spec.NodeSelector) {
			return q.add(func(pending pendingChanges) { pending.pools[pool.Name] = true })
		}
	}
	return q.keyFor(after)
}

func (q *changeQueue) add(change func(pendingChanges)) (key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	change(q.pending)
	return pendingChangesKey
}

// nodeOf returns the name of the node that a key is about, and whether it is to be assessed though it has not changed.
func nodeOf(key string) (node string, isForced, isNode bool) {
	if node, isNode = strings.CutPrefix(key, drainPrefix); isNode {
		return node, true, true
	}
	node, isNode = strings.CutPrefix(key, nodePrefix)
	return node, false, isNode
}

// handler queues the keys of what changed. A heartbeat of a node, the status of a pool, a step of the ClusterVersion
// change nothing that is assessed, and queue nothing.
func (q *changeQueue) handler(enqueue func(key string)) cache.ResourceEventHandler {
	queue := func(obj any) { enqueue(q.keyFor(obj)) }
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    queue,
		DeleteFunc: queue,
		UpdateFunc: func(before, after any) {
			if !isSame(before, after) {
				enqueue(q.keyForChange(before, after))
			}
		},
	}
}
