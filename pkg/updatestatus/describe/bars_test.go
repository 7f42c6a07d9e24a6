package describe

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestBar: a bar is full only if nothing is left.
func TestBar(t *testing.T) {
	for percent, want := range map[int32]string{-1: "░░░░░░░░░░", 0: "░░░░░░░░░░", 9: "░░░░░░░░░░", 10: "█░░░░░░░░░", 99: "█████████░", 100: "██████████", 200: "██████████"} {
		if got := (&page{}).bar(percent); got != want {
			t.Errorf("%d%%: %s", percent, got)
		}
	}
	p := &page{Options: Options{ASCII: true}, isNew: true}
	if got := p.bar(45); got != "[####------]" {
		t.Errorf("in ASCII: %s", got)
	}
}

// TestHeadAtEnd: the head is repeated at the end of a text that is longer than the terminal, and nowhere else. A line that is wider than the
// terminal takes several rows.
func TestHeadAtEnd(t *testing.T) {
	us := load(t, filepath.Join("testdata", "causes.yaml"))
	options := Options{Now: testNow, Head: Head(read(us, testNow), testNow), Width: 80}
	whole := text(t, us, options)
	lines := strings.Count(whole, "\n")
	for rows, isRepeated := range map[int]bool{0: false, lines: true, lines + 1: false, 1000: false} {
		options.Rows = rows
		got := text(t, us, options)
		if !strings.HasPrefix(got, whole) || (got != whole) != isRepeated {
			t.Errorf("%d lines, %d rows:\n%s", lines, rows, got)
		}
		_, end, _ := strings.Cut(strings.TrimPrefix(got, whole), "\n")
		if title, _, _ := strings.Cut(whole, "\nAttention "); isRepeated && !strings.HasPrefix(end, title+"\nAttention ") {
			t.Errorf("the end is\n%s", end)
		}
	}
	p := &page{Options: Options{Width: 10}}
	p.write("1234567890")
	p.write("12345678901")
	p.blank()
	if got := p.height(); got != 4 {
		t.Errorf("%d rows", got)
	}
}
