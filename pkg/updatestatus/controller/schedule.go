package controller

import (
	"slices"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
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
	// buildInterval is the shortest interval between two builds: sources report changes one by one.
	buildInterval = 200 * time.Millisecond
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
	builds      *rate.Limiter
	backoff     wait.Backoff
	started     time.Time
	// notBefore is the earliest time of the next build, and writeNotBefore that of the next write that is not urgent.
	notBefore, writeNotBefore time.Time
	// disagreeingSince is when the sources started to report different updates, zero while they agree.
	disagreeingSince time.Time
	// oldestPending is when the oldest change was received that is not written yet, zero if there is none.
	oldestPending time.Time
}

func newSchedule(clock, pace clock.PassiveClock) *schedule {
	return &schedule{clock: clock, pace: pace, pacer: newPacer(), builds: newBuildLimit(), backoff: initialBackoff, started: pace.Now()}
}

func newBuildLimit() *rate.Limiter {
	return rate.NewLimiter(insight.BuildsASecond, insight.BuildsBurst)
}

// untilBuild returns the time until a status may be built. It is not positive if that is now.
func (s *schedule) untilBuild() time.Duration {
	return s.notBefore.Sub(s.pace.Now())
}

// setBuilt sets that a status was built now.
func (s *schedule) setBuilt() {
	now := s.pace.Now()
	next := s.builds.ReserveN(now, 1).DelayFrom(now)
	s.notBefore = now.Add(max(buildInterval, next))
}

// untilWrite returns the time until a status may be written. It is not positive if that is now.
func (s *schedule) untilWrite(urgent bool) time.Duration {
	if urgent {
		return 0
	}
	return s.writeNotBefore.Sub(s.pace.Now())
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
func (s *schedule) reserve(size int, urgent bool) time.Duration {
	now := s.pace.Now()
	delay := s.pacer.reserve(now, size, urgent)
	s.writeNotBefore = now.Add(delay)
	return delay
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

// resetBackoff makes the next retry after an error the first one.
func (s *schedule) resetBackoff() {
	s.backoff = initialBackoff
}

// earliest returns the shortest of some delays that are positive, zero if none is.
func earliest(delays ...time.Duration) time.Duration {
	delays = slices.DeleteFunc(delays, func(delay time.Duration) bool { return delay <= 0 })
	if len(delays) == 0 {
		return 0
	}
	return slices.Min(delays)
}

// checkAfter returns the delay of the next check, zero if there is none.
func (s *schedule) checkAfter(nextCheck time.Time) time.Duration {
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
	s.pacer, s.notBefore, s.writeNotBefore = newPacer(), time.Time{}, time.Time{}
}
