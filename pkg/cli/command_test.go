package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// server answers every request for the UpdateStatus in the same way.
func server(t *testing.T, status int, contentType, body string) string {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/apis/update.openshift.io/v1alpha1/updatestatuses/cluster" {
			t.Errorf("unexpected request: %s %s", r.Method, r.URL.Path)
		}
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(api.Close)
	return api.URL
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
	url := server(t, http.StatusOK, "application/json", asJSON(t, object))
	for name, tc := range map[string]struct {
		input string
		args  []string
	}{
		"a file":         {args: []string{"-f", updateStatusFile}},
		"standard input": {input: asJSON(t, object), args: []string{"-f", "-"}},
		"a must-gather":  {args: []string{"--must-gather", "testdata"}},
		"a cluster":      {args: []string{"--server", url, "--now", "2025-03-01T12:00:00Z"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, tc.input, tc.args...)
			if diff := cmp.Diff(outcome{out: wantText(t)}, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
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
	status := func(code int, reason string) string {
		return server(t, code, "application/json", asJSON(t, `{kind: Status, apiVersion: v1, status: Failure, message: from the server, reason: `+reason+`}`))
	}
	const clusterVersion = "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\n"
	for name, tc := range map[string]struct {
		input string
		args  []string
		want  []string
	}{
		"an argument":      {args: []string{"cluster"}, want: []string{`unknown command "cluster" for "status"`}},
		"two sources":      {args: []string{"-f", "a", "--must-gather", "b"}, want: []string{"give one of them"}},
		"no such format":   {args: []string{"-o", "xml"}, want: []string{`"xml"`, "json, yaml, name"}},
		"no such details":  {args: []string{"--details", "some"}, want: []string{`"some"`, "none, all, nodes, health, operators"}},
		"no such time":     {args: []string{"--now", "noon"}, want: []string{`"noon"`, "2006-01-02T15:04:05Z"}},
		"no such file":     {args: []string{"-f", filepath.Join(folder, "none.yaml")}, want: []string{"none.yaml", "no such file"}},
		"no such folder":   {args: []string{"--must-gather", filepath.Join(folder, "none")}, want: []string{"there is no file or folder", "none"}},
		"an empty file":    {args: []string{"-f", file("empty.yaml", "")}, want: []string{"empty.yaml:1: there is no UpdateStatus in it"}},
		"another object":   {args: []string{"-f", file("cv.yaml", clusterVersion)}, want: []string{"cv.yaml:1: there is no UpdateStatus", "--must-gather"}},
		"a broken object":  {args: []string{"-f", file("bad.yaml", "kind: UpdateStatus\napiVersion: update.openshift.io/v1alpha1\nmetadata: {name: cluster}\nstatus: {\n")}, want: []string{"bad.yaml:4: UpdateStatus can't be read"}},
		"an empty input":   {args: []string{"-f", "-"}, want: []string{"the standard input:1: there is no UpdateStatus"}},
		"nothing to tell":  {args: []string{"--must-gather", file("node.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n")}, want: []string{"node.yaml holds neither an UpdateStatus nor a ClusterVersion"}},
		"no configuration": {args: []string{"--context", "missing"}, want: []string{"there is no cluster to read from", "oc login", "--must-gather"}},
		"no API server":    {args: []string{"--server", "http://127.0.0.1:1"}, want: []string{"no API server answers", "oc login"}},
		"no resource": {
			args: []string{"--server", server(t, http.StatusNotFound, "text/plain", "404 page not found")},
			want: []string{"has no UpdateStatus resource", "oc describe clusterversion version"},
		},
		"no object": {
			args: []string{"--server", status(http.StatusNotFound, "NotFound")},
			want: []string{"has no UpdateStatus/cluster", "oc describe clusterversion version", "from the server"},
		},
		"no permission": {
			args: []string{"--server", status(http.StatusForbidden, "Forbidden")},
			want: []string{"may not read", "permission to get updatestatuses.update.openshift.io", "from the server"},
		},
		"not logged in": {
			args: []string{"--server", status(http.StatusUnauthorized, "Unauthorized")},
			want: []string{"log in with oc login", "from the server"},
		},
		"something else": {
			args: []string{"--server", status(http.StatusBadRequest, "BadRequest")},
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
