package causes

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// seeds is how many updates TestLongFirstCause and TestLongHealthyUpdates play of each kind. After a change of rules, more of them find
// more.
var seeds = flag.Uint64("seeds", 25, "how many updates the long tests play with each kind of fault")

// playedFault is an update with a fault, and what it looked like.
type playedFault struct {
	*fault

	moments []Moment
}

// onePlay has one update with each kind of fault.
var onePlay = sync.OnceValue(func() map[string]playedFault {
	one := map[string]playedFault{}
	for name, kind := range kinds {
		of := kind()
		one[name] = playedFault{of, Play(of, 1)}
	}
	return one
})

// TestFirstCause: from a moment after its insight on a fault is the first cause that is told, of two faults both are causes, and
// nothing else is said to be the cause of a fault. A drain that is blocked is told to the end, whatever is requested meanwhile.
func TestFirstCause(t *testing.T) {
	for name, of := range onePlay() {
		if problem := of.problem(); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// TestLongFirstCause is TestFirstCause for many updates with each kind of fault.
func TestLongFirstCause(t *testing.T) {
	t.Parallel()
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range *seeds {
				of := kind()
				if problem := (playedFault{of, Play(of, seed)}).problem(); problem != "" {
					t.Fatalf("seed %d, %s", seed, problem)
				}
			}
		})
	}
}

// problem returns what is wrong, empty if nothing is.
func (f playedFault) problem() string {
	if problem := firstProblem(f.fault, f.moments); problem != "" {
		return fmt.Sprintf("%v: %s", f.insights, problem)
	}
	return firstBroken(f.moments)
}

// oneHostedPlay has one update of a hosted cluster with each kind of fault.
var oneHostedPlay = sync.OnceValues(func() (map[string][]Moment, error) {
	one := map[string][]Moment{}
	for name, of := range hostedKinds() {
		moments, err := PlayHosted(of)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		one[name] = moments
	}
	return one, nil
})

// TestFirstCauseHosted: the fault is the first cause, and the only one.
func TestFirstCauseHosted(t *testing.T) {
	played, err := oneHostedPlay()
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range hostedKinds() {
		moments := played[name]
		if problem := firstProblem(&fault{insights: []about{of.insight}}, moments); problem != "" {
			t.Errorf("%s: %v: %s", name, of.insight, problem)
		}
		last := moments[len(moments)-1]
		made := summary.Of(summary.Input{Update: update.Read(last.Status), Now: start.Add(last.After)})
		if len(made.Attention) != 1 {
			t.Errorf("%s: %d causes:\n%s", name, len(made.Attention), page(last))
		}
	}
}

// firstProblem returns what is wrong in an update with faults that health insights are about, empty if nothing is.
func firstProblem(of *fault, moments []Moment) string {
	told, before := false, false
	for _, moment := range moments {
		var insights []*updatev1alpha1.Insight
		for _, about := range of.insights {
			// What may pass is Info at first, and is not told.
			if found := find(moment.Status, about); found != nil && found.Health.Impact.Level != updatev1alpha1.LevelInfo {
				insights = append(insights, found)
			}
		}
		for _, one := range insights {
			if len(one.Health.CausedBy) > 0 {
				return moment.After.String() + ": it is caused by " + one.Health.CausedBy[0].UID
			}
			if is := one.Health.Impact.Type; of.impact != "" && is != of.impact {
				return moment.After.String() + ": its impact is " + string(is)
			}
		}
		is := len(insights) == len(of.insights)
		if !is && !told && !of.due.IsZero() && start.Add(moment.After-shown).After(of.due) {
			return moment.After.String() + ": it is not told:\n" + page(moment)
		}
		if of.lasts && told && !is {
			return moment.After.String() + ": it is told no longer:\n" + page(moment)
		}
		if is && before {
			told = true
			made := summary.Of(summary.Input{Update: update.Read(moment.Status), Now: start.Add(moment.After)})
			var first []string
			for at, attention := range made.Attention {
				if at < len(insights) {
					first = append(first, attention.UID)
				}
			}
			for _, one := range insights {
				if !slices.Contains(first, one.UID) {
					return moment.After.String() + ": it is not told first:\n" + page(moment)
				}
			}
		}
		before = is
	}
	if !told {
		return "it is never told"
	}
	return ""
}

