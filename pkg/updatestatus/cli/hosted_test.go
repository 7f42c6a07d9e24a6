package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	hostedPath            = "/apis/update.openshift.io/v1alpha1/namespaces/clusters/hostedclusterupdatestatuses/demo"
	hostedSummaryListPath = "/apis/update.openshift.io/v1alpha1/hostedclusterupdatestatussummaries"
	hostedSummaryPath     = "/apis/update.openshift.io/v1alpha1/namespaces/clusters/hostedclusterupdatestatussummaries/demo"

	hostedText = `= Control Plane =
Assessment:      Progressing
Target Version:  4.22.4 (from 4.22.3)
Updating:        network
Completion:      50% (1 operators updated, 1 updating, 0 waiting)
Duration:        11m (Est. Time Remaining: N/A)
Operator Health: 2 Healthy

= Worker Upgrade =

NODE POOL   ASSESSMENT   COMPLETION   STATUS
surge       Pending      0% (0/1)     1 Available, 0 Progressing, 0 Draining

Node Pool Nodes: surge
NAME   ASSESSMENT   PHASE     VERSION   EST   MESSAGE
a      Outdated     Pending   4.22.3    ?     

= Update Health =
SINCE   LEVEL   IMPACT   MESSAGE
11m     Info    None     Update is proceeding well
`
	fleetText = `HOSTED CLUSTER   UPDATING   FROM     TO       CONTROL PLANE      MANAGEMENT   DATA PLANE   NODES   ATTENTION   FINISH
clusters/demo    True       4.22.3   4.22.4   Progressing, 50%   Completed    Updating     0/1     -           -
`
)

