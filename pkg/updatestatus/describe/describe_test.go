package describe

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

var updateGolden = flag.Bool("update", false, "write the current text to testdata")

// testNow is the current time for all objects of testdata.
var testNow = time.Date(2025, time.March, 1, 12, 0, 0, 0, time.UTC)

// TestWrite compares the short and the full text of each object of testdata with the files beside it.
func TestWrite(t *testing.T) {
	objects, err := filepath.Glob(filepath.Join("testdata", "*.yaml"))
	if err != nil || len(objects) == 0 {
		t.Fatalf("no objects in testdata: %v", err)
	}
	for _, object := range objects {
		name := strings.TrimSuffix(object, ".yaml")
		t.Run(filepath.Base(name), func(t *testing.T) {
			us := load(t, object)
			compare(t, name+".txt", text(t, us, Options{Now: testNow}))
			compare(t, name+".details.txt", text(t, us, Options{Now: testNow, Details: DetailsAll}))
			head := Head(read(us, testNow), testNow)
			compare(t, name+".terminal.txt", text(t, us, Options{Now: testNow, Head: head, Width: 80, AsOf: "the end of gathering"}))
			var markdown bytes.Buffer
			if err := WriteMarkdown(&markdown, read(us, testNow), Options{Now: testNow, Head: head}); err != nil {
				t.Fatal(err)
			}
			compare(t, name+".md", markdown.String())
		})
	}
}

func TestDetails(t *testing.T) {
	updating := load(t, filepath.Join("testdata", "progressing.yaml"))
	unhealthy := load(t, filepath.Join("testdata", "health.yaml"))
	for _, tc := range []struct {
		details           Details
		operators, health bool
	}{
		{details: ""},
		{details: DetailsNone},
		{details: DetailsNodes},
		{details: DetailsOperators, operators: true},
		{details: DetailsHealth, health: true},
		{details: DetailsAll, operators: true, health: true},
	} {
		t.Run(string(tc.details), func(t *testing.T) {
			options := Options{Now: testNow, Details: tc.details}
			if shown := strings.Contains(text(t, updating, options), "\nUpdating Cluster Operators\n"); shown != tc.operators {
				t.Errorf("operators are shown: %t", shown)
			}
			if shown := strings.Contains(text(t, unhealthy, options), "\n  Description: first line\n"); shown != tc.health {
				t.Errorf("descriptions are shown: %t", shown)
			}
		})
	}
}

func TestWriteWidth(t *testing.T) {
	us := load(t, filepath.Join("testdata", "progressing.yaml"))
	const inFull = "w2     Degraded     Draining   ?         ?     failed to drain node: <node> after 1 hour; w2.example.com and w20 are others\n"
	for _, tc := range []struct {
		name    string
		options Options
		want    string
	}{
		{name: "no width", options: Options{}, want: inFull},
		{name: "wide enough", options: Options{Width: 200}, want: inFull},
		{name: "cut", options: Options{Width: 80}, want: "w2     Degraded     Draining   ?         ?     failed to drain node: <node> aft…\n"},
		{name: "too narrow", options: Options{Width: 10}, want: "w2     Degraded     Draining   ?         ?     failed to drain nod…\n"},
		{name: "with details", options: Options{Width: 80, Details: DetailsNodes}, want: inFull},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.options.Now = testNow
			if got := text(t, us, tc.options); !strings.Contains(got, tc.want) {
				t.Errorf("the text lacks %q:\n%s", tc.want, got)
			}
		})
	}
}

// TestColor checks that only assessments and levels are colored, and that colors don't change the layout.
func TestColor(t *testing.T) {
	sequences := strings.NewReplacer(red, "", green, "", yellow, "", normal, "")
	for _, name := range []string{"progressing", "health", "hostile", "skew"} {
		us := load(t, filepath.Join("testdata", name+".yaml"))
		for _, details := range AllDetails() {
			plain := text(t, us, Options{Now: testNow, Details: details})
			colored := text(t, us, Options{Now: testNow, Details: details, Color: true})
			if diff := cmp.Diff(plain, sequences.Replace(colored)); diff != "" {
				t.Errorf("%s with details %s (-plain +without its colors):\n%s", name, details, diff)
			}
		}
	}
	us := load(t, filepath.Join("testdata", "health.yaml"))
	got := text(t, us, Options{Now: testNow, Color: true})
	for _, want := range []string{
		"\nworker        " + yellow + "Excluded" + normal + "     50% (1/2)",
		"\nw1     " + green + "Completed" + normal + "    Updated ",
		"\n24h0m54s   " + red + "Critical" + normal + "   Data Loss ",
		"\nnow        " + yellow + "Warning" + normal + "    Update Stalled ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the text lacks %q:\n%q", want, got)
		}
	}
	if got := text(t, us, Options{Now: testNow, Color: true, Details: DetailsHealth}); !strings.Contains(got, "  Level:       "+red+"Error"+normal+"\n") {
		t.Errorf("a block with an uncolored level:\n%q", got)
	}
}

