package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
)

// redrawInterval is how often the screen is drawn without a change, since the text has durations. So often, a watch also looks whether it
// has ended.
const redrawInterval = time.Second

// compareInterval is how often the object is compared with the ClusterVersion and the summary.
const compareInterval = 15 * time.Second

// view shows an object that changes: in place on a terminal, otherwise a line for each thing that happens.
type view struct {
	*Options

	screen   bool
	observed *observation
	goal     until
	lasting  lasting
	// watchErr is why the object can't be watched, nil if it can.
	watchErr error
	// warned is the last warning about the observation.
	warned string
	window window
}

func (o *Options) newView() *view {
	return &view{
		Options: o, screen: o.printer == nil && o.Print.format() == "" && Screen(o.Out) != nil,
		goal: until{part: o.For, started: !o.WaitForStart}, lasting: lasting{},
	}
}

// watch shows every change until the watch ends, and says why it does. The error has the exit status.
func (o *Options) watch(ctx context.Context, from cluster, first *observation) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Timeout > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, o.Timeout, errTimeout)
		defer cancel()
	}
	v := o.newView()
	if first.until != nil {
		records, _ := o.readRecords(ctx) // that they can't be read was told
		v.window = window{at: first.until.At.Time, records: records, told: map[string]bool{}}
	}
	// A pool that does not exist is an error before anything is shown.
	if _, err := v.goal.reached(first, v.clock()); err != nil {
		return err
	}
	if v.screen {
		v.draw(clearScreen)
	}
	changes := from.changes
	if first.isLive {
		changes = from.live.changes
	}
	ended, err := v.run(ctx, from, changes(ctx), first)
	if err != nil {
		return err
	}
	return v.writeEnding(ended)
}

// run shows every change until the watch ends.
func (v *view) run(ctx context.Context, from cluster, news <-chan change, first *observation) (ending, error) {
	if err := v.show(first); err != nil {
		return ending{}, err
	}
	redraw, compare := time.NewTicker(redrawInterval), time.NewTicker(compareInterval)
	defer redraw.Stop()
	defer compare.Stop()
	var remind <-chan time.Time
	if v.Remind > 0 && !v.screen && v.printer == nil {
		ticker := time.NewTicker(v.Remind)
		defer ticker.Stop()
		remind = ticker.C
	}
	for {
		if ended, err := v.ending(); err != nil || ended.why != "" {
			return ended, err
		}
		var err error
		select {
		case <-ctx.Done():
			return v.stopped(context.Cause(ctx)), nil
		case <-compare.C:
			if err = v.compare(ctx, from); err == nil {
				err = v.tellPauses(v.clock())
			}
		case <-redraw.C:
			if v.observed.hasLateSummary(v.clock()) {
				err = v.compare(ctx, from)
			} else {
				err = v.redraw()
			}
		case <-remind:
			err = v.remind()
		case next := <-news:
			err = v.handle(ctx, from, next)
		}
		if err != nil {
			return ending{}, err
		}
	}
}

func (v *view) handle(ctx context.Context, from cluster, next change) error {
	switch {
	case next.err != nil:
		return v.setUnhealthy(next.err)
	case next.observed == nil:
		return v.setHealthy()
	}
	v.watchErr = nil
	return v.update(ctx, from, next.observed)
}

// compare shows the object again if the ClusterVersion or the summary, which is written after the object, have changed since, and the
// cluster as it is again and again while the object is outdated.
func (v *view) compare(ctx context.Context, from cluster) error {
	return v.update(ctx, from, cmp.Or(v.observed.stale, v.observed))
}

// update shows an object with its summary, or the cluster as it is if the ClusterVersion says that the object is outdated. Nothing is drawn
// meanwhile, so it does not wait long for an API server that does not respond.
func (v *view) update(ctx context.Context, from cluster, object *observation) error {
	if object.isLive {
		return v.show(object)
	}
	comparing, cancel := context.WithTimeout(ctx, v.patience)
	defer cancel()
	var version *configv1.ClusterVersion
	var err error
	if !from.target.isHosted() {
		version, err = getAs[configv1.ClusterVersion](comparing, from.clusterVersions, standalone.ClusterVersionName)
	}
	if err != nil && object == v.observed.stale {
		return nil // it is still outdated, as far as is known
	}
	observed := *object
	// What was confirmed last stays so while the summary can't be read, until it is too old.
	if last := cmp.Or(v.observed.stale, v.observed); observed.summary == nil {
		observed.summary, observed.wholeSummary = last.summary, last.wholeSummary
	}
	from.readSummary(comparing, &observed)
	observed.setStatus(observed.stored, observed.summary, v.clock())
	// Without the ClusterVersion nothing new is known of that: the first observation has a warning, or the watch fails as well.
	if err == nil {
		observed.outdated = from.outdated(&observed, version)
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

// show shows another observation, as far as it is another than the last one.
func (v *view) show(observed *observation) error {
	before := v.observed
	v.observed = observed
	now := v.clock()
	switch {
	case v.screen:
		return v.redraw()
	case v.printer == nil:
		return v.writeLines(before)
	case before == nil || v.isNews(before, observed, now):
		return v.printObject(observed, now)
	default:
		return nil
	}
}

// isNews returns whether two observations have different objects, or different notices beside them. That the controller has confirmed a
// summary is no news.
func (v *view) isNews(before, after *observation, now time.Time) bool {
	if before.outdated != after.outdated || before.unavailable() != after.unavailable() {
		return true
	}
	if !v.Summary {
		return !equality.Semantic.DeepEqual(before.object, after.object)
	}
	was, is := *before.head(now), *after.head(now)
	was.ObservedAt, is.ObservedAt = nil, nil
	return !equality.Semantic.DeepEqual(was, is)
}
