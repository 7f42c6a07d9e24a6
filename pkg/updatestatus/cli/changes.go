package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// errDeleted is the change after which there is no object.
var errDeleted = errors.New("deleted; the controller will recreate it")

// change is a new observation, an error of the watch, or, with neither, a request that succeeded.
type change struct {
	observed *observation
	err      error
}

// changes watches the object until the context ends. An informer restarts the watch with backoff.
func (c cluster) changes(ctx context.Context) <-chan change {
	changes := make(chan change)
	send := func(next change) {
		select {
		case changes <- next:
		case <-ctx.Done():
		}
	}
	sendObject := func(object any) {
		if us, ok := object.(*unstructured.Unstructured); ok {
			observed, err := c.observe(ctx, us)
			send(change{observed, err})
		}
	}
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: c.listWatch(func(err error) { send(change{err: err}) }),
		ObjectType:    &unstructured.Unstructured{},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    sendObject,
			UpdateFunc: func(_, object any) { sendObject(object) },
			DeleteFunc: func(any) { send(change{err: fmt.Errorf("%s: %w", c.target, errDeleted)}) },
		},
	})
	// Without a logger, as listWatch reports errors.
	go informer.RunWithContext(klog.NewContext(ctx, logr.Discard()))
	return changes
}

// changes assesses a cluster without an UpdateStatus again and again until the context ends.
func (l live) changes(ctx context.Context) <-chan change {
	changes := make(chan change)
	ticker := time.NewTicker(pollInterval)
	go func() {
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			observed, err := l.read(ctx)
			select {
			case changes <- change{observed, watchError(err, target{})}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return changes
}

// listWatch lists and watches the object. It reports the error of each request, nil if it succeeded.
func (c cluster) listWatch(report func(error)) *cache.ListWatch {
	selector := fields.OneTermEqualSelector(metav1.ObjectNameField, c.target.name()).String()
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = selector
			list, err := c.statuses.List(ctx, options)
			report(watchError(err, c.target))
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = selector
			watcher, err := c.statuses.Watch(ctx, options)
			if isWatchList := options.SendInitialEvents != nil; isWatchList && apierrors.IsInvalid(err) {
				return nil, err // an API server without WatchList: the informer falls back to a list
			}
			report(watchError(err, c.target))
			return watcher, err
		},
	}
}
