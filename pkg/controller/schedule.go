package controller

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/ledger"
)

const (
	// startupPatience is how long the controller waits after its start for the first report of every source before it
	// writes that it waits. Sources take seconds: a restart thus changes nothing in the object.
	startupPatience = 30 * time.Second
	// agreementPatience is how long the controller waits for a source to report the update that another one has reported. That
	// takes milliseconds, or a second with thousands of nodes on a busy machine. It takes longer while watches fail: a status
	// that is slightly outdated is better then than one that contradicts itself.
	agreementPatience = 10 * time.Second
	// firstRetry and lastRetry bound the backoff after an error.
	firstRetry = 5 * time.Millisecond
	lastRetry  = 4 * time.Second
	// minCheckDelay is the shortest delay until the next check: clocks are not exact.
	minCheckDelay = time.Second
	// rejectedRetry is the delay after the API server has rejected a status: it rejects the same content again.
	rejectedRetry = time.Minute
)

// initialBackoff is the backoff after the first error. That of the queue would grow to a quarter of an hour, and the status is needed most
// during an outage of the API server.
var initialBackoff = wait.Backoff{Duration: firstRetry, Factor: 2, Steps: 100, Cap: lastRetry}

// schedule decides when the status is written. It is not safe for concurrent use.
type schedule struct {
	// clock is the clock of what is observed, pace that of real traffic.
	clock, pace clock.PassiveClock
	pacer       *pacer
	backoff     wait.Backoff
	started     time.Time
	// notBefore is the earliest time of the next write: until then a status is not worth building.
	notBefore time.Time
	// disagreeingSince is when the sources started to report different updates, zero while they agree.
	disagreeingSince time.Time
	// oldestPending is when the oldest change was received that is not written yet, zero if there is none.
	oldestPending time.Time
}

func newSchedule(clock, pace clock.PassiveClock) *schedule {
	return &schedule{clock: clock, pace: pace, pacer: newPacer(), backoff: initialBackoff, started: pace.Now()}
}

// untilWrite returns the time until the next write may happen. It is not positive if that is now.
func (s *schedule) untilWrite() time.Duration {
	return s.notBefore.Sub(s.pace.Now())
}

// untilSourcesReady returns how long to wait for sources: for the first report of each after the start, and while one has
// not reported yet that an update started or ended. It is not positive if they are ready, or if waiting took too long.
func (s *schedule) untilSourcesReady(view ledger.View) time.Duration {
	if !view.AllReported() {
		return startupPatience - s.pace.Since(s.started)
	}
	if view.SourcesAgree() {
		s.disagreeingSince = time.Time{}
		return 0
	}
	if s.disagreeingSince.IsZero() {
		s.disagreeingSince = s.pace.Now()
	}
	return agreementPatience - s.pace.Since(s.disagreeingSince)
}

// reserve reserves a write of a size now and returns zero, or reserves nothing and returns the time until it may happen.
func (s *schedule) reserve(size int) time.Duration {
	now := s.pace.Now()
	delay := s.pacer.reserve(now, size)
	if delay > 0 {
		s.notBefore = now.Add(delay)
		return delay
	}
	s.notBefore = now.Add(s.pacer.next(now, size))
	return 0
}

// retryAfter returns the delay of the next attempt after an error. Nothing is written before then: each report queues the
// key, and would be another attempt.
func (s *schedule) retryAfter() time.Duration {
	return s.postpone(s.backoff.Step())
}

// postpone postpones the next attempt by a delay, and returns the delay.
func (s *schedule) postpone(delay time.Duration) time.Duration {
	s.notBefore = s.pace.Now().Add(delay)
	return delay
}

// checkAfter returns the delay of the next check after a sync without an error, zero if there is none.
func (s *schedule) checkAfter(nextCheck time.Time) time.Duration {
	s.backoff = initialBackoff
	if nextCheck.IsZero() {
		return 0
	}
	return max(nextCheck.Sub(s.clock.Now()), minCheckDelay)
}

// isCheckDue is whether the status has to be built again although no source has reported a change.
func (s *schedule) isCheckDue(nextCheck time.Time) bool {
	return !nextCheck.IsZero() && !s.clock.Now().Before(nextCheck)
}

// dropDelays lets the next write happen now.
func (s *schedule) dropDelays() {
	s.pacer, s.notBefore = newPacer(), time.Time{}
}
