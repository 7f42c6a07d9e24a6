package hostedcluster

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// Decode returns a transform that caches the part of an object that a type has: types of others have their published names only.
func Decode[T any, P interface {
	*T
	metav1.Object
}]() cache.TransformFunc {
	return func(obj any) (any, error) {
		full, isUnstructured := obj.(*unstructured.Unstructured)
		if !isUnstructured {
			return obj, nil
		}
		decoded := P(new(T))
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(full.Object, decoded); err != nil {
			return nil, fmt.Errorf("decoding %s %s/%s: %w", full.GetKind(), full.GetNamespace(), full.GetName(), err)
		}
		decoded.SetManagedFields(nil)
		return decoded, nil
	}
}

// isSame returns whether two states of an object are assessed alike: they differ at most in their resource version.
func isSame(before, after any) bool {
	a, isObject := before.(runtime.Object)
	b, areObjects := after.(runtime.Object)
	if !isObject || !areObjects {
		return false
	}
	a = a.DeepCopyObject()
	older, err := meta.Accessor(a)
	if err != nil {
		return false
	}
	newer, err := meta.Accessor(b)
	if err != nil {
		return false
	}
	older.SetResourceVersion(newer.GetResourceVersion())
	return equality.Semantic.DeepEqual(a, b)
}
