package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFrame(t *testing.T) {
	for _, tc := range []struct {
		name string
		text string
		rows int
		want []string
	}{
		{"fits", "one\ntwo\n", 24, []string{"one", "two"}},
		{"fits exactly", "one\ntwo\n", 3, []string{"one", "two"}},
		{"too long", "1\n2\n3\n4\n5\n", 4, []string{"1", "2", "... 3 more lines, enlarge the terminal to see them"}},
		{"no size", "one\ntwo", 0, []string{"one", "two"}},
		{"one row", "one\ntwo", 2, []string{"... 2 more lines, enlarge the terminal to see them"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := "\x1b[H" + strings.Join(tc.want, "\x1b[K\n") + "\x1b[K\n\x1b[J"
			if diff := cmp.Diff(want, Frame(tc.text, tc.rows)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
