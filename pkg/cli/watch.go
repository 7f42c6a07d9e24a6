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

// tick is how often a screen is drawn again without a change: durations in the text go on.
const tick = time.Second

// errStopped is how a watch ends that is interrupted. It is an error, so that a script does not take it for the end of the
// update.
var errStopped = errors.New("stopped before the update was complete")

// change is what a watch has seen: an object, that nothing can be seen (err), or that it can be seen again (neither).
type change struct {
	object *unstructured.Unstructured
	err    error
}

// errGone is a change to no object.
var errGone = fmt.Errorf("UpdateStatus/%s was deleted; the controller creates it again when it runs", updatev1alpha1.SingletonName)

// changes watches the object until the context ends. It goes on after whatever ends a watch, more and more seldom while
// the API server is away.
func (c cluster) changes(ctx context.Context) <-chan change {
	seen := make(chan change)
	send := func(what change) {
		select {
		case seen <- what:
		case <-ctx.Done():
		}
	}
	see := func(object any) {
		if us, ok := object.(*unstructured.Unstructured); ok {
			send(change{object: us})
		}
	}
	informer := cache.NewSharedIndexInformer(c.listWatch(func(err error) { send(change{err: err}) }), &unstructured.Unstructured{}, 0, cache.Indexers{})
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    see,
		UpdateFunc: func(_, object any) { see(object) },
		DeleteFunc: func(any) { send(change{err: errGone}) },
	})
	if err == nil {
		err = informer.SetWatchErrorHandlerWithContext(func(context.Context, *cache.Reflector, error) {}) // listWatch has told
	}
	go func() {
		if err != nil {
			send(change{err: err})
			return
		}
		informer.RunWithContext(klog.NewContext(ctx, logr.Discard()))
	}()
	return seen
}

// listWatch is of the one object. It tells how each request went: nil for one that was answered.
func (c cluster) listWatch(went func(error)) *cache.ListWatch {
	only := fields.OneTermEqualSelector(metav1.ObjectNameField, updatev1alpha1.SingletonName).String()
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = only
			list, err := c.updateStatuses.List(ctx, options)
			went(notWatchable(err))
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = only
			watching, err := c.updateStatuses.Watch(ctx, options)
			if isListing := options.SendInitialEvents != nil; isListing && apierrors.IsInvalid(err) {
				return nil, err // an API server that does not know it: a list follows
			}
			went(notWatchable(err))
			return watching, err
		},
	}
}

// watch shows the object at every change, until no update goes on any more.
func (o *Options) watch(ctx context.Context, from cluster) error {
	shown, err := from.read(ctx)
	if err != nil {
		return o.instead(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	view := o.newView()
	defer view.close()
	if err := view.show(shown); err != nil {
		return err
	}
	if describe.NotUpdating(shown.updateStatus) {
		return view.end()
	}
	changes := from.changes(ctx)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return errStopped
		case <-ticker.C:
			err = view.again()
		case seen := <-changes:
			err = view.take(from, seen)
		}
		if err != nil {
			return err
		}
		if describe.NotUpdating(view.shown.updateStatus) {
			return view.end()
		}
	}
}

// view shows an object that changes: in place on a screen, otherwise one block after the other.
type view struct {
	*Options

	screen  bool
	shown   *found
	trouble error
}

func (o *Options) newView() *view {
	v := &view{Options: o, screen: o.Output == "" && Screen(o.Out) != nil}
	if v.screen {
		v.draw(OpenScreen)
	}
	return v
}

func (v *view) close() {
	if v.screen {
		v.draw(CloseScreen)
	}
}

// end says below the last view which update has ended: one that has not begun is no more updating than one that is done.
func (v *view) end() error {
	if v.Output != "" {
		return nil
	}
	return describe.WriteLastUpdate(v.Out, v.shown.updateStatus)
}

// draw writes to a screen. One that is gone ends the program by a signal.
func (v *view) draw(text string) {
	_, _ = fmt.Fprint(v.Out, text)
}

// take shows a change.
func (v *view) take(from cluster, seen change) error {
	switch {
	case seen.err != nil:
		return v.fail(seen.err)
	case seen.object == nil:
		return v.recover()
	}
	if v.trouble == nil && seen.object.GetUID() == v.shown.updateStatus.UID &&
		seen.object.GetResourceVersion() == v.shown.updateStatus.ResourceVersion {
		return nil // the watch begins with what has been read
	}
	object, err := from.seen(seen.object)
	if err != nil {
		return err
	}
	v.trouble = nil
	return v.show(object)
}

// recover says that the object can be seen again. One that is gone has to come back first.
func (v *view) recover() error {
	if v.trouble == nil || errors.Is(v.trouble, errGone) {
		return nil
	}
	v.trouble = nil
	if v.screen {
		return v.again()
	}
	return v.warn("the API server answers again")
}

// fail says what keeps the object from being seen. Only what will not get better by itself ends the watch.
func (v *view) fail(err error) error {
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		return err
	}
	news := v.trouble == nil
	// That it can't be asked for does not bring back what is gone.
	if !errors.Is(v.trouble, errGone) {
		v.trouble = err
	}
	if v.screen {
		return v.again()
	}
	if news {
		return v.warn(v.warningOf(err))
	}
	return nil
}

func (v *view) warningOf(err error) string {
	return fmt.Sprintf("what is shown is from %s: %v", v.shown.moment.UTC().Format(time.RFC3339), err)
}

// show shows an object.
func (v *view) show(object *found) error {
	v.shown = object
	switch {
	case v.screen:
		return v.again()
	case v.Output != "":
		return v.print(object, v.momentOf(object))
	}
	if _, err := fmt.Fprintf(v.Out, "---- %s\n", v.momentOf(object).UTC().Format(time.RFC3339)); err != nil {
		return fmt.Errorf("writing the state of the update: %w", err)
	}
	if err := v.print(object, v.momentOf(object)); err != nil {
		return err
	}
	if err := doubt(object.updateStatus, v.clock()); err != nil {
		return v.warn(err.Error())
	}
	return nil
}

// again draws the screen as it is now.
func (v *view) again() error {
	if !v.screen {
		return nil
	}
	var text strings.Builder
	options := v.describing(v.clock())
	if err := describe.Write(&text, v.shown.updateStatus, options); err != nil {
		return err
	}
	if err := doubt(v.shown.updateStatus, v.clock()); err != nil {
		fmt.Fprintf(&text, "\nwarning: %s\n", describe.OneLine(err.Error()))
	}
	if v.trouble != nil {
		fmt.Fprintf(&text, "\nwarning: %s\n", describe.OneLine(v.warningOf(v.trouble)))
	}
	_, rows := Size(Screen(v.Out))
	v.draw(Frame(text.String(), rows))
	return nil
}
