package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// nodesSummary is the summary of nodesFile, with an estimate from earlier updates and a field of a newer version.
const nodesSummary = `
apiVersion: update.openshift.io/v1alpha1
kind: UpdateStatusSummary
metadata: {name: cluster}
spec: {}
status:
  observedGeneration: 3
  conditions:
  - {type: Updating, status: "True", reason: Workers, message: Updating, lastTransitionTime: "2026-03-02T08:00:00Z"}
  - {type: Stalled, status: "False", reason: AsExpected, message: "", lastTransitionTime: "2026-03-02T08:00:00Z"}
  observedAt: "2026-03-02T10:00:00Z"
  versions: {previous: 4.20.1, target: 4.20.2}
  startedAt: "2026-03-02T08:00:00Z"
  waitingFor: what the summary says
  controlPlane: {assessment: Completed, completion: 100, operators: {total: 0, updated: 0, updating: 0, waiting: 0}}
  workerPools: [{name: worker, assessment: Degraded, completion: 29, nodes: {total: 7, completed: 2, updating: 1, excluded: 0, pending: 4, degraded: 1, unavailable: 2}}]
  estimate: {earliest: "2026-03-02T10:10:00Z", latest: "2026-03-02T10:40:00Z", basis: History}
  unknown: 9007199254740993
`

// confirmedIdle is idleStatus as the controller writes it.
var confirmedIdle = strings.Replace(idleStatus, "status:\n", "status:\n  conditions: [{type: Available, status: \"True\", reason: AsExpected}]\n", 1)

const nodesNow = "--now=2026-03-02T10:00:00Z"

// summaryFolder returns files with the status of nodesFile and a summary.
func summaryFolder(t *testing.T, summary string) string {
	t.Helper()
	return writeMustGather(t, map[string]string{"status.yaml": content(t, nodesFile), "summary.yaml": summary})
}

// TestSummaryObject checks which summary a cluster and files print: the one that the controller wrote about the status, with the fields of a
// newer version, or else one that is made from the status.
func TestSummaryObject(t *testing.T) {
	const path = "jsonpath={.kind} {.metadata.namespace}/{.metadata.name} {.status.waitingFor}; {.status.estimate.basis}; " +
		`{.status.observedGeneration}{.status.unknown}; {.status.conditions[?(@.type=="Stalled")].status}`
	for _, of := range []struct {
		statusPath, status, summaryPath, summary, target string
		args                                             []string
		written, made                                    string
	}{
		{
			updateStatusPath, content(t, nodesFile), summaryPath, nodesSummary, "target: 4.20.2",
			[]string{nodesNow},
			"UpdateStatusSummary /cluster what the summary says; History; 39007199254740993; False",
			"UpdateStatusSummary /cluster node w-1, which has been draining for 5m; ; ; False",
		},
		{
			hostedPath, content(t, "testdata/hosted.yaml"), hostedSummaryPath,
			strings.Replace(content(t, "testdata/hostedsummary.yaml"), "status:\n", "status:\n  unknown: field\n", 1),
			"target: 4.22.4",
			[]string{"--hosted-cluster=clusters/demo", "--now=2026-03-02T08:11:00Z"},
			"HostedClusterUpdateStatusSummary clusters/demo ; ; field; ",
			"HostedClusterUpdateStatusSummary clusters/demo ClusterOperator network, which has been updating for 5m; Default; ; False",
		},
	} {
		for name, test := range map[string]struct{ summary, want string }{
			"written about it":      {of.summary, of.written},
			"missing":               {"", of.made},
			"not written to so far": {strings.Split(of.summary, "status:")[0], of.made},
			"of the update before":  {strings.Replace(of.summary, of.target, "target: 4.1.0", 1), of.made},
		} {
			responses := map[string]response{of.statusPath: objectResponse(t, of.status), of.summaryPath: noResource}
			files := map[string]string{"status.yaml": of.status}
			if test.summary != "" {
				responses[of.summaryPath], files["summary.yaml"] = objectResponse(t, test.summary), test.summary
			}
			for source, flag := range map[string]string{"cluster": "--server=" + serve(t, responses).url, "files": "--must-gather=" + writeMustGather(t, files)} {
				got := run(t, "", append([]string{"--summary", "-o", path, flag}, of.args...)...)
				// A cluster, unlike files, has to say that what is shown is current.
				if isUnconfirmed := source == "cluster" && !strings.Contains(test.summary, "observedAt"); got.out != test.want || (got.err != nil) != isUnconfirmed {
					t.Errorf("a summary that is %s, from %s: %v\ngot  %s\nwant %s", name, source, got.err, got.out, test.want)
				}
			}
		}
	}
	if got := run(t, "", "-o", "jsonpath={.kind}{.status.waitingFor}", "--must-gather", summaryFolder(t, nodesSummary)); got.out != "UpdateStatus" {
		t.Errorf("without the flag: %s%v", got.out, got.err)
	}
}

