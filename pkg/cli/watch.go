package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
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
	// awaitsSummary is set while the status has what is waited for and its summary does not have it yet.
	awaitsSummary bool
	// watchErr is why the object can't be watched, nil if it can.
	watchErr error
	// warned is the last warning about the observation.
	warned string
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
	// A pool that does not exist is an error before anything is shown.
	if _, err := v.goal.reached(first, v.clock()); err != nil {
		return err
	}
	if v.screen {
		v.draw(OpenScreen)
	}
	changes := from.changes
	if first.isLive {
		changes = from.live.changes
	}
	ended, err := v.run(ctx, from, changes(ctx), first)
	if v.screen {
		v.draw(CloseScreen)
	}
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
			err = v.compare(ctx, from)
		case <-redraw.C:
			if v.awaitsSummary {
				err = v.compare(ctx, from)
			} else {
				err = v.redraw()
			}
		case <-remind:
			err = v.remind()
		case next := <-news:
			err = v.handle(next)
		}
		if err != nil {
			return ending{}, err
		}
	}
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

// compare shows the object again if it has become outdated, and then the cluster as it is again and again. Otherwise it only takes over
// the summary, which is written after the object. Without the ClusterVersion nothing else is known. Nothing is drawn meanwhile, so it does
// not wait long for an API server that does not respond.
func (v *view) compare(ctx context.Context, from cluster) error {
	if v.observed.isLive {
		return nil
	}
	comparing, cancel := context.WithTimeout(ctx, v.patience)
	defer cancel()
	observed := *cmp.Or(v.observed.stale, v.observed)
	var version *configv1.ClusterVersion
	var err error
	if !from.target.isHosted() {
		version, err = getAs[configv1.ClusterVersion](comparing, from.clusterVersions, standalone.ClusterVersionName)
	}
	if err != nil && v.observed.stale != nil {
		return nil // the first observation has a warning, or the watch fails as well
	}
	from.readSummary(comparing, &observed)
	observed.setStatus(observed.stored, observed.summary)
	if err == nil {
		observed.outdated = from.outdated(&observed, version)
	}
	if v.observed.stale == nil && observed.outdated == v.observed.outdated && observed.unavailable() == v.observed.unavailable() &&
		(!v.Summary || !hasNewSummary(v.observed, &observed)) {
		v.observed = &observed
		return v.redraw()
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
	default:
		return v.writeLines(before)
	}
}
