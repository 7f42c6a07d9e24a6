package source

import (
	"k8s.io/client-go/tools/cache"
)

// list returns the objects in the cache of an informer, in no order; none of an informer that is nil.
func list[T any](informer cache.SharedIndexInformer) []T {
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

// get returns the object with a key, nil if the cache has none.
func get[T any](informer cache.SharedIndexInformer, key string) T {
	var object T
	if each, found, err := informer.GetStore().GetByKey(key); err == nil && found {
		object, _ = each.(T)
	}
	return object
}
