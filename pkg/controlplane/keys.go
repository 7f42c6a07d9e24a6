package controlplane

import (
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/controller/factory"
)

const (
	// allKey is the key of an assessment of all objects. Resyncs of the factory queue it too.
	allKey = factory.DefaultQueueKey
	// clusterVersion is the key of the assessment of the control plane as a whole.
	clusterVersion = "clusterversion"

	operatorPrefix = "clusteroperator/"
)

// keysFor returns the queue keys of an object that was added, changed or deleted (it may be a tombstone). The ClusterVersion
// concerns every operator, as does the image in the Deployment; an operator concerns itself and, as its key implies, the
// control plane as a whole.
func keysFor(obj any) []string {
	if tombstone, deleted := obj.(cache.DeletedFinalStateUnknown); deleted {
		obj = tombstone.Obj
	}
	if operator, ok := obj.(*configv1.ClusterOperator); ok {
		return []string{operatorPrefix + operator.Name}
	}
	return []string{allKey}
}

// handler queues the keys of what changed. Objects are trimmed before they get here: an update that changes nothing but
// the resource version queues nothing.
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

// isSame returns whether two states of an object differ in their resource version only.
func isSame(before, after any) bool {
	return equality.Semantic.DeepEqual(withoutVersion(before), withoutVersion(after))
}

// withoutVersion returns a copy of an object without its resource version.
func withoutVersion(obj any) any {
	full, isObject := obj.(runtime.Object)
	if !isObject {
		return obj
	}
	bare := full.DeepCopyObject()
	if accessor, err := meta.Accessor(bare); err == nil {
		accessor.SetResourceVersion("")
	}
	return bare
}
