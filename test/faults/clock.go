package faults

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

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

// moveClock lets the clock of the controller jump ahead, back, behind, and back.
func moveClock(ctx context.Context, w *World) error {
	defer w.ahead.Store(0)
	for _, by := range []time.Duration{time.Hour, 0, -time.Hour, 0} {
		if !w.Pause(ctx, maxPause/2) {
			return fmt.Errorf("the update was over before the clock was ahead by %s", by)
		}
		w.ahead.Store(int64(by))
	}
	return nil
}
