package describe

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestHostileTimes sets each time of an object to one that cannot be true: the text is as if the object did not have it.
func TestHostileTimes(t *testing.T) {
	options := Options{Now: testNow, Details: DetailsAll}
	for _, name := range []string{"progressing", "health", "not-updating", "estimates"} {
		whole := load(t, filepath.Join("testdata", name+".yaml"))
		for number, path := range slices.Sorted(maps.Keys(builders.Times(whole))) {
			with := func(at time.Time) string {
				us := whole.DeepCopy()
				*builders.Times(us)[path] = at
				var line strings.Builder
				line.WriteString(End(read(us, testNow), Options{Now: testNow, Head: Head(read(us, testNow), testNow)}))
				line.WriteString(strings.Join(Screen(read(us, testNow), Options{Now: testNow, Head: Head(read(us, testNow), testNow)}, nil, 100), "\n"))
				if *builders.Times(us)[path] != at {
					t.Errorf("%s of the object was changed", path)
				}
				return text(t, us, options) + line.String()
			}
			hostile := builders.OneHostileTime(testNow, number)[0]
			if diff := cmp.Diff(with(time.Time{}), with(hostile)); diff != "" {
				t.Errorf("%s: %s (-without +with %s):\n%s", name, path, hostile, diff)
			}
		}
	}
}