// hostedFolder returns files of a management cluster with a hosted one.
func hostedFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"hosted.yaml", "hostedsummary.yaml"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content(t, "testdata/"+name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// serveHosted serves a management cluster with a hosted one.
func serveHosted(t *testing.T) *apiServer {
	t.Helper()
	object, summary := content(t, "testdata/hosted.yaml"), content(t, "testdata/hostedsummary.yaml")
	list := func(kind, object string) response {
		return objectResponse(t, "kind: "+kind+"List\napiVersion: update.openshift.io/v1alpha1\nitems:\n- "+strings.ReplaceAll(object, "\n", "\n  "))
	}
	return serve(t, map[string]response{
		hostedPath: objectResponse(t, object), hostedSummaryPath: objectResponse(t, summary),
		hostedSummaryListPath: list("HostedClusterUpdateStatusSummary", summary),
	})
}

// TestHostedCluster checks what is shown of hosted clusters, from their management cluster and from its files.
func TestHostedCluster(t *testing.T) {
	server, folder := serveHosted(t), hostedFolder(t)
	for source, flag := range map[string]string{"cluster": "--server=" + server.url, "files": "--must-gather=" + folder} {
		for _, test := range []struct {
			name   string
			args   []string
			want   string
			status int
		}{
			{name: "one", args: []string{"--hosted-cluster=clusters/demo", "--classic"}, want: hostedText},
			{name: "all", args: []string{"--hosted-clusters"}, want: fleetText},
			{
				name: "a field, also one of a newer version", args: []string{"--hosted-cluster=clusters/demo", "-o", "jsonpath={.kind} {.status.unknownField}"},
				want: "HostedClusterUpdateStatus of a newer version",
			},
		} {
			t.Run(source+", "+test.name, func(t *testing.T) {
				got := run(t, "", append(test.args, flag, "--now=2026-03-02T08:11:00Z")...)
				if diff := cmp.Diff(test.want, got.out); diff != "" || got.err != nil || got.errOut != "" {
					t.Errorf("%v, %q (-want +got):\n%s", got.err, got.errOut, diff)
				}
			})
		}
	}
	if got := run(t, "", "--hosted-cluster=clusters/demo", "--exit-code", "--server="+server.url, "--now=2026-03-02T08:11:00Z"); got.err == nil || got.err.Error() != "the update is in progress" {
		t.Errorf("--exit-code: %v", got.err)
	}
}

// TestHostedTracks checks what is shown of the two tracks of a hosted cluster, and that a watch for one of them ends with it.
func TestHostedTracks(t *testing.T) {
	got := run(t, "", "--hosted-cluster=clusters/demo", "--server="+serveHosted(t).url, "--now=2026-03-02T08:11:00Z")
	const head = `Updating from 4.22.3 to 4.22.4 for 11m: the control plane
Health         Update is proceeding well
As of          1m ago
Management     4.22.4, completed at 08:09 UTC
Data plane     4.22.4, updating for 8m
Control plane  █████░░░░░ 50%, Progressing, 1 of 2 operators updated, 1 updating
`
	if got.err != nil || !strings.HasPrefix(got.out, head) {
		t.Errorf("%v\n%s", got.err, got.out)
	}
	summary := strings.Replace(content(t, "testdata/hostedsummary.yaml"), "2026-03-02T08:10:00Z", time.Now().UTC().Format(time.RFC3339), 1)
	server := serve(t, map[string]response{hostedPath: objectResponse(t, content(t, "testdata/hosted.yaml")), hostedSummaryPath: objectResponse(t, summary)})
	for part, want := range map[string]string{
		"management": "",
		"data-plane": "Timed out after 0s; still waiting for the payload in the hosted cluster",
		"pool/surge": "Timed out after 0s; still waiting for pool surge",
		"pool/other": "there is no pool other: must be one of surge",
	} {
		got := run(t, "", "--watch", "--for="+part, "--hosted-cluster=clusters/demo", "--timeout=20ms", "--server="+server.url)
		message := ""
		if got.err != nil {
			message = got.err.Error()
		}
		if message != want {
			t.Errorf("--for=%s: error %q, want %q\n%s", part, message, want, got.errOut)
		}
	}
}

// TestHostedClusterUnconfirmed checks that a status that no controller confirms is not shown as current, of one and of all.
func TestHostedClusterUnconfirmed(t *testing.T) {
	for source, flag := range map[string]string{"cluster": "--server=" + serveHosted(t).url, "files": "--must-gather=" + hostedFolder(t)} {
		got := run(t, "", "--hosted-cluster=clusters/demo", flag, "--now=2026-03-02T08:14:00Z")
		const want, logs = "Outdated: no controller has confirmed it since 2026-03-02T08:10:00Z.\n", "oc logs -n clusters-demo deployment/update-status-controller"
		if got.err == nil || !strings.Contains(got.err.Error(), logs) || !strings.HasPrefix(got.out, want) {
			t.Errorf("%s: %v\n%s", source, got.err, got.out)
		}
		if current := run(t, "", "--hosted-clusters", "--exit-code", flag, "--now=2026-03-02T08:11:00Z"); codeOf(current.err) != exitInProgress {
			t.Errorf("%s: exit status of an update: %v", source, current.err)
		}
		all := run(t, "", "--hosted-clusters", "--exit-code", flag, "--now=2026-03-02T08:14:00Z")
		if all.err == nil || !strings.HasPrefix(all.err.Error(), "clusters/demo: the status is outdated") || all.out != fleetText {
			t.Errorf("%s: %v\n%s", source, all.err, all.out)
		}
	}
}

// TestHostedClusterSummaries checks the rows of summaries without a status, and the error if a part of them can't be read.
func TestHostedClusterSummaries(t *testing.T) {
	const empty = "status: {}"
	const unavailable = `status:
  observedAt: "2026-03-02T08:10:00Z"
  controlPlane: {assessment: Completed, completion: 100, operators: {total: 1, updated: 1, updating: 0, waiting: 0, unhealthy: 0}}
  conditions:
  - {type: Available, status: "False", reason: CannotListMachines, message: refused, lastTransitionTime: "2026-03-02T08:00:00Z"}`
	for status, want := range map[string]string{
		empty:       "clusters/demo: the Update Status Controller has not reported anything yet",
		unavailable: "clusters/demo: the Update Status Controller has been unable to report the whole cluster for 11m, the status may be outdated: refused",
	} {
		list := "kind: HostedClusterUpdateStatusSummaryList\napiVersion: update.openshift.io/v1alpha1\nitems:\n" +
			"- apiVersion: update.openshift.io/v1alpha1\n  kind: HostedClusterUpdateStatusSummary\n  metadata: {name: demo, namespace: clusters}\n  " +
			strings.ReplaceAll(status, "\n", "\n  ")
		server := serve(t, map[string]response{hostedSummaryListPath: objectResponse(t, list)})
		got := run(t, "", "--hosted-clusters", "--server="+server.url, "--now=2026-03-02T08:11:00Z")
		if got.err == nil || !strings.HasPrefix(got.err.Error(), want) || !strings.Contains(got.out, "clusters/demo") {
			t.Errorf("got %v, want %s\n%s", got.err, want, got.out)
		}
	}
}

// TestHostedClusterErrors checks what is said where there is nothing to show.
func TestHostedClusterErrors(t *testing.T) {
	none := serve(t, map[string]response{}).url
	forbidden := serve(t, map[string]response{hostedPath: errorResponse(t, http.StatusForbidden, "Forbidden"), hostedSummaryListPath: errorResponse(t, http.StatusForbidden, "Forbidden")}).url
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no such cluster", []string{"--hosted-cluster=clusters/demo", "--server=" + none}, "there is no HostedClusterUpdateStatus clusters/demo: "},
		{"not in the files", []string{"--hosted-cluster=clusters/other", "--must-gather=" + hostedFolder(t)}, "has neither a HostedClusterUpdateStatus clusters/other nor its HostedCluster, only those of clusters/demo"},
		{"not allowed", []string{"--hosted-cluster=clusters/demo", "--server=" + forbidden}, "ask for permission to get hostedclusterupdatestatuses.update.openshift.io"},
		{"all, not allowed", []string{"--hosted-clusters", "--server=" + forbidden}, "ask for permission to list hostedclusterupdatestatussummaries.update.openshift.io"},
		{"no namespace", []string{"--hosted-cluster=demo"}, `invalid --hosted-cluster "demo": must be NAMESPACE/NAME`},
		{"no name", []string{"--hosted-cluster=demo/"}, "must be NAMESPACE/NAME"},
		{"no namespace before the name", []string{"--hosted-cluster=/demo"}, "must be NAMESPACE/NAME"},
		{"too many parts", []string{"--hosted-cluster=a/b/c"}, "must be NAMESPACE/NAME"},
		{"an empty name", []string{"--hosted-cluster="}, "--hosted-cluster is empty"},
		{"both", []string{"--hosted-cluster=a/b", "--hosted-clusters"}, "--hosted-cluster can't be used with --hosted-clusters"},
		{"a file", []string{"--hosted-cluster=a/b", "-f", "x"}, "--hosted-cluster can't be used with"},
		{"a file with it", []string{"-f", filepath.Join(hostedFolder(t), "hosted.yaml")}, "hosted.yaml contains no UpdateStatus; to show a hosted cluster in it, use --must-gather"},
		{"contexts", []string{"--hosted-cluster=a/b", "--contexts=x"}, "--hosted-cluster can't be used with"},
		{"all of a file", []string{"--hosted-clusters", "-f", "x"}, "--hosted-clusters can't be used with -f"},
		{"all with a watch", []string{"--hosted-clusters", "--watch"}, "--hosted-clusters can't be used with"},
		{"all with contexts", []string{"--hosted-clusters", "--contexts=x"}, "--hosted-clusters can't be used with"},
		{"all as JSON", []string{"--hosted-clusters", "-o", "json"}, "--hosted-clusters can't be used with"},
		{"all over time", []string{"--hosted-clusters", "--timeline"}, "--hosted-clusters can't be used with"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := run(t, "", test.args...)
			if got.err == nil || !strings.Contains(got.err.Error(), test.want) {
				t.Errorf("got %v, want %s", got.err, test.want)
			}
		})
	}
	for _, flag := range []string{"--server=" + none, "--must-gather=" + recordedCluster} {
		if got := run(t, "", "--hosted-clusters", flag); got.err != nil || !strings.HasPrefix(got.out, "There is no HostedClusterUpdateStatusSummary: ") {
			t.Errorf("%s: %v and %q", flag, got.err, got.out)
		}
	}
}

