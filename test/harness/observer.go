package harness

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	updateinformers "github.com/openshift/cluster-version-operator/pkg/generated/informers/externalversions/update/v1alpha1"
)

// Observer records every version of the UpdateStatus that its watch receives.
type Observer struct {
	lock     sync.Mutex
	versions []*updatev1alpha1.UpdateStatus
	// news is closed and replaced when there is a new version.
	news chan struct{}
	// seen is called with each version.
	seen func(*updatev1alpha1.UpdateStatus)
}

// Observe watches the UpdateStatus until the context ends. seen, which may be nil, is called with each version.
func Observe(ctx context.Context, config *rest.Config, seen func(*updatev1alpha1.UpdateStatus)) (*Observer, error) {
	client, err := updateclient.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	observer := &Observer{news: make(chan struct{}), seen: seen}
	informer := updateinformers.NewUpdateStatusInformer(client, 0, cache.Indexers{})
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    observer.observe,
		UpdateFunc: func(_, obj any) { observer.observe(obj) },
	}); err != nil {
		return nil, fmt.Errorf("observing the UpdateStatus: %w", err)
	}
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return nil, fmt.Errorf("observing the UpdateStatus: %w", context.Cause(ctx))
	}
	return observer, nil
}

func (o *Observer) observe(obj any) {
	version, ok := obj.(*updatev1alpha1.UpdateStatus)
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
func (o *Observer) Versions() []*updatev1alpha1.UpdateStatus {
	versions, _ := o.state()
	return versions
}

func (o *Observer) state() ([]*updatev1alpha1.UpdateStatus, <-chan struct{}) {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.versions[:len(o.versions):len(o.versions)], o.news
}

// Until waits until the newest version is as wanted, and returns it.
func (o *Observer) Until(ctx context.Context, wanted func(*updatev1alpha1.UpdateStatus) bool) (*updatev1alpha1.UpdateStatus, error) {
	for {
		versions, news := o.state()
		if len(versions) > 0 && wanted(versions[len(versions)-1]) {
			return versions[len(versions)-1], nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return nil, fmt.Errorf("the UpdateStatus did not become as expected: %w", context.Cause(ctx))
		}
	}
}

// ObserveSummary calls a function with each version of the UpdateStatusSummary until the context ends.
func ObserveSummary(ctx context.Context, config *rest.Config, seen func(*updatev1alpha1.UpdateStatusSummary)) error {
	client, err := updateclient.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("building a client: %w", err)
	}
	observe := func(object any) {
		if summary, ok := object.(*updatev1alpha1.UpdateStatusSummary); ok {
			seen(summary)
		}
	}
	informer := updateinformers.NewUpdateStatusSummaryInformer(client, 0, cache.Indexers{})
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    observe,
		UpdateFunc: func(_, object any) { observe(object) },
	}); err != nil {
		return fmt.Errorf("observing the UpdateStatusSummary: %w", err)
	}
	go informer.RunWithContext(ctx)
	return nil
}
