package describe

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestTree compares the tree of causes with the file that is beside the object, and checks that it fits narrow terminals.
func TestTree(t *testing.T) {
	us := load(t, filepath.Join("testdata", "causes.yaml"))
	options := Options{Now: testNow, Head: Head(read(us, testNow), testNow), Details: DetailsHealth}
	compare(t, filepath.Join("testdata", "causes.tree.txt"), text(t, us, options))
	options.Width = 60
	_, health, _ := strings.Cut(text(t, us, options), "= Update Health =")
	for line := range strings.SplitSeq(health, "\n") {
		isCommand := strings.HasPrefix(strings.TrimSpace(line), "oc ")
		if width(line) > 60 && !isCommand && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("%d columns: %s", width(line), line)
		}
	}
}
