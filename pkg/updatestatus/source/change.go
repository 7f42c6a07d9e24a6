package source

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
)

// handler calls changed for each object that was added or deleted, or changed in more than its resource version. Objects are trimmed
// before they get here, so that the heartbeat of a node changes nothing else.
func handler(changed func()) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { changed() },
		DeleteFunc: func(any) { changed() },
		UpdateFunc: func(before, after any) {
			if !isSame(before, after) {
				changed()
			}
		},
	}
}

// isSame returns whether two states of an object, which are pointers to structs of one type, differ at most in their resource
// version, or in the time of a renewal.
func isSame(before, after any) bool {
	older, newer := reflect.ValueOf(before), reflect.ValueOf(after)
	if older.Type() != newer.Type() || older.Kind() != reflect.Pointer {
		return false
	}
	copied := reflect.New(older.Type().Elem())
	copied.Elem().Set(older.Elem())
	a, isObject := copied.Interface().(metav1.Object)
	b, areObjects := after.(metav1.Object)
	if !isObject || !areObjects {
		return false
	}
	// The metadata is part of the copied struct: the object in the cache keeps its version.
	a.SetResourceVersion(b.GetResourceVersion())
	if informer, isInformer := a.(*updatev1alpha1.UpdateInformer); isInformer {
		if renewed, areBoth := b.(*updatev1alpha1.UpdateInformer); areBoth && informers.IsRenewed(informer, renewed) {
			informer.Status.RenewedAt = renewed.Status.RenewedAt
		}
	}
	return reflect.DeepEqual(a, b)
}
