package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFrame(t *testing.T) {
	for _, tc := range []struct {
		name          string
		lines         []string
		columns, rows int
		want          []string
	}{
		{"fits", []string{"one", "two"}, 80, 24, []string{"one", "two"}},
		{"fits exactly", []string{"one", "two"}, 3, 3, []string{"one", "two"}},
		{"too wide", []string{"häuser", "two"}, 3, 24, []string{"häu", "two"}},
		{"too long", []string{"1", "2", "3", "4", "5"}, 80, 4, []string{"1", "2", "... 3 more lines: make the terminal higher to see them"}},
		{"no size", []string{"one", "two"}, 0, 0, []string{"one", "two"}},
		{"one row", []string{"one", "two"}, 80, 2, []string{"... 2 more lines: make the terminal higher to see them"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before := strings.Join(tc.lines, "\n")
			got := frame(tc.lines, tc.columns, tc.rows)
			want := "\x1b[H" + strings.Join(tc.want, "\x1b[K\r\n") + "\x1b[K\r\n\x1b[J"
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if after := strings.Join(tc.lines, "\n"); after != before {
				t.Errorf("the lines were changed: %q", after)
			}
		})
	}
}
