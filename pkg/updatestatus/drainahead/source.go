package drainahead

import (
	"context"
	"fmt"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

const (
	// readEvery is the interval of the reads while nodes wait, and assessEvery how often it is assessed which nodes do.
	readEvery   = 10 * time.Minute
	assessEvery = time.Minute
	// maxAge is how long what was read is used while it can't be read again.
	maxAge = 3 * readEvery
)

// Source assesses the nodes that will not drain. It is to be assessed when an update starts or ends, and when Assess says so.
type Source struct {
	Input

	// last is what was read last, at lastReadAt; triedAt is when it was last tried, and isFailing whether that failed.
	last                drain.AheadInput
	lastReadAt, triedAt time.Time
	isFailing           bool
}

// Input is what a Source is made from.
type Input struct {
	// Pace is the clock of the reads, which are real requests.
	Pace clock.PassiveClock
	// Read reads what blocks drains that have not begun.
	Read func(context.Context) (drain.AheadInput, error)
	// Update returns the update of the cluster as the other sources report it.
	Update func() ledger.Update
	// Waiting returns the nodes that wait for their update, with their pools.
	Waiting func(context.Context) (map[string]string, error)
}

// New returns the source.
func New(in Input) *Source {
	return &Source{Input: in}
}

// Assess is a source.Assess: it looks at the nodes that wait, and reports nothing if no update is in progress.
func (s *Source) Assess(ctx context.Context, now time.Time) (insight.Message, time.Time, error) {
	message := insight.Message{State: &insight.State{Complete: true}}
	update := s.Update()
	if !update.Known {
		return insight.Message{}, time.Time{}, nil // what was stored stays until the update is known, which is a change
	}
	if !update.Unfinished {
		s.last, s.triedAt = drain.AheadInput{}, time.Time{}
		return message, time.Time{}, nil
	}
	waiting, err := s.Waiting(ctx)
	if err != nil {
		return message, time.Time{}, fmt.Errorf("reading which nodes wait: %w", err)
	}
	if len(waiting) > 0 {
		s.read(ctx)
	}
	in := s.last
	in.Waiting = waiting
	message.Reports = standalone.DrainsAhead(standalone.DrainsAheadInput{Predictions: drain.Ahead(in), Update: update})
	return message, now.Add(assessEvery), nil
}

// read reads again, if it is time to.
func (s *Source) read(ctx context.Context) {
	now := s.Pace.Now()
	if now.Sub(s.triedAt) < readEvery {
		return
	}
	s.triedAt = now
	read, err := s.Read(ctx)
	switch {
	case err == nil:
		s.last, s.lastReadAt, s.isFailing = read, now, false
		return
	case !s.isFailing && ctx.Err() == nil:
		klog.FromContext(ctx).Info("Unable to predict blocked drains", "err", err)
		s.isFailing = true
	}
	if now.Sub(s.lastReadAt) >= maxAge {
		s.last = drain.AheadInput{}
	}
}