const hostedRecord = `
apiVersion: update.openshift.io/v1alpha1
kind: HostedClusterUpdateRecord
metadata: {name: demo-20260101-080000-4.22.3, namespace: clusters, labels: {update.openshift.io/hosted-cluster: demo}}
status:
  versions: {previous: 4.22.2, target: 4.22.3}
  result: Completed
  startedAt: "2026-01-01T08:00:00Z"
  completedAt: "2026-01-01T09:31:00Z"
  observedAt: "2026-01-01T09:31:00Z"
  took: {controlPlane: 52m0s, total: 1h31m0s}
`

// TestHostedHistory checks that the records of a hosted cluster are shown, and not those of others.
func TestHostedHistory(t *testing.T) {
	folder := hostedFolder(t)
	other := strings.ReplaceAll(strings.ReplaceAll(hostedRecord, "demo", "other"), "4.22.3", "4.22.9")
	elsewhere := strings.ReplaceAll(hostedRecord, "namespace: clusters", "namespace: others")
	for name, record := range map[string]string{"record": hostedRecord, "other": other, "elsewhere": elsewhere} {
		if err := os.WriteFile(filepath.Join(folder, name+".yaml"), []byte(record), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var selector string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		selector = r.URL.Query().Get("labelSelector")
		handlerOf(map[string]response{
			"/apis/update.openshift.io/v1alpha1/namespaces/clusters/hostedclusterupdaterecords": objectResponse(t, recordList(hostedRecord)),
		})(w, r)
	}))
	t.Cleanup(server.Close)
	const history = `NAME                          FROM     TO       RESULT      STARTED                CONTROL PLANE   TOTAL   HEALTH
demo-20260101-080000-4.22.3   4.22.2   4.22.3   Completed   2026-01-01T08:00:00Z   52m             1h31m   -
`
	for source, flag := range map[string]string{"cluster": "--server=" + server.URL, "files": "--must-gather=" + folder} {
		got := run(t, "", "--hosted-cluster=clusters/demo", "--history", flag)
		if got.err != nil || got.out != history {
			t.Errorf("%s: %v\n%s", source, got.err, got.out)
		}
		one := run(t, "", "--hosted-cluster=clusters/demo", "--history=4.22.3", "-o", "jsonpath={.kind} {.metadata.name}", flag)
		if want := "HostedClusterUpdateRecord demo-20260101-080000-4.22.3"; one.err != nil || one.out != want {
			t.Errorf("%s: %v and %q", source, one.err, one.out)
		}
	}
	if selector != "update.openshift.io/hosted-cluster=demo" {
		t.Errorf("the records are selected by %q", selector)
	}
	report := runReport(t, "--hosted-cluster=clusters/demo", "--history=4.22.3", "--output-file=-", "--must-gather="+folder)
	if !strings.Contains(report.out, "<h1>Update from 4.22.2 to 4.22.3: completed</h1>") {
		t.Errorf("the report: %v\n%.300s", report.err, report.out)
	}
}

// TestHostedObjects checks the assessment of a hosted cluster from the objects of its management cluster. What is missing comes first.
// Objects of other hosted clusters are not its own.
func TestHostedObjects(t *testing.T) {
	folder := t.TempDir()
	samples := content(t, "../../apis/hypershift/v1beta1/testdata/samples.yaml")
	if err := os.WriteFile(filepath.Join(folder, "samples.yaml"), []byte(samples), 0o600); err != nil {
		t.Fatal(err)
	}
	got := run(t, "", "--hosted-cluster=clusters/demo", "--must-gather="+folder, "--classic", "--now=2026-08-20T10:30:00Z")
	const want = "Incomplete: without a HostedClusterUpdateStatus clusters/demo in the files, it is assessed from the objects of the management cluster: "
	if got.err != nil || !strings.Contains(got.errOut, "warning: incomplete") || !strings.HasPrefix(got.out, want) || !strings.Contains(got.out, "\nNODE POOL ") || !strings.Contains(got.out, "Target Version:  4.22.4") {
		t.Errorf("%v, %s\n%s", got.err, got.errOut, got.out)
	}
}
