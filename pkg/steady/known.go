package steady

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// known are the objects that an informer knows, with their versions: what it has to be told after a gap follows from them.
type known struct {
	versions map[cache.ObjectName]string
	// kind is the type of the objects, nil before there was one.
	kind reflect.Type
}

func newKnown() *known {
	return &known{versions: map[cache.ObjectName]string{}}
}

// takeList takes the objects of a list.
func (k *known) takeList(list runtime.Object) error {
	return meta.EachListItem(list, func(object runtime.Object) error {
		_, _, err := k.take(object)
		return err
	})
}

// take takes an object, and returns its name, and whether it is another one than was known.
func (k *known) take(object runtime.Object) (name cache.ObjectName, isNew bool, err error) {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return name, false, fmt.Errorf("reading what was listed: %w", err)
	}
	k.kind = reflect.TypeOf(object).Elem()
	name = cache.MetaObjectToName(accessor)
	isNew = k.versions[name] != accessor.GetResourceVersion()
	k.versions[name] = accessor.GetResourceVersion()
	return name, isNew, nil
}

// drop forgets an object.
func (k *known) drop(accessor metav1.Object) {
	delete(k.versions, cache.MetaObjectToName(accessor))
}

// keepOnly forgets all objects but some, and returns those it forgets: their names, with the version at which they are gone.
func (k *known) keepOnly(kept map[cache.ObjectName]bool, version string) (gone []runtime.Object) {
	for name := range k.versions {
		if kept[name] {
			continue
		}
		delete(k.versions, name)
		if object := k.bare(name, version); object != nil {
			gone = append(gone, object)
		}
	}
	return gone
}

// bare returns an object with nothing but a name and a version, nil if there never was one.
func (k *known) bare(name cache.ObjectName, version string) runtime.Object {
	if k.kind == nil {
		return nil
	}
	object, isObject := reflect.New(k.kind).Interface().(runtime.Object)
	accessor, err := meta.Accessor(object)
	if !isObject || err != nil {
		return nil
	}
	accessor.SetNamespace(name.Namespace)
	accessor.SetName(name.Name)
	accessor.SetResourceVersion(version)
	return object
}
