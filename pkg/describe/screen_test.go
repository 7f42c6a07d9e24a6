package describe

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// screenOf returns the screen of an object on a terminal with a size, without its last row.
func screenOf(us *updatev1alpha1.UpdateStatus, columns, rows int, notices ...string) []string {
	return Screen(us, Options{Now: testNow, Head: Head(us, testNow), Width: columns}, notices, rows-1)
}

// TestScreen compares the screens of each object of testdata, on small and large terminals, with the files beside it, and checks
// that they fit.
func TestScreen(t *testing.T) {
	objects, err := filepath.Glob(filepath.Join("testdata", "*.yaml"))
	if err != nil || len(objects) == 0 {
		t.Fatalf("no objects in testdata: %v", err)
	}
	for _, object := range objects {
		name := strings.TrimSuffix(object, ".yaml")
		t.Run(filepath.Base(name), func(t *testing.T) {
			us := load(t, object)
			var all strings.Builder
			for _, size := range []struct{ columns, rows int }{{100, 24}, {80, 24}, {60, 20}} {
				lines := screenOf(us, size.columns, size.rows)
				fmt.Fprintf(&all, "---- %d columns, %d rows\n%s\n", size.columns, size.rows, strings.Join(lines, "\n"))
				expectToFit(t, lines, size.columns, size.rows)
			}
			compare(t, name+".screen.txt", all.String())
		})
	}
}

func expectToFit(t *testing.T, lines []string, columns, rows int) {
	t.Helper()
	if len(lines) >= rows {
		t.Errorf("%d lines for %d rows", len(lines), rows)
	}
	for _, line := range lines {
		if got := width(line); got > columns {
			t.Errorf("%d columns of %d: %s", got, columns, line)
		}
	}
}

func withoutSteps(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.HasPrefix(line, "  → ") })
}

// TestScreenOfAnySize checks that a screen fits any terminal, and that it counts what it leaves out.
func TestScreenOfAnySize(t *testing.T) {
	us := load(t, filepath.Join("testdata", "health.yaml"))
	for rows := 1; rows < 60; rows++ {
		lines := screenOf(us, 80, rows, "the API server is away")
		expectToFit(t, lines, 80, max(rows, 2))
		// What to do next is there for as many causes as have space.
		isWhole := len(withoutSteps(screenOf(us, 80, 1000, "the API server is away"))) == len(withoutSteps(lines))
		if !isWhole && !strings.HasPrefix(lines[len(lines)-1], "… and ") {
			t.Errorf("%d rows: nothing says what is left out:\n%s", rows, strings.Join(lines, "\n"))
		}
		if rows > 4 && !strings.HasPrefix(lines[0], "! the API server is away") {
			t.Errorf("%d rows: the notice is not first:\n%s", rows, strings.Join(lines, "\n"))
		}
	}
}

// TestChanges checks the line of each thing that happens.
func TestChanges(t *testing.T) {
	before, after := load(t, filepath.Join("testdata", "progressing.yaml")), load(t, filepath.Join("testdata", "health.yaml"))
	if got := Changes(before, before); len(got) != 0 {
		t.Errorf("the same status changes: %v", got)
	}
	got := strings.Join(Changes(before, after), "\n") + "\n"
	compare(t, filepath.Join("testdata", "changes.txt"), got)
}
