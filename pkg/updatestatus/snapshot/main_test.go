package snapshot

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when a test leaks a goroutine.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}
