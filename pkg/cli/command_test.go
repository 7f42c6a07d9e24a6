package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// updateStatusFile is looked at from 2025-03-01T12:00:00Z, when its insights were acquired.
var updateStatusFile = filepath.Join("testdata", "updatestatus.yaml")

// outcome is what a command leaves behind.
type outcome struct {
	out, errOut string
	err         error
}

// run runs the command as a shell would, without a configuration of the user's.
func run(t *testing.T, input string, args ...string) outcome {
	t.Helper()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	var out, errOut bytes.Buffer
	cmd := NewCommand(genericiooptions.IOStreams{In: strings.NewReader(input), Out: &out, ErrOut: &errOut})
	cmd.SetArgs(args)
	cmd.SetOut(io.Discard)
	err := cmd.ExecuteContext(t.Context())
	return outcome{out: out.String(), errOut: errOut.String(), err: err}
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func wantText(t *testing.T) string {
	t.Helper()
	return content(t, filepath.Join("testdata", "updatestatus.txt"))
}

const (
	updateStatusPath   = "/apis/update.openshift.io/v1alpha1/updatestatuses/cluster"
	clusterVersionPath = "/apis/config.openshift.io/v1/clusterversions/version"
)

// answer is what an API server says.
type answer struct {
	code        int
	contentType string
	body        string
}

// foundObject answers with an object, given as YAML.
func foundObject(t *testing.T, object string) answer {
	t.Helper()
	return answer{http.StatusOK, "application/json", asJSON(t, object)}
}

// refused answers with a reason of the API's.
func refused(t *testing.T, code int, reason metav1.StatusReason) answer {
	t.Helper()
	return answer{code, "application/json", asJSON(t, "{kind: Status, apiVersion: v1, status: Failure, message: from the server, reason: "+string(reason)+"}")}
}

// noSuchPath answers as an API server does that does not have a resource.
var noSuchPath = answer{http.StatusNotFound, "text/plain", "404 page not found"}

// api is an API server that never changes. It has the answers, and nothing else.
type api struct {
	url      string
	requests atomic.Int32
}

func serve(t *testing.T, answers map[string]answer) *api {
	t.Helper()
	made := &api{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		made.requests.Add(1)
		said, known := answers[r.URL.Path]
		if !known {
			said = noSuchPath
		}
		w.Header().Set("Content-Type", said.contentType)
		w.WriteHeader(said.code)
		_, _ = io.WriteString(w, said.body)
	}))
	t.Cleanup(server.Close)
	made.url = server.URL
	return made
}

