package cli

import (
	"testing"
)

func TestFrame(t *testing.T) {
	// Each row is cleared first: behind a text that fills it, clearing would take the last character away.
	want := "\x1b[H\x1b[Kone\n\x1b[Ktwo\n\x1b[J"
	if got := Frame([]string{"one", "two"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
