package describe

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestOpening compares the lines with which a watch starts, and the one that it repeats, with testdata/watch.txt.
func TestOpening(t *testing.T) {
	var got strings.Builder
	for _, name := range []string{"progressing", "causes", "health", "not-updating", "empty", "hostile"} {
		us := load(t, filepath.Join("testdata", name+".yaml"))
		head := Head(read(us, testNow), testNow)
		lines := append(append([]string{"== " + name}, Opening(read(us, testNow), Options{Now: testNow, Head: head})...), "-- again", Reminder(head, testNow))
		for _, line := range lines {
			if strings.Contains(line, "\n") {
				t.Errorf("%s: more than one line: %q", name, line)
			}
			got.WriteString(line + "\n")
		}
	}
	compare(t, filepath.Join("testdata", "watch.txt"), got.String())
}