// TestSummaryOfFile checks the summary of one file, which may have both objects.
func TestSummaryOfFile(t *testing.T) {
	file := content(t, nodesFile)
	both := "apiVersion: v1\nkind: List\nitems:\n- " + indented(file[strings.Index(file, "\n")+1:]) + "\n- " + indented(strings.TrimPrefix(nodesSummary, "\n"))
	for input, want := range map[string]string{
		both: "UpdateStatusSummary what the summary says",
		file: "UpdateStatusSummary node w-1, which has been draining for 5m",
	} {
		if got := run(t, input, "--summary", "-f", "-", "-o", "jsonpath={.kind} {.status.waitingFor}"); got.out != want || got.err != nil {
			t.Errorf("%v\ngot  %s\nwant %s", got.err, got.out, want)
		}
	}
	// Elements of lists in a must-gather have no kind.
	list := "apiVersion: update.openshift.io/v1alpha1\nkind: UpdateStatusSummaryList\nitems:\n- " + indented("metadata: "+strings.SplitN(nodesSummary, "metadata: ", 2)[1])
	if got := run(t, "", "--summary", "--must-gather", summaryFolder(t, list), "-o", "jsonpath={.kind} {.status.waitingFor}"); got.out != "UpdateStatusSummary what the summary says" {
		t.Errorf("of a list: %s%v", got.out, got.err)
	}
	if got := run(t, "", "--summary", "-o", "name", "-f", nodesFile); got.out != "updatestatussummary.update.openshift.io/cluster\n" {
		t.Errorf("its name: %s%v", got.out, got.err)
	}
}

// indented returns a document as an item of a list.
func indented(document string) string {
	return strings.ReplaceAll(strings.TrimSuffix(document, "\n"), "\n", "\n  ")
}

// TestMadeSummary checks that a summary that is made is what the controller would write, but for the time at which it confirmed it, and of
// which kind.
func TestMadeSummary(t *testing.T) {
	us, now := mustRead(t, nodesFile), time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	want := &updatev1alpha1.UpdateStatusSummary{TypeMeta: typeOf("UpdateStatusSummary"), ObjectMeta: metav1.ObjectMeta{Name: "cluster"}, Status: *describe.Head(update.ReadAt(&us.Status, now), now)}
	for _, format := range []string{"json", "yaml"} {
		got := &updatev1alpha1.UpdateStatusSummary{}
		if err := yaml.UnmarshalStrict([]byte(run(t, "", "--summary", "-f", nodesFile, "-o", format).out), got); err != nil {
			t.Fatal(err)
		}
		for _, one := range []*updatev1alpha1.UpdateStatusSummary{want, got} {
			for at := range one.Status.Conditions {
				one.Status.Conditions[at].LastTransitionTime = metav1.Time{}
			}
		}
		if diff := cmp.Diff(want.Status, got.Status); diff != "" || got.Name != want.Name || got.TypeMeta != want.TypeMeta {
			t.Errorf("%s: %+v (-want +got):\n%s", format, got.TypeMeta, diff)
		}
	}
	hosted := writeMustGather(t, map[string]string{"samples.yaml": content(t, "../../apis/hypershift/v1beta1/testdata/samples.yaml")})
	for source, test := range map[string]struct {
		args []string
		want string
	}{
		"a cluster":                 {[]string{"--server", serveRecorded(t).url}, "UpdateStatusSummary /cluster 4.20.0"},
		"files":                     {[]string{"--must-gather", recordedCluster}, "UpdateStatusSummary /cluster 4.20.0"},
		"files of a hosted cluster": {[]string{"--must-gather", hosted, "--hosted-cluster=clusters/demo", "--now=2026-08-20T10:30:00Z"}, "HostedClusterUpdateStatusSummary clusters/demo 4.22.4"},
	} {
		args := append([]string{"--summary", "-o", "jsonpath={.kind} {.metadata.namespace}/{.metadata.name} {.status.versions.target}"}, test.args...)
		if got := run(t, "", args...); got.out != test.want {
			t.Errorf("%s, assessed by the client: %s, %v", source, got.out, got.err)
		}
	}
}

// TestSummaryText checks that the text is the head of the whole text, also where the classic text is asked for, and that its notices come
// first and its exit status is the same.
func TestSummaryText(t *testing.T) {
	folder := summaryFolder(t, nodesSummary)
	whole, head := run(t, "", "--must-gather", folder), run(t, "", "--summary", "--classic", "--must-gather", folder)
	if before, _, found := strings.Cut(whole.out, "\n\nPOOL "); !found || head.out != before+"\n" || head.errOut != "" || head.err != nil {
		t.Errorf("%v, %s\n%s\nof\n%s", head.err, head.errOut, head.out, whole.out)
	}
	if !strings.Contains(head.out, "Waiting for    what the summary says\n") {
		t.Errorf("it is not the summary in the files:\n%s", head.out)
	}
	idle := run(t, confirmedIdle, "--summary", "-f", "-")
	if want := "The cluster is not updating.\n"; !strings.HasPrefix(idle.out, want) || strings.HasSuffix(idle.out, "\n\n") {
		t.Errorf("idle: %v\n%s", idle.err, idle.out)
	}
	if got := run(t, "", "--summary", "--exit-code", "-f", nodesFile); got.err == nil || got.err.Error() != "the update is in progress" {
		t.Errorf("--exit-code: %v", got.err)
	}
	outdated := []string{"--summary", "--must-gather", folder, "--now=2026-03-02T11:00:00Z"}
	const notice = "Outdated: no controller has confirmed it since 2026-03-02T10:00:00Z."
	if got := run(t, "", outdated...); got.err == nil || !strings.HasPrefix(got.out, notice+"\n") {
		t.Errorf("outdated: %v\n%s", got.err, got.out)
	}
	if got := run(t, "", append(outdated, "-o", "jsonpath={.notices[0]}{.status.versions.target}")...); got.err == nil || got.out != notice+"4.20.2" {
		t.Errorf("outdated, an object: %v\n%s", got.err, got.out)
	}
}

