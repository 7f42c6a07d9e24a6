package cli

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails if a test leaks a goroutine. Texts are those of a terminal with UTF-8.
func TestMain(m *testing.M) {
	if err := os.Setenv("LC_ALL", "C.UTF-8"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
