package nodes

import (
	"context"
	"fmt"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/drain"
)

// Drains reads what blocks the drains of nodes.
type Drains interface {
	// Blockers returns what was last read for a node, nil before the first read, and when to call again.
	Blockers(node string, now time.Time) (*drain.Blockers, time.Time)
	// Forget stops reading what blocks the drain of a node.
	Forget(node string)
	// Run reads until the context ends, and calls requeue with each node of which something else was read.
	Run(ctx context.Context, requeue func(node string))
}

// PreviousDrainStarts returns since when nodes drain by the UpdateStatus that was in the cluster when the controller started.
type PreviousDrainStarts func(context.Context) (map[string]time.Time, error)

// PreviousDrainFailures returns what the last attempts of drains failed with by the same object.
type PreviousDrainFailures func(context.Context) (map[string]string, error)

// drainsPatience is how long the first report waits for the blockers of drains to be read.
const drainsPatience = 15 * time.Second

// awaitsDrains returns whether the first report has to wait for the blockers of long drains.
func (c *Controller) awaitsDrains(now time.Time) bool {
	if c.hasReported || now.Sub(c.started) >= drainsPatience {
		return false
	}
	for name, each := range c.assessed.nodes {
		if !each.drain.isUnread {
			continue
		}
		if read, _ := c.drains.Blockers(name, now); read == nil {
			return true
		}
	}
	return false
}

// Requeue assesses a node again: something else was read of its drain.
func (c *Controller) Requeue(node string) {
	c.context.Queue().Add(drainPrefix + node)
}

// drainState is what is known of a node's drain after an assessment.
type drainState struct {
	// since is when the drain was first observed, zero if there is none.
	since time.Time
	// failedWith is what an attempt of the drain failed with.
	failedWith string
	// isRead is whether the blockers of the drain are read, and isUnread whether none have been yet.
	isRead, isUnread bool
}

// assessWithDrain assesses a node, with what blocks its drain if that takes long.
func (c *Controller) assessWithDrain(
	ctx context.Context, in assess.NodeInput, previous assessedNode, now time.Time,
) (assess.Result, drainState, error) {
	name := in.Node.Name
	var state drainState
	if assess.IsDraining(in) {
		since, failedWith, err := c.drainBefore(ctx, name, previous, now)
		if err != nil {
			return assess.Result{}, state, err
		}
		state.since = since
		in.Drain.Observed, in.Drain.FailedWith = since, failedWith
	}
	result := assess.Node(in, now)
	state.failedWith = result.DrainFailedWith
	if !result.LongDrain {
		if previous.drain.isRead {
			c.drains.Forget(name)
		}
		return result, state, nil
	}
	read, again := c.drains.Blockers(name, now)
	in.Drain.Blockers = read
	result = assess.Node(in, now)
	if result.NextCheck.IsZero() || again.Before(result.NextCheck) {
		result.NextCheck = again
	}
	state.isRead, state.isUnread = true, read == nil
	return result, state, nil
}

// drainBefore returns when a drain was first observed, and what an attempt failed with: by this process, or by the one before if it has
// gone on since.
func (c *Controller) drainBefore(ctx context.Context, name string, previous assessedNode, now time.Time) (since time.Time, failedWith string, err error) {
	if previous.node != nil && previous.drain.since.IsZero() {
		return now, "", nil
	}
	if previous.node != nil {
		return previous.drain.since, previous.drain.failedWith, nil
	}
	if err := c.loadDrains(ctx); err != nil {
		return time.Time{}, "", err
	}
	since, found := c.drainStarts[name]
	if !found {
		return now, "", nil
	}
	// A node of that name that comes later is another one.
	delete(c.drainStarts, name)
	return since, c.drainFailures[name], nil
}

// loadDrains loads once what the process before has observed.
func (c *Controller) loadDrains(ctx context.Context) error {
	if c.drainStarts != nil {
		return nil
	}
	failures, err := c.previousDrainFailures(ctx)
	if err != nil {
		return fmt.Errorf("reading what drains failed with: %w", err)
	}
	starts, err := c.previousDrainStarts(ctx)
	if err != nil {
		return fmt.Errorf("reading since when nodes drain: %w", err)
	}
	c.drainStarts, c.drainFailures = starts, failures
	return nil
}