func asJSON(t *testing.T, object string) string {
	t.Helper()
	converted, err := yaml.YAMLToJSON([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	return string(converted)
}

// TestSources shows the same object from everywhere.
func TestSources(t *testing.T) {
	object := content(t, updateStatusFile)
	api := serve(t, map[string]answer{updateStatusPath: foundObject(t, object)})
	for name, tc := range map[string]struct {
		input string
		args  []string
	}{
		"a file":         {args: []string{"-f", updateStatusFile}},
		"standard input": {input: asJSON(t, object), args: []string{"-f", "-"}},
		"a must-gather":  {args: []string{"--must-gather", "testdata"}},
		"a cluster":      {args: []string{"--server", api.url, "--now", "2025-03-01T12:00:00Z"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, tc.input, tc.args...)
			if diff := cmp.Diff(outcome{out: wantText(t)}, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOneRequest: what a cluster's API servers have to do for a look at an update of any size.
func TestOneRequest(t *testing.T) {
	api := serve(t, map[string]answer{updateStatusPath: foundObject(t, content(t, updateStatusFile))})
	for _, args := range [][]string{nil, {"-o", "yaml"}} {
		api.requests.Store(0)
		if got := run(t, "", append(args, "--server", api.url)...); got.err != nil || api.requests.Load() != 1 {
			t.Errorf("%v: %d requests, error %v", args, api.requests.Load(), got.err)
		}
	}
}

// TestClusterVersionInstead shows what the ClusterVersion says where there is no UpdateStatus, to people only.
func TestClusterVersionInstead(t *testing.T) {
	clusterVersion := foundObject(t, content(t, filepath.Join("testdata", "clusterversion.yaml")))
	for name, missing := range map[string]answer{
		"no resource": noSuchPath,
		"no object":   refused(t, http.StatusNotFound, metav1.StatusReasonNotFound),
	} {
		api := serve(t, map[string]answer{updateStatusPath: missing, clusterVersionPath: clusterVersion})
		got := run(t, "", "--server", api.url)
		if got.err == nil || !strings.Contains(got.err.Error(), "the cluster has no UpdateStatus") {
			t.Errorf("%s: got error %v", name, got.err)
		}
		if diff := cmp.Diff(content(t, filepath.Join("testdata", "clusterversion.txt")), got.out); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if got := run(t, "", "--server", api.url, "-o", "json"); got.err == nil || got.out != "" {
			t.Errorf("%s: a program reads %q, error %v", name, got.out, got.err)
		}
	}
}

// TestNow looks at a file from another moment.
func TestNow(t *testing.T) {
	got := run(t, "", "-f", updateStatusFile, "--now", "2025-03-01T13:00:00+01:00")
	if diff := cmp.Diff(outcome{out: wantText(t)}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = run(t, "", "-f", updateStatusFile, "--now", "2025-03-01T12:30:00Z")
	if want := "Duration:        1h30m (Est. Time Remaining: 15m)\n"; !strings.Contains(got.out, want) {
		t.Errorf("the text lacks %q:\n%s", want, got.out)
	}
}

func TestDetails(t *testing.T) {
	got := run(t, "", "-f", updateStatusFile, "--details=health")
	if want := "  Description: Very wrong\n"; !strings.Contains(got.out, want) {
		t.Errorf("the text lacks %q:\n%s", want, got.out)
	}
}

// TestOutput prints the object in each format, and reads it back.
func TestOutput(t *testing.T) {
	want := &updatev1alpha1.UpdateStatus{}
	if err := yaml.Unmarshal([]byte(content(t, updateStatusFile)), want); err != nil {
		t.Fatal(err)
	}
	want.ManagedFields = nil
	for format, unmarshal := range map[string]func([]byte, any) error{
		"json": json.Unmarshal,
		"yaml": func(text []byte, object any) error { return yaml.UnmarshalStrict(text, object) },
	} {
		printed := run(t, "", "-f", updateStatusFile, "-o", format)
		got := &updatev1alpha1.UpdateStatus{}
		if err := unmarshal([]byte(printed.out), got); err != nil || printed.err != nil {
			t.Fatalf("%s: %v, %v", format, err, printed.err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
		if again := run(t, printed.out, "-f", "-"); again.out != wantText(t) {
			t.Errorf("%s read back:\n%s%v", format, again.out, again.err)
		}
	}
	if got := run(t, "", "-f", updateStatusFile, "-o", "name"); got.out != "updatestatus.update.openshift.io/cluster\n" {
		t.Errorf("name: got %q, %v", got.out, got.err)
	}
}

// TestUnknownFields: a client of an older version prints all that is there.
func TestUnknownFields(t *testing.T) {
	object := strings.Replace(content(t, updateStatusFile), "completion: 40\n", "completion: 40\n          pace: {steps: 9007199254740993}\n", 1)
	api := serve(t, map[string]answer{updateStatusPath: foundObject(t, object)})
	for name, got := range map[string]outcome{
		"a file":    run(t, object, "-f", "-", "-o", "yaml"),
		"a cluster": run(t, "", "--server", api.url, "-o", "yaml"),
	} {
		if got.err != nil || !strings.Contains(got.out, "pace:\n            steps: 9007199254740993\n") {
			t.Errorf("%s: error %v\n%s", name, got.err, got.out)
		}
	}
}

// TestColor covers when there are colours. A test's output is no terminal.
func TestColor(t *testing.T) {
	for _, tc := range []struct {
		args    []string
		noColor string
		want    bool
	}{
		{args: nil},
		{args: []string{"--color", "auto"}},
		{args: []string{"--color", "never"}},
		{args: []string{"--color", "always"}, want: true},
		{args: []string{"--color", "always"}, noColor: "1", want: true},
	} {
		t.Setenv("NO_COLOR", tc.noColor)
		got := run(t, "", append(tc.args, "-f", updateStatusFile)...)
		if colored := strings.Contains(got.out, "\x1b[33mWarning\x1b[0m"); colored != tc.want || colored != strings.Contains(got.out, "\x1b") {
			t.Errorf("%v, NO_COLOR=%q: colored is %t:\n%s", tc.args, tc.noColor, colored, got.out)
		}
	}
}

// TestUnavailable shows what there is, and says how old it may be.
func TestUnavailable(t *testing.T) {
	object := strings.Replace(content(t, updateStatusFile),
		`{type: Available, status: "True", reason: AsExpected, message: ""`,
		`{type: Available, status: "False", reason: CannotListNodes, message: "the node-informer\n\e[1mmay not list nodes"`, 1)
	got := run(t, object, "-f", "-")
	if got.out != wantText(t) {
		t.Errorf("got:\n%s", got.out)
	}
	const want = "the Update Status Controller has not seen the whole cluster for 120m, and what is shown may be as old: " +
		"the node-informer may not list nodes (CannotListNodes)"
	if got.err == nil || got.err.Error() != want {
		t.Errorf("got  %v\nwant %s", got.err, want)
	}
}

// TestUnavailableSinceNow: what has just happened has no age.
func TestUnavailableSinceNow(t *testing.T) {
	object := strings.Replace(content(t, updateStatusFile),
		`{type: Available, status: "True", reason: AsExpected, message: "", lastTransitionTime: "2025-03-01T10:00:00Z"`,
		`{type: Available, status: "False", reason: CannotListNodes, message: "may not", lastTransitionTime: "2025-03-01T14:00:00Z"`, 1)
	const want = "the Update Status Controller does not see the whole cluster, and what is shown may be old: may not (CannotListNodes)"
	if got := run(t, object, "-f", "-"); got.err == nil || got.err.Error() != want {
		t.Errorf("got  %v\nwant %s", got.err, want)
	}
}

// TestCutOff: an object that ends before its end is not taken for one in which nothing goes on.
func TestCutOff(t *testing.T) {
	whole := run(t, "", "-f", updateStatusFile, "-o", "yaml").out
	if got := run(t, whole, "-f", "-"); got.err != nil {
		t.Fatalf("the whole object: %v", got.err)
	}
	lines := strings.SplitAfter(whole, "\n")
	for first := range lines {
		if strings.HasPrefix(lines[first], "status:") {
			lines, whole = lines[first+1:], strings.Join(lines[:first+1], "")
			break
		}
	}
	for at, line := range lines[:len(lines)-2] { // the last line, behind which is nothing, tells nothing new
		if got := run(t, whole+strings.Join(lines[:at], ""), "-f", "-"); got.err == nil {
			t.Errorf("cut off before line %d of the status, %q: no error", at+1, line)
		}
	}
}

// TestNothingSaid: an object that says nothing is no answer.
func TestNothingSaid(t *testing.T) {
	const empty = "apiVersion: update.openshift.io/v1alpha1\nkind: UpdateStatus\nmetadata: {name: cluster}\n"
	api := serve(t, map[string]answer{updateStatusPath: foundObject(t, empty)})
	for name, got := range map[string]outcome{
		"a cluster":     run(t, "", "--server", api.url),
		"a file":        run(t, empty, "-f", "-"),
		"a must-gather": run(t, "", "--must-gather", mustGatherOf(t, map[string]string{"a.yaml": empty})),
	} {
		if got.err == nil || !strings.Contains(got.err.Error(), "has said nothing of the cluster yet") || !strings.Contains(got.out, "It is not known") {
			t.Errorf("%s: error %v\n%s", name, got.err, got.out)
		}
	}
	got := run(t, "", "--must-gather", mustGatherOf(t, map[string]string{
		"a.yaml": empty, "b.yaml": content(t, filepath.Join("testdata", "clusterversion.yaml")),
	}))
	if got.err != nil || !strings.Contains(got.out, "Target Version: ") || !strings.Contains(got.errOut, "its objects are assessed instead") {
		t.Errorf("beside other objects: error %v\n%s%s", got.err, got.errOut, got.out)
	}
}

// TestLaterReport: who looks at files is told when they are from much later than the moment that is shown.
func TestLaterReport(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {conditions: [{type: Ready, status: \"True\", lastHeartbeatTime: \"2025-03-01T%s:00Z\"}]}\n"
	const told = "warning: shown as of 2025-03-01T12:00:00Z, the newest change of the control plane, but nodes reported until 2025-03-01T16:30:00Z: look from then with --now 2025-03-01T16:30:00Z\n"
	updating := content(t, updateStatusFile)
	done := strings.ReplaceAll(updating, `{type: Updating, status: "True"`, `{type: Updating, status: "False"`)
	for name, tc := range map[string]struct {
		object, clock string
		args          []string
		want          string
	}{
		"hours later":          {object: updating, clock: "16:30", want: told},
		"a little later":       {object: updating, clock: "12:09"},
		"another moment":       {object: updating, clock: "16:30", args: []string{"--now", "2025-03-01T13:00:00Z"}},
		"nothing is going on":  {object: done, clock: "16:30"},
		"before what is shown": {object: updating, clock: "11:00"},
	} {
		folder := mustGatherOf(t, map[string]string{"object.yaml": tc.object, "node.yaml": fmt.Sprintf(node, tc.clock)})
		if got := run(t, "", append(tc.args, "--must-gather", folder)...); got.err != nil || got.errOut != tc.want {
			t.Errorf("%s: error %v, warnings %q", name, got.err, got.errOut)
		}
	}
}

// TestErrors covers the sentences for everything that can be wrong, each of which says what to do.
func TestErrors(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	status := func(code int, reason metav1.StatusReason) string {
		return serve(t, map[string]answer{updateStatusPath: refused(t, code, reason)}).url
	}
	const clusterVersion = "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\n"
	for name, tc := range map[string]struct {
		input string
		args  []string
		want  []string
	}{
		"an argument":          {args: []string{"cluster"}, want: []string{`nothing to do with "cluster"`, "--must-gather"}},
		"an empty filename":    {args: []string{"-f", ""}, want: []string{"--filename is empty"}},
		"an empty must-gather": {args: []string{"--must-gather", ""}, want: []string{"--must-gather is empty", "leave it out"}},
		"an empty time":        {args: []string{"--now="}, want: []string{"--now is empty"}},
		"two sources":          {args: []string{"-f", "a", "--must-gather", "b"}, want: []string{"give one of them"}},
		"a watch of a file":    {args: []string{"-f", "a", "--watch"}, want: []string{"files do not change"}},
		"a watch of the past":  {args: []string{"--watch", "--now", "2025-03-01T12:00:00Z"}, want: []string{"leave --now out"}},
		"no such color":        {args: []string{"--color", "pink"}, want: []string{`"pink"`, "auto, always, never"}},
		"no such format":       {args: []string{"-o", "xml"}, want: []string{`"xml"`, "json, yaml, name"}},
		"no such details":      {args: []string{"--details", "some"}, want: []string{`"some"`, "none, all, nodes, health, operators"}},
		"no such time":         {args: []string{"--now", "noon"}, want: []string{`"noon"`, "2006-01-02T15:04:05Z"}},
		"no such file":         {args: []string{"-f", filepath.Join(folder, "none.yaml")}, want: []string{"none.yaml", "no such file"}},
		"no such folder":       {args: []string{"--must-gather", filepath.Join(folder, "none")}, want: []string{"there is no file or folder", "none"}},
		"an empty file":        {args: []string{"-f", file("empty.yaml", "")}, want: []string{"empty.yaml:1: there is no UpdateStatus in it"}},
		"another object":       {args: []string{"-f", file("cv.yaml", clusterVersion)}, want: []string{"cv.yaml:1: there is no UpdateStatus", "--must-gather"}},
		"a broken object":      {args: []string{"-f", file("bad.yaml", "kind: UpdateStatus\napiVersion: update.openshift.io/v1alpha1\nmetadata: {name: cluster}\nstatus: {\n")}, want: []string{"bad.yaml:4: UpdateStatus can't be read"}},
		"an empty input":       {args: []string{"-f", "-"}, want: []string{"the standard input:1: there is no UpdateStatus"}},
		"nothing to tell":      {args: []string{"--must-gather", file("node.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n")}, want: []string{"node.yaml holds neither an UpdateStatus nor a ClusterVersion"}},
		"no configuration":     {args: []string{"--context", "missing"}, want: []string{"there is no cluster to read from", "oc login", "--must-gather"}},
		"no API server":        {args: []string{"--server", "http://127.0.0.1:1"}, want: []string{"no API server answers", "oc login"}},
		"no resource": {
			args: []string{"--server", serve(t, nil).url},
			want: []string{"has no UpdateStatus resource", "oc describe clusterversion version"},
		},
		"no object": {
			args: []string{"--server", status(http.StatusNotFound, metav1.StatusReasonNotFound)},
			want: []string{"has no UpdateStatus/cluster", "oc describe clusterversion version", "from the server"},
		},
		"no permission": {
			args: []string{"--server", status(http.StatusForbidden, metav1.StatusReasonForbidden)},
			want: []string{"may not read", "permission to get updatestatuses.update.openshift.io", "from the server"},
		},
		"not logged in": {
			args: []string{"--server", status(http.StatusUnauthorized, metav1.StatusReasonUnauthorized)},
			want: []string{"log in with oc login", "from the server"},
		},
		"something else": {
			args: []string{"--server", status(http.StatusBadRequest, metav1.StatusReasonBadRequest)},
			want: []string{"reading UpdateStatus/cluster: from the server"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, tc.input, tc.args...)
			if got.err == nil {
				t.Fatalf("no error:\n%s", got.out)
			}
			for _, want := range tc.want {
				if !strings.Contains(got.err.Error(), want) {
					t.Errorf("the error lacks %q: %v", want, got.err)
				}
			}
			if got.out != "" || strings.Contains(got.err.Error(), "\n") {
				t.Errorf("more than one line is said: %v\n%s", got.err, got.out)
			}
		})
	}
}

// TestMustGatherWarnings shows what there is of a cluster, and says on standard error what is not.
func TestMustGatherWarnings(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"cv.yaml":  "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\n",
		"bad.yaml": "apiVersion: v1\nkind: Node\nmetadata: {\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := run(t, "", "--must-gather", folder)
	if got.err != nil || !strings.HasPrefix(got.out, "= Control Plane =\nIt is not known whether the control plane is updating: ") {
		t.Errorf("got %v:\n%s", got.err, got.out)
	}
	for _, want := range []string{"warning: " + folder + "/bad.yaml:3: Node", "no ClusterOperators", "no MachineConfigPools", "give another moment with --now"} {
		if !strings.Contains(got.errOut, want) {
			t.Errorf("standard error lacks %q:\n%s", want, got.errOut)
		}
	}
}

// TestInterrupted covers that the command ends with its context.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cmd := NewCommand(genericiooptions.NewTestIOStreamsDiscard())
	cmd.SetArgs([]string{"--server", "http://127.0.0.1:1"})
	if err := cmd.ExecuteContext(ctx); err == nil {
		t.Error("no error of an interrupted command")
	}
}

// TestCompletion covers what shells offer for flags.
func TestCompletion(t *testing.T) {
	for flag, want := range map[string][]string{
		"--details": {"none", "all", "nodes", "health", "operators"},
		"--output":  {"json", "yaml", "name"},
		"--color":   {"auto", "always", "never"},
	} {
		var out bytes.Buffer
		cmd := NewCommand(genericiooptions.NewTestIOStreamsDiscard())
		cmd.SetOut(&out)
		cmd.SetErr(io.Discard)
		cmd.SetArgs([]string{"__complete", flag, ""})
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Fields(strings.Split(out.String(), ":")[0]); cmp.Diff(want, got) != "" {
			t.Errorf("%s: got %v, want %v", flag, got, want)
		}
	}
}
