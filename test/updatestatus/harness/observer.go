package harness

import (
	"context"
	"fmt"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// Observer records every version of the UpdateStatus that its watch receives.
type Observer = ObserverOf[*updatev1alpha1.UpdateStatus]

// ObserverOf records every version of an object that its watch receives.
type ObserverOf[T any] struct {
	lock     sync.Mutex
	versions []T
	// news is closed and replaced when there is a new version.
	news chan struct{}
	// seen is called with each version.
	seen func(T)
}

// Observe watches the UpdateStatus until the context ends. seen, which may be nil, is called with each version.
func Observe(ctx context.Context, config *rest.Config, seen func(*updatev1alpha1.UpdateStatus)) (*Observer, error) {
	client, err := updateclient.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return ObserveIn(ctx, client, metav1.NamespaceAll, "updatestatuses", seen)
}

// ObserveSummary watches the UpdateStatusSummary until the context ends. seen, which may be nil, is called with each version.
func ObserveSummary(
	ctx context.Context, config *rest.Config, seen func(*updatev1alpha1.UpdateStatusSummary),
) (*ObserverOf[*updatev1alpha1.UpdateStatusSummary], error) {
	client, err := updateclient.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return ObserveIn(ctx, client, metav1.NamespaceAll, "updatestatussummaries", seen)
}

// ObserveIn watches a resource of the API in a namespace until the context ends. seen, which may be nil, is called with each version of its
// objects.
func ObserveIn[P interface {
	*T
	runtime.Object
}, T any](ctx context.Context, client updateclient.Interface, namespace, resource string, seen func(P)) (*ObserverOf[P], error) {
	watched := cache.NewListWatchFromClient(client.UpdateV1alpha1().RESTClient(), resource, namespace, fields.Everything())
	informer := cache.NewSharedIndexInformer(watched, P(new(T)), 0, nil)
	observer := &ObserverOf[P]{news: make(chan struct{}), seen: seen}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    observer.observe,
		UpdateFunc: func(_, obj any) { observer.observe(obj) },
	}); err != nil {
		return nil, fmt.Errorf("observing an object: %w", err)
	}
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return nil, fmt.Errorf("observing an object: %w", context.Cause(ctx))
	}
	return observer, nil
}

func (o *ObserverOf[T]) observe(obj any) {
	version, ok := obj.(T)
	if !ok {
		return
	}
	if o.seen != nil {
		o.seen(version)
	}
	o.lock.Lock()
	defer o.lock.Unlock()
	o.versions = append(o.versions, version)
	close(o.news)
	o.news = make(chan struct{})
}

// Versions returns all versions so far, the oldest first. They must not be changed.
func (o *ObserverOf[T]) Versions() []T {
	versions, _ := o.state()
	return versions
}

func (o *ObserverOf[T]) state() ([]T, <-chan struct{}) {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.versions[:len(o.versions):len(o.versions)], o.news
}

// Until waits until the newest version is as wanted, and returns it. It fails when there is no new version for too long.
func (o *ObserverOf[T]) Until(ctx context.Context, wanted func(T) bool) (T, error) {
	for {
		versions, news := o.state()
		if len(versions) > 0 && wanted(versions[len(versions)-1]) {
			return versions[len(versions)-1], nil
		}
		if err := await(ctx, news); err != nil {
			var none T
			return none, fmt.Errorf("the object did not become as expected: %w", err)
		}
	}
}

// await waits until a channel is closed, for as long as only a hang takes.
func await(ctx context.Context, closed <-chan struct{}) error {
	ctx, cancel := pace.WithTimeout(ctx, Stall)
	defer cancel()
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
