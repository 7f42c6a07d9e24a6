package pace

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// TestTimeout checks that a limit is prolonged while the machine is busy.
func TestTimeout(t *testing.T) {
	for _, test := range []struct {
		name    string
		stretch float64
		want    time.Duration
	}{
		{name: "quiet", stretch: 1, want: 10 * time.Second},
		{name: "busy", stretch: 4, want: 40 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				started := time.Now()
				ctx, cancel := withTimeout(t.Context(), 10*time.Second, func() float64 { return test.stretch })
				defer cancel()
				<-ctx.Done()
				if took := time.Since(started); took != test.want {
					t.Errorf("the context ended after %s, want %s", took, test.want)
				}
				var timeout *TimeoutError
				if cause := context.Cause(ctx); !errors.As(cause, &timeout) || timeout.Took != test.want {
					t.Errorf("the cause is %v", cause)
				}
			})
		})
	}
}

// TestStretch checks that processes that keep all cores busy are noticed.
func TestStretch(t *testing.T) {
	for range 4 * runtime.NumCPU() {
		command := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for measure() < 2 && t.Context().Err() == nil {
	}
}
