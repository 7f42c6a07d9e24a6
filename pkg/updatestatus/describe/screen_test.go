package describe

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// screenOf returns the screen of an object on a terminal with a size, without its last row.
func screenOf(us *updatev1alpha1.UpdateStatus, columns, rows int, notices ...string) []string {
	return Screen(read(us, testNow), Options{Now: testNow, Head: Head(read(us, testNow), testNow), Width: columns}, notices, rows-1)
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

// TestScreenInASCII checks that a screen without UTF-8 has ASCII characters alone and fits, whatever the object has.
func TestScreenInASCII(t *testing.T) {
	objects, err := filepath.Glob(filepath.Join("testdata", "*.yaml"))
	if err != nil || len(objects) == 0 {
		t.Fatalf("no objects in testdata: %v", err)
	}
	for _, object := range objects {
		us := load(t, object)
		lines := Screen(read(us, testNow), Options{Now: testNow, Head: Head(read(us, testNow), testNow), Width: 80, ASCII: true}, []string{"a → b"}, 23)
		expectToFit(t, lines, 80, 24)
		for _, line := range lines {
			if strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII }) {
				t.Errorf("%s: %s", object, line)
			}
		}
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

// problem is a health insight with commands.
func problem(uid, text string, started int, commands ...updatev1alpha1.Command) updatev1alpha1.Insight {
	return updatev1alpha1.Insight{UID: uid, Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
		StartedAt:   inMinutes(started),
		Impact:      updatev1alpha1.HealthImpact{Level: updatev1alpha1.LevelError, Type: updatev1alpha1.ImpactUpdateStalled, Summary: text},
		Remediation: updatev1alpha1.HealthRemediation{Commands: commands},
	}}
}

