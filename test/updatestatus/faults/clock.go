package faults

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"
)

// clockAhead is a clock that is ahead, by nanoseconds that may change. Its timers are those of the real clock.
type clockAhead struct {
	clock.RealClock

	by *atomic.Int64
}

// Now implements clock.PassiveClock.
func (c clockAhead) Now() time.Time { return c.RealClock.Now().Add(time.Duration(c.by.Load())) }

// Since implements clock.PassiveClock.
func (c clockAhead) Since(moment time.Time) time.Duration { return c.Now().Sub(moment) }

// moveClock lets the clock of the controller jump ahead and back, and behind and back, after a write each time. If the update is over
// before, the clock has at least jumped back once.
func moveClock(ctx context.Context, w *World) error {
	defer w.ahead.Store(0)
	for at, by := range []time.Duration{time.Hour, 0, -time.Hour, 0} {
		w.ahead.Store(int64(by))
		written := len(w.observer.Versions())
		err := wait.PollUntilContextCancel(ctx, retryInterval, true, func(context.Context) (bool, error) {
			return len(w.observer.Versions()) > written, nil
		})
		if err != nil && at < 2 {
			return fmt.Errorf("the controller has not written while its clock was ahead by %s: %w", by, err)
		}
	}
	return nil
}
