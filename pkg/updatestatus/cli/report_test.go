package cli

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// runReport runs the command that writes a report.
func runReport(t *testing.T, args ...string) outcome {
	t.Helper()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	var out, errOut bytes.Buffer
	flags := genericclioptions.NewConfigFlags(true)
	cmd := NewReportCommand(flags, genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut})
	flags.AddFlags(cmd.Flags())
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(t.Context())
	return outcome{out: out.String(), errOut: errOut.String(), err: err}
}

// TestReport checks what a report is made from: a cluster, an earlier update, files with and without an UpdateStatus.
func TestReport(t *testing.T) {
	records := serveRecords(t).url
	empty := t.TempDir()
	if err := os.WriteFile(filepath.Join(empty, "record.yaml"), []byte(firstRecord), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		want []string
	}{
		{
			name: "a cluster", args: []string{"--server=" + records, "--now=2025-03-01T12:00:00Z"},
			want: []string{"<h1>Updating from 4.19.3 to 4.20.0 for 1h: ", "= 2025-03-01T12:00:00Z", "There is no timeline, since there is no record of this update."},
		},
		{
			name: "an earlier update", args: []string{"--server=" + records, "--history=4.20.1"},
			want: []string{"<h1>Update from 4.20.0 to 4.20.1: completed</h1>", "UpdateRecord 20260101-080000-4.20.1"},
		},
		{
			name: "an earlier update in files", args: []string{"--must-gather=" + empty, "--history=4.20.1"},
			want: []string{"<h1>Update from 4.20.0 to 4.20.1: completed</h1>", "UpdateRecord 20260101-080000-4.20.1"},
		},
		{name: "an UpdateStatus", args: []string{"-f", "testdata/updatestatus.yaml", "--now=2025-03-01T12:00:00Z"}, want: []string{"<h1>Updating from 4.19.3 to 4.20.0 for 1h: "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "report.html")
			got := runReport(t, append(test.args, "--output-file", file)...)
			if got.err != nil || got.out != "" {
				t.Fatalf("got %v and %q", got.err, got.out)
			}
			written := content(t, file)
			for _, want := range test.want {
				if !strings.Contains(written, strings.TrimPrefix(want, "= ")) {
					t.Errorf("the report lacks %q", want)
				}
			}
			if toOutput := runReport(t, append(test.args, "--output-file=-")...); withoutTime(toOutput.out) != withoutTime(written) {
				t.Error("standard output has another report")
			}
		})
	}
}

// withoutTime returns a report without its last line, which has the current time.
func withoutTime(report string) string {
	before, _, _ := strings.Cut(report, "<footer>")
	return before
}

// TestReportOfIncompleteFiles checks that the report is written, with what is missing, and that the exit status tells.
func TestReportOfIncompleteFiles(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "cv.yaml"), []byte(content(t, recordedCluster+"-cv.yaml")), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runReport(t, "--must-gather="+folder, "--output-file=-")
	if got.err == nil || !strings.Contains(got.err.Error(), "incomplete") || !strings.Contains(got.out, "Incomplete: ") {
		t.Errorf("got %v and\n%s", got.err, got.out)
	}
}

// TestReportErrors checks what is said when no report can be written.
func TestReportErrors(t *testing.T) {
	none := serve(t, map[string]response{updateStatusPath: errorResponse(t, http.StatusForbidden, "Forbidden")}).url
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no file", []string{"--server=" + none}, "--output-file is missing: the name of the file to write, such as report.html"},
		{"an empty file", []string{"--output-file="}, "--output-file is empty"},
		{"no such folder", []string{"-f", "testdata/updatestatus.yaml", "--output-file=" + filepath.Join(t.TempDir(), "a", "b")}, "creating the report: "},
		{"no status", []string{"--server=" + none, "--output-file=-"}, "not allowed to read the status of the update"},
		{"no record", []string{"--server=" + none, "--output-file=-", "--history=4.20.2"}, "there is no record 4.20.2"},
		{"two sources", []string{"-f", "x", "--must-gather=y", "--output-file=-"}, "-f and --must-gather can't be used together"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := runReport(t, test.args...); got.err == nil || !strings.Contains(got.err.Error(), test.want) {
				t.Errorf("got %v, want %s", got.err, test.want)
			}
		})
	}
}

const infrastructurePath = "/apis/config.openshift.io/v1/infrastructures/cluster"

// infrastructure is the object that has the address of the API server.
const infrastructure = "apiVersion: config.openshift.io/v1\nkind: Infrastructure\nmetadata:\n  name: cluster\nstatus:\n  apiServerURL: https://api.example.com:6443\n"

// TestReportAbout checks what a report says of its cluster and of itself: what can't be read is left out, and the objects of a management
// cluster identify no hosted cluster.
func TestReportAbout(t *testing.T) {
	const id, api, made = "<dt>Cluster ID</dt><dd>00000000-0000-0000-0000-000000000001</dd>", "<dt>API</dt><dd>https://api.example.com:6443</dd>", " Made at 20"
	version := content(t, recordedCluster+"-cv.yaml")
	status := objectResponse(t, content(t, "testdata/updatestatus.yaml"))
	full := serve(t, map[string]response{
		updateStatusPath: status, clusterVersionPath: objectResponse(t, version), infrastructurePath: objectResponse(t, infrastructure),
	}).url
	forbidden := serve(t, map[string]response{
		updateStatusPath: status, clusterVersionPath: errorResponse(t, http.StatusForbidden, "Forbidden"), infrastructurePath: errorResponse(t, http.StatusForbidden, "Forbidden"),
	}).url
	folder := func(files map[string]string) string {
		path := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	both := folder(map[string]string{"cv.yaml": version, "infrastructure.yaml": infrastructure})
	one := folder(map[string]string{"cv.yaml": version})
	for name, test := range map[string]struct {
		args          []string
		hasID, hasAPI bool
	}{
		"both":              {[]string{"--must-gather=" + both}, true, true},
		"no Infrastructure": {[]string{"--must-gather=" + one}, true, false},
		"a cluster":         {[]string{"--server=" + full}, true, true},
		"no permission":     {[]string{"--server=" + forbidden}, false, false},
		"an UpdateStatus":   {[]string{"-f", "testdata/updatestatus.yaml"}, false, false},
	} {
		got := runReport(t, append(test.args, "--output-file=-")...).out
		if strings.Contains(got, id) != test.hasID || strings.Contains(got, api) != test.hasAPI || !strings.Contains(got, made) {
			t.Errorf("%s: the report is\n%s", name, got)
		}
	}
}
