package nodes

import (
	"context"
	"fmt"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/drain"
)

// Drains reads what keeps nodes from being drained.
type Drains interface {
	// Blockers returns what was last read for a node, nil before the first read, and when to call again.
	Blockers(node string, now time.Time) (*drain.Blockers, time.Time)
	// Forget says that a node is of no interest any more.
	Forget(node string)
}

// KeptDrains returns since when nodes drain by what the UpdateStatus in the cluster said when the controller started.
type KeptDrains func(context.Context) (map[string]time.Time, error)

// drainsPatience is how long nothing is reported after the start for the sake of drains that have not been read yet.
const drainsPatience = 15 * time.Second

// awaitsDrains is whether to wait, at the start, for what keeps the nodes that drain for long.
func (c *Controller) awaitsDrains(now time.Time) bool {
	if c.complete || now.Sub(c.began) >= drainsPatience {
		return false
	}
	for name, known := range c.roster.nodes {
		if !known.drain.pending {
			continue
		}
		if read, _ := c.drains.Blockers(name, now); read == nil {
			return true
		}
	}
	return false
}

// Requeue assesses a node again, of whose drain something was read.
func (c *Controller) Requeue(node string) {
	c.context.Queue().Add(drainPrefix + node)
}

// drained is what is known of a node's drain after an assessment.
type drained struct {
	// since is when the drain was first seen, zero if there is none.
	since time.Time
	// reading is whether what keeps the node is read, and pending whether nothing has been read yet.
	reading, pending bool
}

// assess assesses a node and looks for what keeps it, if its drain takes long.
func (c *Controller) assess(ctx context.Context, in assess.NodeInput, before memory, now time.Time) (assess.Result, drained, error) {
	name := in.Node.Name
	var drain drained
	if assess.IsDraining(in) {
		since, err := c.drainingSince(ctx, name, before, now)
		if err != nil {
			return assess.Result{}, drain, err
		}
		drain.since = since
		in.Drain.Observed = since
	}
	result := assess.Node(in, now)
	if !result.LongDrain {
		if before.drain.reading {
			c.drains.Forget(name)
		}
		return result, drain, nil
	}
	read, again := c.drains.Blockers(name, now)
	in.Drain.Blockers = read
	result = assess.Node(in, now)
	if result.NextCheck.IsZero() || again.Before(result.NextCheck) {
		result.NextCheck = again
	}
	drain.reading, drain.pending = true, read == nil
	return result, drain, nil
}

// drainingSince returns when a drain was first seen: by this process, or by one before if it goes on since this one began.
func (c *Controller) drainingSince(ctx context.Context, name string, before memory, now time.Time) (time.Time, error) {
	if before.known && before.drain.since.IsZero() {
		return now, nil
	}
	if before.known {
		return before.drain.since, nil
	}
	if c.kept == nil {
		kept, err := c.keptDrains(ctx)
		if err != nil {
			return time.Time{}, fmt.Errorf("asking since when nodes drain: %w", err)
		}
		c.kept = kept
	}
	if since, found := c.kept[name]; found {
		// A node of that name that comes later is another one.
		delete(c.kept, name)
		return since, nil
	}
	return now, nil
}
