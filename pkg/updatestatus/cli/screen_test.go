package cli

import (
	"testing"
)

func TestFrame(t *testing.T) {
	// Each row is cleared first: behind a text that fills it, clearing would take the last character away.
	want := "\x1b[?25l\x1b[?7l\x1b[H\x1b[Kone\n\x1b[Ktwo\n\x1b[J\x1b[?7h\x1b[?25h"
	if got := Frame([]string{"one", "two"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