// TestFirstStep checks the lines of the first command: a shell reads them as one, whatever its arguments are.
func TestFirstStep(t *testing.T) {
	command := func(argv ...string) updatev1alpha1.Command { return updatev1alpha1.Command{Argv: argv} }
	patch := command("oc", "patch", "nodepool", "a", "-p", "{ \"spec\": { \"pausedUntil\": null } }")
	hosted := command("oc", "describe", "node", "worker-0")
	hosted.Cluster = updatev1alpha1.ClusterHosted
	for _, test := range []struct {
		name      string
		commands  []updatev1alpha1.Command
		reference string
		width     int
		want      []string
	}{
		{name: "nothing", width: 80},
		{name: "the first command", commands: []updatev1alpha1.Command{command("oc", "a"), command("oc", "b")}, reference: "https://example.com", width: 80, want: []string{"  → oc a"}},
		{name: "it just fits", commands: []updatev1alpha1.Command{command("oc", "describe", "node", "worker")}, width: len("  > oc describe node worker"), want: []string{"  → oc describe node worker"}},
		{
			name: "it does not", commands: []updatev1alpha1.Command{command("oc", "describe", "node", "worker")}, width: len("  > oc describe node worker") - 1,
			want: []string{"  → oc describe node \\", "      worker"},
		},
		{
			name: "three lines", commands: []updatev1alpha1.Command{command("oc", "describe", "node", "worker-0.example.com")}, width: 16,
			want: []string{"  → oc \\", "      describe \\", "      node \\", "      worker-0.example.com"},
		},
		{name: "no width", commands: []updatev1alpha1.Command{patch}, want: []string{"  → oc patch nodepool a -p '{ \"spec\": { \"pausedUntil\": null } }'"}},
		{
			name: "spaces in an argument", commands: []updatev1alpha1.Command{patch}, width: 40,
			want: []string{"  → oc patch nodepool a -p \\", "      '{ \"spec\": { \"pausedUntil\": null } }'"},
		},
		{
			name: "a comment", commands: []updatev1alpha1.Command{hosted}, width: 40,
			want: []string{"  → oc describe node worker-0 \\", "       # in the hosted cluster"},
		},
		{name: "a page", reference: "https://example.com/page", width: 80, want: []string{"  → see https://example.com/page"}},
		{name: "a page with a long address", reference: "https://example.com/page", width: 30, want: []string{"  → see", "      https://example.com/page"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			one := problem("a", "a", 0, test.commands...)
			one.Health.Remediation.Reference = test.reference
			s := &screen{page: page{Options: Options{Head: updatingWorkers(""), Width: test.width}}}
			got := s.firstStep(causes.Group{Members: []causes.Insight{{Insight: &one}}})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestProblemsOnScreen checks how many lines a problem has: four for the worst, two for others, and each since when.
func TestProblemsOnScreen(t *testing.T) {
	words := func(number int) string { return strings.TrimSpace(strings.Repeat("word ", number)) }
	const since = "(for 12m)"
	for _, test := range []struct {
		name          string
		texts         []string
		columns, rows int
		// want is how many lines each has, of the first problems and of the others.
		want, others []int
		isCut        []bool
	}{
		{name: "short", texts: []string{"a", "b"}, columns: 40, rows: 40, want: []int{1, 1}, isCut: []bool{false, false}},
		{name: "they just fit", texts: []string{words(25), words(11)}, columns: 40, rows: 40, want: []int{4, 2}, isCut: []bool{false, false}},
		{name: "too long", texts: []string{words(60), words(60), words(60)}, columns: 40, rows: 40, want: []int{4, 2, 2}, isCut: []bool{true, true, true}},
		{name: "a wide terminal", texts: []string{words(20), words(20)}, columns: 200, rows: 40, want: []int{1, 1}, isCut: []bool{false, false}},
		{name: "no width", texts: []string{words(40)}, rows: 40, want: []int{1}, isCut: []bool{false}},
		{name: "few rows", texts: []string{words(60), words(60), words(60)}, columns: 40, rows: 16, want: []int{4, 2}, others: []int{2}, isCut: []bool{true, true, true}},
		{name: "too narrow", texts: []string{words(60)}, columns: 5, rows: 40, want: []int{4}, isCut: []bool{true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			u := &update.Update{}
			for at, text := range test.texts {
				one := problem(fmt.Sprint(at), text, -12, updatev1alpha1.Command{Argv: []string{"oc"}})
				u.Problems = append(u.Problems, causes.Group{Members: []causes.Insight{{Insight: &one}}})
			}
			s := &screen{page: page{Options: Options{Head: updatingWorkers(""), Now: headNow, Width: test.columns}}, rows: test.rows}
			others := s.addProblems(u)
			var all [][]string
			for _, line := range s.shown {
				switch {
				case strings.HasPrefix(line, "! "):
					all = append(all, []string{line})
				case line != "  → oc":
					all[len(all)-1] = append(all[len(all)-1], line)
				}
			}
			if diff := cmp.Diff(test.want, lengths(all)); diff != "" {
				t.Errorf("lines of problems (-want +got):\n%s\n%s", diff, strings.Join(s.shown, "\n"))
			}
			if diff := cmp.Diff(test.others, lengths(others)); diff != "" {
				t.Errorf("lines of others (-want +got):\n%s", diff)
			}
			for at, block := range append(all, others...) {
				text := strings.Join(block, " ")
				if isCut := strings.Contains(text, "…"); !strings.HasSuffix(text, since) || isCut != test.isCut[at] {
					t.Errorf("problem %d is cut: %t\n%s", at, isCut, strings.Join(block, "\n"))
				}
				// However narrow a terminal is, a word is left before that.
				if strings.HasSuffix(text, " … "+since) {
					t.Errorf("problem %d ends with no word:\n%s", at, strings.Join(block, "\n"))
				}
				for _, line := range block {
					if test.columns > minMessageWidth && width(line) > test.columns {
						t.Errorf("%d columns: %s", width(line), line)
					}
				}
			}
		})
	}
}

// TestProblemsOfTenants: in the text and on the screen, at most one of the first problems is one that a tenant reports.
func TestProblemsOfTenants(t *testing.T) {
	u := &update.Update{}
	for at := range 16 {
		one := problem(fmt.Sprint("tenant-", at), fmt.Sprint("t", at), -12)
		one.Health.Origin = updatev1alpha1.OriginTenant
		u.Problems = append(u.Problems, causes.Group{Members: []causes.Insight{{Insight: &one}}})
	}
	own := problem("own", "etcd is unavailable", -12)
	u.Problems = slices.Insert(u.Problems, 0, causes.Group{Members: []causes.Insight{{Insight: &own}}})
	head := updatingWorkers("")
	options := Options{Head: head, Now: headNow, Width: 80}
	s := &screen{page: page{Options: options}, rows: 40}
	if others := s.addProblems(u); len(s.shown) != 2 || len(others) != 15 {
		t.Errorf("%d others, shown first\n%s", len(others), strings.Join(s.shown, "\n"))
	}
	for _, attention := range [][]updatev1alpha1.SummaryAttention{nil, {{UID: "own", Level: "Warning", Summary: "etcd is unavailable"}, {UID: "tenant-0", Level: "Warning", Summary: "t0"}}} {
		head.Attention = attention
		p := &page{Options: options}
		p.problems(u, 3)
		if got := p.text.String(); strings.Count(got, ": t") != 1 || !strings.Contains(got, ": etcd is unavailable") || !strings.Contains(got, "and 15 more") {
			t.Errorf("attention %v:\n%s", attention, got)
		}
	}
}

func lengths(blocks [][]string) []int {
	var all []int
	for _, block := range blocks {
		all = append(all, len(block))
	}
	return all
}

// TestChanges checks the line of each thing that happens.
func TestChanges(t *testing.T) {
	before, after := read(load(t, filepath.Join("testdata", "progressing.yaml")), testNow), read(load(t, filepath.Join("testdata", "health.yaml")), testNow)
	if got := Changes(before, before); len(got) != 0 {
		t.Errorf("the same status changes: %v", got)
	}
	got := strings.Join(Changes(before, after), "\n") + "\n"
	compare(t, filepath.Join("testdata", "changes.txt"), got)
}
