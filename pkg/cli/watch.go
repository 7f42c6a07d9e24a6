package cli

import (
	"cmp"
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

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// redrawInterval is how often the screen is drawn without a change, since the text has durations.
const redrawInterval = time.Second

// compareInterval is how often the object is compared with the ClusterVersion and the summary.
const compareInterval = 15 * time.Second

// errInterrupted ends a watch that is interrupted, so that scripts don't take it for the end of the update.
var errInterrupted = errors.New("interrupted before the update was complete")

// errDeleted is the change after which there is no object.
var errDeleted = errors.New("it was deleted, the controller creates it again when it runs")

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

// view shows an object that changes: in place on a terminal, otherwise a line for each thing that happens.
type view struct {
	*Options

	screen   bool
	observed *observation
	// watchErr is why the object can't be watched, nil if it can.
	watchErr error
	// warned is the last warning about the observation.
	warned string
}

// watch shows every change until what it waits for is complete, and returns what it showed last.
func (o *Options) watch(ctx context.Context, from cluster, first *observation) (*observation, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Timeout > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, o.Timeout, errTimeout)
		defer cancel()
	}
	v := &view{Options: o, screen: o.printer == nil && o.Print.format() == "" && Screen(o.Out) != nil}
	if v.screen {
		v.draw(OpenScreen)
	}
	err := v.run(ctx, from, first)
	if v.screen {
		v.draw(CloseScreen)
	}
	if err != nil || o.printer != nil {
		return v.observed, err
	}
	options := v.describeOptions(v.observed, o.clock())
	options.Head = v.observed.head(o.clock())
	return v.observed, describe.WriteEnd(o.Out, v.observed.updateStatus, options)
}

func (v *view) run(ctx context.Context, from cluster, first *observation) error {
	if err := v.show(first); err != nil {
		return err
	}
	changes := from.changes
	if first.isLive {
		changes = from.live.changes
	}
	news := changes(ctx)
	ticker := time.NewTicker(redrawInterval)
	defer ticker.Stop()
	compare := time.NewTicker(compareInterval)
	defer compare.Stop()
	goal := until{part: v.For, started: !v.WaitForStart}
	for {
		reached, err := goal.reached(v.observed, v.clock())
		if err != nil || reached {
			return err
		}
		select {
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errTimeout) {
				return fmt.Errorf("%w after %s; still waiting for %s", errTimeout, insight.Duration(v.Timeout), goal.remaining(v.observed))
			}
			return errInterrupted
		case <-compare.C:
			err = v.compare(ctx, from)
		case <-ticker.C:
			err = v.redraw()
		case next := <-news:
			err = v.handle(next)
		}
		if err != nil {
			return err
		}
	}
}

// draw writes to a terminal. If that is gone, a signal ends the program.
func (v *view) draw(text string) {
	_, _ = fmt.Fprint(v.Out, text)
}

func (v *view) handle(next change) error {
	switch {
	case next.err != nil:
		return v.setUnhealthy(next.err)
	case next.observed == nil:
		return v.setHealthy()
	}
	is, was := next.observed.updateStatus, v.observed.updateStatus
	if v.watchErr == nil && is.UID != "" && is.UID == was.UID && is.ResourceVersion == was.ResourceVersion {
		return nil // the watch starts with the object that is shown
	}
	v.watchErr = nil
	return v.show(next.observed)
}

// compare shows the object again if it has become outdated, and then the cluster as it is again and again. Without the ClusterVersion it
// stays as it is. Nothing is drawn meanwhile, so it does not wait long for an API server that does not respond.
func (v *view) compare(ctx context.Context, from cluster) error {
	if v.observed.isLive {
		return nil
	}
	comparing, cancel := context.WithTimeout(ctx, v.patience)
	defer cancel()
	observed := *cmp.Or(v.observed.stale, v.observed)
	var version *configv1.ClusterVersion
	if !from.target.isHosted() {
		var err error
		if version, err = getAs[configv1.ClusterVersion](comparing, from.clusterVersions, standalone.ClusterVersionName); err != nil {
			return nil //nolint:nilerr // the first observation has a warning, or the watch fails as well
		}
	}
	from.readSummary(comparing, &observed)
	observed.setStatus(observed.stored, observed.summary)
	observed.outdated = from.outdated(&observed, version)
	if v.observed.stale == nil && observed.outdated == v.observed.outdated && observed.unavailable() == v.observed.unavailable() &&
		!(v.Summary && hasNewSummary(v.observed, &observed)) {
		return nil
	}
	return v.show(from.current(ctx, &observed, version))
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
		return v.warn(v.asOf(err))
	}
	return nil
}

// asOf says how old what is shown is, and why.
func (v *view) asOf(err error) string {
	return fmt.Sprintf("the status is as of %s: %v", v.observed.time.UTC().Format(time.RFC3339), err)
}

// show shows another observation.
func (v *view) show(observed *observation) error {
	before := v.observed
	v.observed = observed
	switch {
	case v.screen:
		return v.redraw()
	case v.printer != nil:
		return v.printObject(observed, v.clock())
	}
	now := v.clock()
	if err := v.writeChanges(before, now); err != nil {
		return err
	}
	warning := observed.warning(now)
	if warning == v.warned {
		return nil
	}
	v.warned = warning
	if warning == "" {
		return nil
	}
	return v.warn(warning)
}

// warning returns why what is shown may not be right, or is not from the object, empty if neither is so.
func (observed *observation) warning(now time.Time) string {
	err := observed.check(now)
	if observed.stale != nil {
		err = fmt.Errorf("%w; until then the cluster is assessed on the spot", observed.stale.outdatedError(now))
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

// writeChanges writes the whole update first, and then a line for each thing that happened.
func (v *view) writeChanges(before *observation, now time.Time) error {
	var lines []string
	if before == nil {
		lines = describe.Title(v.observed.head(now), now)
	} else {
		lines = describe.Changes(before.updateStatus, v.observed.updateStatus)
	}
	for _, line := range lines {
		if _, err := fmt.Fprintf(v.Out, "%s  %s\n", v.observed.time.UTC().Format(time.RFC3339), line); err != nil {
			return fmt.Errorf("writing the changes of the update: %w", err)
		}
	}
	return nil
}

// redraw draws the screen, if there is one.
func (v *view) redraw() error {
	if !v.screen {
		return nil
	}
	now := v.clock()
	var notices []string
	if v.watchErr != nil {
		notices = append(notices, v.asOf(v.watchErr))
	}
	if err := v.observed.check(now); err != nil {
		notices = append(notices, err.Error())
	}
	options := v.describeOptions(v.observed, now)
	options.Head = v.observed.head(now)
	_, rows := Size(Screen(v.Out))
	if rows == 0 {
		rows = DefaultRows
	}
	v.draw(Frame(describe.Screen(v.observed.updateStatus, options, notices, rows-1)))
	return nil
}

// DefaultRows are the rows of a terminal that does not tell them.
const DefaultRows = 24
