package pace

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// interval is the time between two looks at the load. A look that comes late counts as much as one in time: nothing else was able to run
// in between either.
const interval = 500 * time.Millisecond

// WithTimeout returns a context that ends after a time on a quiet machine. Its cause then is a TimeoutError.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return withTimeout(ctx, limit, Stretch)
}

// Poll calls a function immediately and then at an interval until it returns true or an error, for at most a time on a quiet machine. Its
// error is that of the function, or the cause of the context's end.
func Poll(ctx context.Context, interval, limit time.Duration, condition wait.ConditionWithContextFunc) error {
	ctx, cancel := WithTimeout(ctx, limit)
	defer cancel()
	err := wait.PollUntilContextCancel(ctx, interval, true, condition)
	if err != nil && errors.Is(err, ctx.Err()) {
		return context.Cause(ctx)
	}
	return err
}

// TimeoutError is the cause of the end of a context whose time is over.
type TimeoutError struct {
	// Limit is the time on a quiet machine, and Took what it was here.
	Limit, Took time.Duration
}

// Error returns both times.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("timed out after %s, %s on a quiet machine", e.Took.Round(time.Second), e.Limit)
}

func withTimeout(ctx context.Context, limit time.Duration, stretch func() float64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	started := time.Now()
	go func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for passed := 0.0; passed < limit.Seconds(); passed += interval.Seconds() / stretch() {
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
		}
		cancel(&TimeoutError{Limit: limit, Took: time.Since(started)})
	}()
	return ctx, func() { cancel(context.Canceled) }
}
