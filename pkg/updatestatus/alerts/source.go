package alerts

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

const (
	// DefaultEvery is the interval of the polls while the cluster is updating.
	DefaultEvery = 30 * time.Second
	// startupPatience is how long the source waits after its start for the other sources to be complete. Until then it does not know
	// that no update is in progress.
	startupPatience = 5 * time.Minute
)

// Source assesses the alerts that are relevant to the update, which it polls while one is in progress. It is to be assessed when an
// update starts or ends, and when Assess says so.
type Source struct {
	pace   clock.PassiveClock
	every  time.Duration
	update func() ledger.Update
	// query returns the active alerts, or why they can't be read.
	query func(context.Context) ([]assess.Alert, *insight.State)

	started time.Time
	// polledAt and polledFor are the time of the last poll and the update that it was for.
	polledAt  time.Time
	polledFor ledger.Update
	outage    assess.AlertOutage
	// reports are those of the last poll that succeeded, and state is the last state of the source, nil before the first. logged is the
	// state that was logged last.
	reports       []insight.Report
	state, logged *insight.State
}

// Input is what a Source is made from.
type Input struct {
	// Pace is the clock of the polls, which are real requests.
	Pace    clock.PassiveClock
	Querier Querier
	// Every is the interval of the polls, zero for DefaultEvery.
	Every time.Duration
	// Update returns the update of the cluster as the other sources report it.
	Update func() ledger.Update
}

// New returns the source. Without a URL there is nothing to poll, as if no update were in progress.
func New(in Input) (*Source, error) {
	if err := in.Querier.Validate(); err != nil {
		return nil, err
	}
	s := &Source{pace: in.Pace, every: cmp.Or(in.Every, DefaultEvery), update: in.Update, query: in.Querier.query}
	if in.Querier.URL == "" {
		s.update = func() ledger.Update { return ledger.Update{Known: true} }
	}
	return s, nil
}

// Assess is a source.Assess: it polls if it is time to, and reports nothing if no update is in progress.
func (s *Source) Assess(ctx context.Context, now time.Time) (insight.Message, time.Time, error) {
	if s.started.IsZero() {
		s.started = now
	}
	update, patienceEnds := s.update(), s.started.Add(startupPatience)
	switch {
	case isPolled(update):
		if s.untilPoll() <= 0 || !update.Started.Equal(s.polledFor.Started) {
			if err := s.poll(ctx, update, now); err != nil {
				return insight.Message{}, time.Time{}, err
			}
		}
		return s.message(ctx), now.Add(s.untilPoll()), nil
	case update.Known || !now.Before(patienceEnds):
		s.polledFor.Unfinished = false
		s.reports, s.state = nil, &insight.State{Complete: true}
		return s.message(ctx), time.Time{}, nil
	default:
		return insight.Message{}, patienceEnds, nil
	}
}

// isPolled returns whether alerts are polled during an update. Without its start it is not known which alerts are relevant to it.
func isPolled(update ledger.Update) bool {
	return update.Unfinished && !update.Started.IsZero()
}

// untilPoll returns the time until the next poll, which also applies to an update that was interrupted.
func (s *Source) untilPoll() time.Duration {
	return s.polledAt.Add(s.every).Sub(s.pace.Now())
}

// poll reads the alerts. It returns an error only if the context has ended.
func (s *Source) poll(ctx context.Context, update ledger.Update, now time.Time) error {
	if !s.polledFor.Unfinished {
		s.outage = assess.AlertOutage{Since: now}
	}
	s.polledAt, s.polledFor = s.pace.Now(), update
	alerts, why := s.query(ctx)
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("reading the alerts: %w", err)
	}
	if why == nil {
		s.outage = assess.AlertOutage{Since: now}
		// The update may have ended, or another one started, during the request.
		s.reports, s.state = assess.BoundAlerts(assess.Alerts(assess.AlertsInput{Alerts: alerts, Update: s.update(), Now: now}))
		return nil
	}
	s.outage = s.outage.Failed(*why)
	if s.outage.IsOver(now) {
		s.reports = nil
	}
	if state := s.outage.State(s.state, now); state != nil {
		s.state = state
	}
	return nil
}

// message returns what is reported, and logs why that is not everything, if that is new.
func (s *Source) message(ctx context.Context) insight.Message {
	if isNews(s.logged, s.state) {
		klog.FromContext(ctx).Info("Unable to report all alerts", "reason", s.state.Reason, "message", s.state.Message)
	}
	s.logged = s.state
	return insight.Message{Reports: s.reports, State: s.state}
}

// isNews returns whether a state has another reason for reporting less than everything than the last one had.
func isNews(last, state *insight.State) bool {
	if state == nil || state.Reason == "" {
		return false
	}
	return last == nil || last.Reason != state.Reason || last.Message != state.Message
}