// TestNotUpdating checks that an unknown state does not count as the end of an update.
func TestNotUpdating(t *testing.T) {
	for name, want := range map[string]bool{
		"not-updating": true, "progressing": false, "unknown": false, "empty": false, "health": false,
	} {
		if got := update.Read(&load(t, filepath.Join("testdata", name+".yaml")).Status).State.IsComplete(); got != want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

// TestJoiningNodesAreNoUpdate checks the same rule as for the conditions of a pool.
func TestJoiningNodesAreNoUpdate(t *testing.T) {
	node := func(reason, version string) updatev1alpha1.Insight {
		return updatev1alpha1.Insight{Node: &updatev1alpha1.NodeInsight{Version: version, Conditions: []metav1.Condition{
			{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionFalse, Reason: reason},
		}}}
	}
	done, joined, outdated := node(updatev1alpha1.ReasonCompleted, "4.20.0"), node(updatev1alpha1.ReasonPending, ""), node(updatev1alpha1.ReasonPending, "4.19.3")
	joined.Node.Conditions = append(joined.Node.Conditions, metav1.Condition{Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionFalse})
	unknown := node(updatev1alpha1.ReasonPending, "")
	updating := node(updatev1alpha1.ReasonRebooting, "")
	updating.Node.Conditions[0].Status = metav1.ConditionTrue
	for name, tc := range map[string]struct {
		nodes       []updatev1alpha1.Insight
		notUpdating bool
	}{
		"joining":                     {nodes: []updatev1alpha1.Insight{done, joined}, notUpdating: true},
		"joining, another outdated":   {nodes: []updatev1alpha1.Insight{done, joined, outdated}},
		"rebooting without a version": {nodes: []updatev1alpha1.Insight{done, updating}},
		"the only node joins":         {nodes: []updatev1alpha1.Insight{joined}, notUpdating: true},
		"the only nodes: one joins":   {nodes: []updatev1alpha1.Insight{joined, outdated}},
		"all versions unknown":        {nodes: []updatev1alpha1.Insight{unknown}},
	} {
		us := load(t, filepath.Join("testdata", "not-updating.yaml"))
		us.Status.WorkerPools = []updatev1alpha1.WorkerPool{{Name: "worker", Informers: []updatev1alpha1.Informer{{Insights: tc.nodes}}}}
		if got := update.Read(&us.Status).State.IsComplete(); got != tc.notUpdating {
			t.Errorf("%s: not updating is %t", name, got)
		}
	}
}

// TestWriteEnd checks the sentence with which a watch ends.
func TestEnd(t *testing.T) {
	for name, want := range map[string]string{
		"health":       "Paused before reaching 4.20.0: pool worker. The control plane took 1h15m.",
		"empty":        "The version of the cluster is not known.",
		"not-updating": "The cluster has not been updated since its installation.",
	} {
		us := load(t, filepath.Join("testdata", name+".yaml"))
		if got := End(read(us, testNow), Options{Now: testNow, Head: Head(read(us, testNow), testNow)}); got != want {
			t.Errorf("%s: got %q", name, got)
		}
	}
	us := load(t, filepath.Join("testdata", "not-updating.yaml"))
	head := Head(read(us, testNow), testNow)
	head.Versions.Previous = "4.19.3"
	head.CompletedAt = &metav1.Time{Time: time.Date(2025, 2, 1, 12, 30, 0, 0, time.UTC)}
	if got := End(read(us, testNow), Options{Now: testNow, Head: head}); !strings.Contains(got, "took 1h, the whole cluster 2h30m.") {
		t.Errorf("got %q", got)
	}
}

// TestIsComplete checks the parts of a cluster that a watch can wait for.
func TestIsComplete(t *testing.T) {
	for name, want := range map[string]struct{ controlPlane, paused, unfinished bool }{
		"health":       {controlPlane: true, paused: true},
		"progressing":  {unfinished: true},
		"not-updating": {controlPlane: true},
		"empty":        {},
	} {
		us := load(t, filepath.Join("testdata", name+".yaml"))
		u := update.Read(&us.Status)
		if got := u.ControlPlane.IsComplete(); got != want.controlPlane {
			t.Errorf("%s: the control plane is complete: %t", name, got)
		}
		for _, pool := range u.Pools {
			if pool.Name != "worker" {
				continue
			}
			if pool.IsPaused() != want.paused || pool.IsUnfinished() != want.unfinished || pool.IsComplete() == (want.paused || want.unfinished) {
				t.Errorf("%s: pool %s is paused: %t, unfinished: %t, complete: %t", name, pool.Name, pool.IsPaused(), pool.IsUnfinished(), pool.IsComplete())
			}
		}
	}
}

func TestWriteErrors(t *testing.T) {
	if err := Write(&bytes.Buffer{}, nil, Options{}); err == nil {
		t.Error("no error without an object")
	}
	full := errors.New("no space left")
	if err := Write(failingWriter{full}, &update.Update{}, Options{}); !errors.Is(err, full) {
		t.Errorf("got %v, want the writer's error", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestWriteOutdated checks that it comes first, and that a cluster which may be updating is not said not to be.
func TestWriteOutdated(t *testing.T) {
	for name, sections := range map[string]bool{"not-updating": false, "progressing": true} {
		var text bytes.Buffer
		if err := Write(&text, read(load(t, filepath.Join("testdata", name+".yaml")), testNow), Options{Now: testNow, Outdated: "of yesterday"}); err != nil {
			t.Fatal(err)
		}
		first, rest, _ := strings.Cut(text.String(), "\n")
		if first != "Outdated: of yesterday." || strings.Contains(rest, "not updating") || strings.Contains(rest, "= Control Plane =") != sections {
			t.Errorf("%s:\n%s", name, text.String())
		}
	}
}

func load(t *testing.T, path string) *updatev1alpha1.UpdateStatus {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	us := &updatev1alpha1.UpdateStatus{}
	if err := yaml.Unmarshal(content, us); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return us
}

// read reads an object as of a time.
func read(us *updatev1alpha1.UpdateStatus, now time.Time) *update.Update {
	return update.ReadAt(&us.Status, now)
}

func text(t *testing.T, us *updatev1alpha1.UpdateStatus, options Options) string {
	t.Helper()
	var out bytes.Buffer
	options.Object = us
	if err := Write(&out, read(us, options.Now), options); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// compare compares a text with a file, or writes the file with -update.
func compare(t *testing.T, path, got string) {
	t.Helper()
	if *updateGolden {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with: go test ./pkg/updatestatus/describe -update)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