// firstBroken returns the first invariant that does not hold, empty if all do: those that test/updatestatus/acceptance checks in a real cluster.
func firstBroken(moments []Moment) string {
	var watcher invariants.Watcher
	for _, moment := range moments {
		made := summary.Of(summary.Input{Update: update.Read(moment.Status), Now: start.Add(moment.After)})
		if problems := invariants.CheckKstatus(made); len(problems) > 0 {
			return moment.After.String() + ": " + strings.Join(problems, "; ")
		}
		if before := watcher.Before(); before != nil && reflect.DeepEqual(before.Status, *moment.Status) {
			continue
		}
		if problems := watcher.Next(&updatev1alpha1.UpdateStatus{Status: *moment.Status}); len(problems) > 0 {
			return moment.After.String() + ": " + strings.Join(problems, "; ")
		}
	}
	return ""
}

var rewrite = flag.Bool("update", false, "write the pages to testdata")

// TestPages compares what a person sees of each fault, at the last moment with the most health insights, with testdata/pages.txt.
func TestPages(t *testing.T) {
	var text strings.Builder
	hosted, err := oneHostedPlay()
	if err != nil {
		t.Fatal(err)
	}
	played := maps.Clone(hosted)
	for name, of := range onePlay() {
		played[name] = of.moments
	}
	for _, name := range slices.Sorted(maps.Keys(played)) {
		var worst Moment
		most := 0
		for _, moment := range played[name] {
			made := summary.Of(summary.Input{Update: update.Read(moment.Status), Now: start.Add(moment.After)})
			if count := int(made.Health.Critical + made.Health.Error + made.Health.Warning); count >= most {
				worst, most = moment, count
			}
		}
		expectFirstLines(t, name, worst)
		fmt.Fprintf(&text, "---- %s: %d health insights\n%s\n\n", name, most, page(worst))
	}
	file := filepath.Join("testdata", "pages.txt")
	if *rewrite {
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (write it with: go test ./test/updatestatus/causes -update)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text.String(), "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// expectFirstLines checks that the first three lines that the client prints in a pipe say what stops the update, since when, and what to do.
func expectFirstLines(t *testing.T, name string, moment Moment) {
	t.Helper()
	now := start.Add(moment.After)
	u := update.ReadAt(moment.Status, now)
	var text strings.Builder
	if err := describe.Write(&text, u, describe.Options{Now: now, Head: describe.Head(u, now)}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	first := u.NeedAttention()[0]
	if !strings.Contains(lines[1], describe.OneLine(first.Summary())) || !strings.Contains(lines[1], "for ") || !strings.Contains(lines[2], "→ ") {
		t.Errorf("%s: the first lines lack %s, since when it is, and what to do:\n%s", name, first.Summary(), strings.Join(lines[:3], "\n"))
	}
}

// find returns the health insight about a fault, nil if there is none.
func find(status *updatev1alpha1.UpdateStatusStatus, fault about) *updatev1alpha1.Insight {
	for _, one := range update.Read(status).Health {
		if checks.Of(one.UID).Name == fault.check && one.Health.Scope.Resources[0].Name == fault.object {
			return one.Insight
		}
	}
	return nil
}

// page returns what a person sees at 80 by 24.
func page(moment Moment) string {
	now := start.Add(moment.After)
	u := update.ReadAt(moment.Status, now)
	return strings.Join(describe.Screen(u, describe.Options{Now: now, Width: 80, Head: describe.Head(u, now)}, nil, 23), "\n")
}
