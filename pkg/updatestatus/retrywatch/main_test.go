package retrywatch_test

import (
	"testing"

	"go.uber.org/goleak"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// TestMain fails when a test leaves a goroutine behind.
func TestMain(m *testing.M) {
	// The handler that bounds the rate of errors would sleep for decades in a bubble of time, which starts in the past.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] //nolint:reassign // that is how it is configured
	goleak.VerifyTestMain(m)
}
