package updatestatus

import (
	"context"
	"fmt"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/retrywatch"
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
		listed, object, err := listWatch(from, r)
		if err != nil {
			return nil, err
		}
		observe := func(ctx context.Context, err error) {
			for _, health := range i.healths {
				health.observe(ctx, r, err)
			}
		}
		shared := cache.NewSharedIndexInformer(retrywatch.New(listed, observe), object, 0,
			cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
		if err := shared.SetTransform(r.Trim); err != nil {
			return nil, fmt.Errorf("trimming %s: %w", r.Plural, err)
		}
		i.byResource[r] = &informer{SharedIndexInformer: shared}
	}
	return i, nil
}

// listWatch returns what lists and watches a resource, and an empty object of what it returns.
func listWatch(from clients, r *resource) (*cache.ListWatch, runtime.Object, error) {
	if r.metadataOnly {
		objects := from.metadata.Resource(r.Served()).Namespace(r.namespace)
		return selecting(r, objects.List, objects.Watch), &metav1.PartialObjectMetadata{}, nil
	}
	if r.isHosted {
		from = *from.hosted
	}
	typed := map[string]rest.Interface{}
	for _, version := range r.Versions() {
		client, err := from.typed(schema.GroupVersion{Group: r.Group, Version: version})
		if err != nil {
			return nil, nil, err
		}
		typed[version] = client
	}
	get := func(served schema.GroupVersionResource, options metav1.ListOptions) *rest.Request {
		return typed[served.Version].Get().NamespaceIfScoped(r.namespace, r.namespace != "").Resource(served.Resource).
			VersionedParams(&options, metav1.ParameterCodec)
	}
	return selecting(r, func(ctx context.Context, options metav1.ListOptions) (list runtime.Object, err error) {
		err = r.list(func(served schema.GroupVersionResource) error {
			list, err = get(served, options).Do(ctx).Get()
			return err //nolint:wrapcheck // the informer reports it
		})
		return list, err
	}, func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		options.Watch = true
		return get(r.served(), options).Watch(ctx)
	}), r.New(), nil
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

// of is a source.Caches.
func (i *informers) of(kind *kinds.Kind) cache.SharedIndexInformer {
	for r, informer := range i.byResource {
		if r.Kind == kind {
			return informer.SharedIndexInformer
		}
	}
	return nil
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
