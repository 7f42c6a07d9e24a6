package updatestatus

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/openshift/cluster-version-operator/pkg/retrywatch"
)

// informers hold one informer for each resource, which sources share. None resyncs: the controllers are driven by changes
// and by the clock.
type informers struct {
	byResource map[*resource]*informer
	// healths are those of the sources. They observe the watches of their resources.
	healths []*sourceHealth
}

type informer struct {
	cache.SharedIndexInformer

	start sync.Once
}

func newInformers(from clients, watched ...*resource) (*informers, error) {
	i := &informers{byResource: map[*resource]*informer{}}
	for _, r := range watched {
		object := r.object
		if object == nil {
			object = &metav1.PartialObjectMetadata{}
		}
		observe := func(ctx context.Context, err error) {
			for _, health := range i.healths {
				health.observe(ctx, r, err)
			}
		}
		shared := cache.NewSharedIndexInformer(retrywatch.New(listWatch(from, r), observe), object, 0,
			cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
		if err := shared.SetTransform(r.trim); err != nil {
			return nil, fmt.Errorf("trimming %s: %w", r.kinds, err)
		}
		i.byResource[r] = &informer{SharedIndexInformer: shared}
	}
	return i, nil
}

func listWatch(from clients, r *resource) *cache.ListWatch {
	if r.client != nil {
		selector := fields.Everything()
		if r.name != "" {
			selector = fields.OneTermEqualSelector(metav1.ObjectNameField, r.name)
		}
		return cache.NewListWatchFromClient(r.client(from), r.Resource, r.namespace, selector)
	}
	if _, isDecoded := r.object.(*unstructured.Unstructured); isDecoded {
		return selecting(r, func(ctx context.Context, options metav1.ListOptions) (list *unstructured.UnstructuredList, err error) {
			err = r.list(func(version schema.GroupVersionResource) error {
				list, err = from.dynamic.Resource(version).Namespace(r.namespace).List(ctx, options)
				return err //nolint:wrapcheck // the informer reports it
			})
			return list, err
		}, func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return from.dynamic.Resource(r.served()).Namespace(r.namespace).Watch(ctx, options)
		})
	}
	objects := from.metadata.Resource(r.GroupVersionResource).Namespace(r.namespace)
	return selecting(r, objects.List, objects.Watch)
}

// selecting returns a ListWatch of the objects of a resource that are watched.
func selecting[L runtime.Object](
	r *resource, list func(context.Context, metav1.ListOptions) (L, error), watcher func(context.Context, metav1.ListOptions) (watch.Interface, error),
) *cache.ListWatch {
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			r.selectName(&options)
			return list(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			r.selectName(&options)
			return watcher(ctx, options)
		},
	}
}

func (i *informers) of(r *resource) cache.SharedIndexInformer {
	return i.byResource[r].SharedIndexInformer
}

// start runs the informers of resources, each once, until the context ends.
func (i *informers) start(ctx context.Context, running *sync.WaitGroup, resources ...*resource) {
	for _, r := range resources {
		informer := i.byResource[r]
		informer.start.Do(func() { running.Go(func() { informer.RunWithContext(ctx) }) })
	}
}

// haveSynced returns whether the caches of resources are filled.
func (i *informers) haveSynced(resources ...*resource) bool {
	for _, r := range resources {
		if !i.byResource[r].HasSynced() {
			return false
		}
	}
	return true
}

func dropManagedFields(obj any) (any, error) {
	if object, err := meta.Accessor(obj); err == nil {
		object.SetManagedFields(nil)
	}
	return obj, nil
}
