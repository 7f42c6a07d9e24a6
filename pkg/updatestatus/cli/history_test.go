package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	recordsPath = "/apis/update.openshift.io/v1alpha1/updaterecords"

	firstRecord = `
apiVersion: update.openshift.io/v1alpha1
kind: UpdateRecord
metadata: {name: 20260101-080000-4.20.1}
status:
  versions: {previous: 4.20.0, target: 4.20.1}
  result: Completed
  startedAt: "2026-01-01T08:00:00Z"
  completedAt: "2026-01-01T09:31:00Z"
  observedAt: "2026-01-01T09:31:00Z"
  controlPlane: {startedAt: "2026-01-01T08:00:00Z", completedAt: "2026-01-01T08:52:00Z"}
  took: {controlPlane: 52m0s, total: 1h31m0s}
`
	secondRecord = `
apiVersion: update.openshift.io/v1alpha1
kind: UpdateRecord
metadata: {name: 20260201-080000-4.20.2}
status:
  versions: {previous: 4.20.1, target: 4.20.2}
  result: Partial
  startedAt: "2026-02-01T08:00:00Z"
  completedAt: "2026-02-02T08:00:00Z"
  observedAt: "2026-02-01T09:31:00Z"
`
)

// recordList returns a list of records, as an API server returns it.
func recordList(records ...string) string {
	var list strings.Builder
	list.WriteString("apiVersion: update.openshift.io/v1alpha1\nkind: UpdateRecordList\nitems:\n")
	for _, one := range records {
		list.WriteString("-" + strings.ReplaceAll(one, "\n", "\n  ") + "\n")
	}
	return list.String()
}

// serveRecords serves two records, and a status about an update that neither is about.
func serveRecords(t *testing.T) *apiServer {
	t.Helper()
	return serve(t, map[string]response{
		recordsPath:        objectResponse(t, recordList(firstRecord, secondRecord)),
		updateStatusPath:   objectResponse(t, content(t, "testdata/updatestatus.yaml")),
		clusterVersionPath: errorResponse(t, http.StatusNotFound, "NotFound"),
	})
}

const historyText = `NAME                     FROM     TO       RESULT      STARTED                CONTROL PLANE   TOTAL   HEALTH
20260201-080000-4.20.2   4.20.1   4.20.2   Partial     2026-02-01T08:00:00Z   -               -       -
20260101-080000-4.20.1   4.20.0   4.20.1   Completed   2026-01-01T08:00:00Z   52m             1h31m   -
`

// TestHistory checks what is shown of records, from a cluster and from files.
func TestHistory(t *testing.T) {
	server := serveRecords(t)
	folder := t.TempDir()
	for name, object := range map[string]string{"first.yaml": firstRecord, "second.yaml": secondRecord} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(object), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for source, flag := range map[string]string{"cluster": "--server=" + server.url, "files": "--must-gather=" + folder} {
		for _, test := range []struct {
			name string
			args []string
			want string
		}{
			{name: "all", args: []string{"--history"}, want: historyText},
			{name: "names", args: []string{"--history", "-o", "name"}, want: "updaterecord.update.openshift.io/20260201-080000-4.20.2\nupdaterecord.update.openshift.io/20260101-080000-4.20.1\n"},
			{name: "one", args: []string{"--history=20260101-080000-4.20.1"}, want: "Update from 4.20.0 to 4.20.1: completed\n"},
			{name: "one by its version", args: []string{"--history=4.20.2"}, want: "Update from 4.20.1 to 4.20.2: completed in the control plane only\n"},
			{name: "a field of one", args: []string{"--history=4.20.1", "-o", "jsonpath={.kind} {.status.took.total}"}, want: "UpdateRecord 1h31m0s"},
		} {
			t.Run(source+", "+test.name, func(t *testing.T) {
				got := run(t, "", append(test.args, flag, "--now=2026-03-01T00:00:00Z")...)
				if got.err != nil || got.errOut != "" || !strings.HasPrefix(got.out, test.want) {
					t.Errorf("got %v, %q and\n%s\nwant\n%s", got.err, got.errOut, got.out, test.want)
				}
			})
		}
	}
}

// TestTimeline checks which update is shown over time: the present one from its status where there is no record of it, and the last
// one that was recorded while none is in progress.
func TestTimeline(t *testing.T) {
	server := serveRecords(t)
	got := run(t, "", "--timeline", "--server="+server.url, "--now=2026-03-01T00:00:00Z")
	if want := "Update from 4.19.3 to 4.20.0: in progress\n"; got.err != nil || !strings.HasPrefix(got.out, want) {
		t.Errorf("got %v, %q and\n%s", got.err, got.errOut, got.out)
	}
	const idle = `
apiVersion: update.openshift.io/v1alpha1
kind: UpdateStatus
metadata: {name: cluster}
status:
  controlPlane: {resource: {resource: clusterversions, name: version}}
`
	idleServer := serve(t, map[string]response{
		recordsPath: objectResponse(t, recordList(firstRecord, secondRecord)), updateStatusPath: objectResponse(t, idle),
		clusterVersionPath: errorResponse(t, http.StatusNotFound, "NotFound"),
	})
	got = run(t, "", "--timeline", "--server="+idleServer.url, "--now=2026-03-01T00:00:00Z")
	if want := "Update from 4.20.1 to 4.20.2: completed in the control plane only\n"; got.err != nil || !strings.HasPrefix(got.out, want) {
		t.Errorf("got %v, %q and\n%s", got.err, got.errOut, got.out)
	}
}

// TestHistoryErrors checks what is said where there is nothing to show.
func TestHistoryErrors(t *testing.T) {
	records := serveRecords(t).url
	forbidden := serve(t, map[string]response{recordsPath: errorResponse(t, http.StatusForbidden, "Forbidden")}).url
	none := serve(t, map[string]response{}).url
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no such record", []string{"--history=4.20.3", "--server=" + records}, "there is no record 4.20.3, there are 20260201-080000-4.20.2, 20260101-080000-4.20.1"},
		{"no records", []string{"--history=4.20.3", "--server=" + none}, "there is no record 4.20.3, as no update of the cluster has been recorded"},
		{"not allowed", []string{"--history", "--server=" + forbidden}, "not allowed to read the records of updates: ask for permission to list updaterecords.update.openshift.io"},
		{"both", []string{"--history", "--timeline"}, "--history and --timeline can't be used together"},
		{"a file", []string{"--history", "-f", "x"}, "nor with -f"},
		{"a watch", []string{"--timeline", "--watch"}, "nor with -f, --watch"},
		{"contexts", []string{"--timeline", "--contexts=a"}, "--contexts"},
		{"exit code", []string{"--timeline", "--exit-code"}, "--exit-code"},
		{"markdown", []string{"--history", "-o", "markdown"}, "-o markdown"},
		{"a trace", []string{"--timeline", "-o", "chrome-trace"}, `invalid --output "chrome-trace"`},
		{"an empty name", []string{"--history="}, "--history is empty"},
		{"a name as an argument", []string{"--history", "4.20.1"}, "--history=NAME"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := run(t, "", test.args...)
			if got.err == nil || !strings.Contains(got.err.Error(), test.want) {
				t.Errorf("got %v, want %s", got.err, test.want)
			}
		})
	}
	if got := run(t, "", "--history", "--server="+none); cmp.Diff("No update of the cluster has been recorded.\n", got.out) != "" {
		t.Errorf("got %v and %q", got.err, got.out)
	}
}