// TestIsSummaryOf checks when a summary is about the update of a status.
func TestIsSummaryOf(t *testing.T) {
	us, now := mustRead(t, nodesFile), time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	made := describe.Head(update.ReadAt(&us.Status, now), now)
	for name, test := range map[string]struct {
		old, new string
		want     bool
	}{
		"the same update":     {want: true},
		"another estimate":    {old: "basis: History", new: "basis: Observed", want: true},
		"another target":      {old: "target: 4.20.2", new: "target: 4.20.3"},
		"another start":       {old: `startedAt: "2026-03-02T08:00:00Z"`, new: `startedAt: "2026-03-02T07:00:00Z"`},
		"other parts":         {old: "reason: Workers", new: "reason: ControlPlane"},
		"another condition":   {old: `status: "True"`, new: `status: "Unknown"`},
		"another pool":        {old: "name: worker,", new: "name: infra-7,", want: true},
		"the pool before":     {old: "assessment: Degraded", new: "assessment: Progressing"},
		"no condition so far": {old: "type: Updating", new: "type: Other"},
	} {
		observed := &observation{summary: &updatev1alpha1.UpdateStatusSummary{}}
		if err := yaml.Unmarshal([]byte(strings.Replace(nodesSummary, test.old, test.new, 1)), observed.summary); err != nil {
			t.Fatal(err)
		}
		if got := observed.isSummaryOf(made); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if (&observation{}).isSummaryOf(made) {
		t.Error("there is no summary")
	}
}

// TestWatchSummary checks that a watch has a document in each line for each summary that says something else, and none without --summary.
func TestWatchSummary(t *testing.T) {
	for wantsSummary, want := range map[bool][]string{
		true:  {"UpdateStatusSummary what the summary says", "UpdateStatusSummary something else"},
		false: {"UpdateStatus "},
	} {
		if diff := cmp.Diff(want, watchedDocuments(t, wantsSummary)); diff != "" {
			t.Errorf("--summary=%t (-want +got):\n%s", wantsSummary, diff)
		}
	}
}

// watchedDocuments returns the kinds in the output of a watch during which the summary changes, and what they wait for.
func watchedDocuments(t *testing.T, wantsSummary bool) []string {
	t.Helper()
	at := func(minute string) string {
		return strings.NewReplacer("unknown: 9007199254740993", "unknown: "+minute, `observedAt: "2026-03-02T10:00:00Z"`, `observedAt: "2026-03-02T10:0`+minute+`:00Z"`).Replace(nodesSummary)
	}
	responses := map[string]response{updateStatusPath: objectResponse(t, content(t, nodesFile)), summaryPath: objectResponse(t, at("0"))}
	streams, _, out, errOut := genericiooptions.NewTestIOStreams()
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	o := newOptions(nil, streams)
	o.Watch, o.Summary, o.clock = true, wantsSummary, func() time.Time { return now }
	*o.Print.OutputFormat = "json"
	from, err := newCluster(&rest.Config{Host: serve(t, responses).url, QPS: -1}, target{}, o.clock)
	if err != nil {
		t.Fatal(err)
	}
	if o.printer, err = o.Print.toPrinter(); err != nil {
		t.Fatal(err)
	}
	first, err := from.read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := &view{Options: o}
	if err := v.show(first); err != nil {
		t.Fatal(err)
	}
	// The ClusterVersion must be read to compare. The third summary differs only in when it was confirmed.
	responses[clusterVersionPath] = objectResponse(t, strings.NewReplacer("4.20.0", "4.20.2", "2025-02-01T10", "2026-03-02T08", "2025-02-01T11", "2026-03-02T09").Replace(sameVersion))
	waiting := strings.Replace(at("1"), "what the summary says", "something else", 1)
	for _, summary := range []string{at("1"), waiting, strings.Replace(waiting, "10:01:00Z", "10:02:00Z", 1)} {
		responses[summaryPath] = objectResponse(t, summary)
		if err := v.compare(t.Context(), from); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	for line := range strings.Lines(out.String()) {
		var document struct {
			Kind   string
			Status struct{ WaitingFor string }
		}
		if err := json.Unmarshal([]byte(line), &document); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		said = append(said, document.Kind+" "+document.Status.WaitingFor)
	}
	if errOut.String() != "" {
		t.Error(errOut)
	}
	return said
}
