package source

import (
	"fmt"

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
