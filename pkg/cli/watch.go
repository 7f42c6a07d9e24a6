package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
)

// redrawInterval is how often the screen is drawn without a change, since the text has durations.
const redrawInterval = time.Second

// compareInterval is how often the object is compared with the ClusterVersion.
const compareInterval = time.Minute

// errInterrupted ends a watch that is interrupted, so that scripts don't take it for the end of the update.
var errInterrupted = errors.New("interrupted before the update was complete")

// errDeleted is the change after which there is no object.
var errDeleted = fmt.Errorf("UpdateStatus/%s was deleted, the controller creates it again when it runs", updatev1alpha1.SingletonName)

// change is an object that changed, an error of the watch, or, with neither, a request that succeeded.
type change struct {
	object *unstructured.Unstructured
	err    error
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
			send(change{object: us})
		}
	}
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: c.listWatch(func(err error) { send(change{err: err}) }),
		ObjectType:    &unstructured.Unstructured{},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    sendObject,
			UpdateFunc: func(_, object any) { sendObject(object) },
			DeleteFunc: func(any) { send(change{err: errDeleted}) },
		},
	})
	// Without a logger, as listWatch reports errors.
	go informer.RunWithContext(klog.NewContext(ctx, logr.Discard()))
	return changes
}

// listWatch lists and watches the object. It reports the error of each request, nil if it succeeded.
func (c cluster) listWatch(report func(error)) *cache.ListWatch {
	selector := fields.OneTermEqualSelector(metav1.ObjectNameField, updatev1alpha1.SingletonName).String()
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = selector
			list, err := c.updateStatuses.List(ctx, options)
			report(watchError(err))
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = selector
			watcher, err := c.updateStatuses.Watch(ctx, options)
			if isWatchList := options.SendInitialEvents != nil; isWatchList && apierrors.IsInvalid(err) {
				return nil, err // an API server without WatchList: the informer falls back to a list
			}
			report(watchError(err))
			return watcher, err
		},
	}
}

// watch shows the object at every change until no update is in progress.
func (o *Options) watch(ctx context.Context, from cluster, first *observation) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	v := &view{Options: o, screen: o.printer == nil && Screen(o.Out) != nil}
	if v.screen {
		v.draw(OpenScreen)
		defer v.draw(CloseScreen)
	}
	if err := v.show(first); err != nil {
		return err
	}
	changes := from.changes(ctx)
	ticker := time.NewTicker(redrawInterval)
	defer ticker.Stop()
	compare := time.NewTicker(compareInterval)
	defer compare.Stop()
	for v.shown.outdated != "" || !describe.NotUpdating(v.shown.updateStatus) {
		var err error
		select {
		case <-ctx.Done():
			return errInterrupted
		case <-compare.C:
			err = v.compare(ctx, from)
		case <-ticker.C:
			err = v.redraw()
		case next := <-changes:
			err = v.handle(from, next)
		}
		if err != nil {
			return err
		}
	}
	if o.printer != nil {
		return nil
	}
	return describe.WriteLastUpdate(o.Out, v.shown.updateStatus, o.clock())
}

// view shows an object that changes: in place on a terminal, otherwise one text after the other.
type view struct {
	*Options

	screen bool
	shown  *observation
	// watchErr is why the object can't be watched, nil if it can.
	watchErr error
}

// draw writes to a terminal. If that is gone, a signal ends the program.
func (v *view) draw(text string) {
	_, _ = fmt.Fprint(v.Out, text)
}

func (v *view) handle(from cluster, next change) error {
	switch {
	case next.err != nil:
		return v.setUnhealthy(next.err)
	case next.object == nil:
		return v.setHealthy()
	}
	if v.watchErr == nil && next.object.GetUID() == v.shown.updateStatus.UID &&
		next.object.GetResourceVersion() == v.shown.updateStatus.ResourceVersion {
		return nil // the watch starts with the object that is shown
	}
	shown, err := from.observe(next.object)
	if err != nil {
		return err
	}
	v.watchErr = nil
	return v.show(shown)
}

// compare shows the object again if it has become outdated. Without the ClusterVersion it stays as it is.
func (v *view) compare(ctx context.Context, from cluster) error {
	version, err := from.readClusterVersion(ctx)
	if err != nil {
		return nil //nolint:nilerr // the first observation has a warning, or the watch fails as well
	}
	outdated := from.outdated(ctx, v.shown.updateStatus, version)
	if outdated == v.shown.outdated {
		return nil
	}
	shown := *v.shown
	shown.outdated = outdated
	return v.show(&shown)
}

// setHealthy reports that a request succeeded again. A deleted object must be recreated first.
func (v *view) setHealthy() error {
	if v.watchErr == nil || errors.Is(v.watchErr, errDeleted) {
		return nil
	}
	v.watchErr = nil
	if v.screen {
		return v.redraw()
	}
	return v.warn("the API server is reachable again")
}

// setUnhealthy reports that the watch fails. It returns errors that only the user can resolve.
func (v *view) setUnhealthy(err error) error {
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		return err
	}
	isFirst := v.watchErr == nil
	// A deleted object stays deleted while requests fail.
	if !errors.Is(v.watchErr, errDeleted) {
		v.watchErr = err
	}
	if v.screen {
		return v.redraw()
	}
	if isFirst {
		return v.warn(v.outdated(err))
	}
	return nil
}

func (v *view) outdated(err error) string {
	return fmt.Sprintf("the status is as of %s: %v", v.shown.time.UTC().Format(time.RFC3339), err)
}

// show shows another observation.
func (v *view) show(shown *observation) error {
	v.shown = shown
	switch {
	case v.screen:
		return v.redraw()
	case v.printer != nil:
		return v.print(shown, shown.time)
	}
	if _, err := fmt.Fprintf(v.Out, "---- %s\n", shown.time.UTC().Format(time.RFC3339)); err != nil {
		return fmt.Errorf("writing the status of the update: %w", err)
	}
	if err := v.print(shown, shown.time); err != nil {
		return err
	}
	if err := shown.check(v.clock()); err != nil {
		return v.warn(err.Error())
	}
	return nil
}

// redraw draws the screen, if there is one.
func (v *view) redraw() error {
	if !v.screen {
		return nil
	}
	now := v.clock()
	var text strings.Builder
	if err := describe.Write(&text, v.shown.updateStatus, v.describeOptions(v.shown, now)); err != nil {
		return err
	}
	if err := v.shown.check(now); err != nil {
		fmt.Fprintf(&text, "\nwarning: %s\n", describe.OneLine(err.Error()))
	}
	if v.watchErr != nil {
		fmt.Fprintf(&text, "\nwarning: %s\n", describe.OneLine(v.outdated(v.watchErr)))
	}
	_, rows := Size(Screen(v.Out))
	v.draw(Frame(text.String(), rows))
	return nil
}
