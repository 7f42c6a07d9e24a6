package cli

import (
	"testing"
)

func TestFrame(t *testing.T) {
	want := "\x1b[Hone\x1b[K\ntwo\x1b[K\n\x1b[J"
	if got := Frame([]string{"one", "two"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
