package source

import (
	"k8s.io/client-go/tools/cache"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// Caches returns the informer of a kind, nil if it is not watched. The cached objects are trimmed as the kind says.
type Caches func(*kinds.Kind) cache.SharedIndexInformer

// list returns the cached objects of a kind, in no order; none of one that is not watched.
func list[T any](caches Caches, kind *kinds.Kind) []T {
	informer := caches(kind)
	if informer == nil {
		return nil
	}
	all := informer.GetStore().List()
	objects := make([]T, 0, len(all))
	for _, each := range all {
		if object, isOne := each.(T); isOne {
			objects = append(objects, object)
		}
	}
	return objects
}

// get returns the cached object with a key, nil if there is none.
func get[T any](caches Caches, kind *kinds.Kind, key string) T {
	var object T
	if each, found, err := caches(kind).GetStore().GetByKey(key); err == nil && found {
		object, _ = each.(T)
	}
	return object
}
