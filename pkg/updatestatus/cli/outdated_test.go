package cli

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	idleStatus = `
apiVersion: update.openshift.io/v1alpha1
kind: UpdateStatus
metadata: {name: cluster}
status:
  conditions:
  - {type: Available, status: "True", reason: AsExpected, message: "", lastTransitionTime: "2025-02-01T11:00:00Z"}
  controlPlane:
    resource: {group: config.openshift.io, resource: clusterversions, name: version}
    conditions:
    - {type: Updating, status: "False", reason: ClusterVersionNotProgressing}
    informers:
    - name: control-plane-informer
      insights:
      - uid: cv-version
        type: ClusterVersion
        acquiredAt: "2025-02-01T11:00:01Z"
        clusterVersion:
          assessment: Completed
          completion: 100
          startedAt: "2025-02-01T10:00:00Z"
          completedAt: "2025-02-01T11:00:00Z"
          versions: {previous: {version: 4.19.3}, target: {version: 4.20.0}}
`
	sameVersion = `
apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata: {name: version}
status:
  history:
  - {state: Completed, version: 4.20.0, image: a, verified: true, startedTime: "2025-02-01T10:00:00Z", completionTime: "2025-02-01T11:00:00Z"}
  observedGeneration: 1
  desired: {version: 4.20.0, image: a}
  versionHash: a
  availableUpdates: null
`
)

// newerVersion is a ClusterVersion that has started an update since.
var newerVersion = strings.NewReplacer("state: Completed", "state: Partial", "10:00:00", "12:00:00", `, completionTime: "2025-02-01T11:00:00Z"`, "").Replace(sameVersion)

// TestOutdatedStatus compares the object with the ClusterVersion.
func TestOutdatedStatus(t *testing.T) {
	for name, tc := range map[string]struct {
		version response
		warning string
	}{
		"the same":       {version: objectResponse(t, sameVersion)},
		"not there":      {version: errorResponse(t, http.StatusNotFound, metav1.StatusReasonNotFound)},
		"forbidden":      {version: errorResponse(t, http.StatusForbidden, metav1.StatusReasonForbidden), warning: "unable to tell whether the status is outdated"},
		"not understood": {version: objectResponse(t, "{kind: ClusterVersion, apiVersion: config.openshift.io/v1, status: {history: 1}}"), warning: "unable to tell whether the status is outdated"},
	} {
		t.Run(name, func(t *testing.T) {
			api := serve(t, map[string]response{updateStatusPath: objectResponse(t, idleStatus), clusterVersionPath: tc.version})
			for _, args := range [][]string{{}, {"-o=yaml"}} {
				got := run(t, "", append(args, "--server", api.url)...)
				if got.err != nil || len(args) == 0 && !strings.Contains(got.out, "The cluster is not updating.") {
					t.Errorf("error %v, output:\n%s", got.err, got.out)
				}
				if !strings.Contains(got.errOut, tc.warning) || tc.warning == "" && got.errOut != "" {
					t.Errorf("warnings %q", got.errOut)
				}
			}
		})
	}
}

// TestAssessedInstead: in place of an outdated object, every output is about the cluster as it is now, after what the object says; where the
// user may not read the cluster, that is an error.
func TestAssessedInstead(t *testing.T) {
	const confirmed = `{apiVersion: update.openshift.io/v1alpha1, kind: UpdateStatusSummary, metadata: {name: cluster}, status: {observedAt: "2025-02-01T11:00:00Z"}}`
	const why = "The UpdateStatus/cluster is outdated: ClusterVersion started the update to "
	for name, test := range map[string]struct {
		api  *apiServer
		args []string
		want string
	}{
		"text":     {serveRecordedWith(t, idleStatus, ""), nil, why},
		"classic":  {serveRecordedWith(t, idleStatus, ""), []string{"--classic"}, why},
		"markdown": {serveRecordedWith(t, idleStatus, ""), []string{"-o=markdown"}, why},
		"json":     {serveRecordedWith(t, idleStatus, ""), []string{"-o=json"}, `"` + why},
		"summary":  {serveRecordedWith(t, idleStatus, confirmed), nil, "Last reported at 2025-02-01T11:00:00Z: The cluster is not updating.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", append(test.args, "--server", test.api.url)...)
			if !strings.Contains(got.out, test.want) || !strings.Contains(got.out, "Last reported") {
				t.Errorf("output lacks %q:\n%s", test.want, got.out)
			}
			if got.err != nil || !strings.Contains(got.errOut, "warning: the status is outdated") || !strings.Contains(got.out, "4.19.3") {
				t.Errorf("error %v, warnings:\n%s\noutput:\n%s", got.err, got.errOut, got.out)
			}
		})
	}
	got := run(t, "", "--server", serveRecordedWith(t, idleStatus, "", "/api/v1/nodes").url)
	if got.err == nil || !strings.Contains(got.err.Error(), "Nodes") || !strings.HasPrefix(got.out, why) {
		t.Errorf("error %v, output:\n%s", got.err, got.out)
	}
}

// TestUnreadableSummary: nothing but the summary says that a status is current. Where it can't be read, the cluster is assessed, and a hosted
// cluster, which the client can't assess, is outdated.
func TestUnreadableSummary(t *testing.T) {
	for name, unreadable := range map[string]response{
		"forbidden": errorResponse(t, http.StatusForbidden, metav1.StatusReasonForbidden), "missing": noResource,
		"failing":         errorResponse(t, http.StatusInternalServerError, metav1.StatusReasonInternalError),
		"not decoded":     objectResponse(t, "{apiVersion: update.openshift.io/v1alpha1, kind: UpdateStatusSummary, metadata: {name: cluster}, status: 1}"),
		"never confirmed": objectResponse(t, "{apiVersion: update.openshift.io/v1alpha1, kind: UpdateStatusSummary, metadata: {name: cluster}}"),
	} {
		responses := recordedResponses(t, map[string]string{updateStatusPath: idleStatus, clusterVersionPath: content(t, recordedCluster+"-cv.yaml")})
		delete(responses, clusterVersionPath) // so that only the summary says it
		responses[summaryPath] = unreadable
		got := run(t, "", "--server", serve(t, responses).url)
		if got.err == nil || !strings.Contains(got.err.Error(), "the summary beside it") || !strings.HasPrefix(got.out, "Outdated: the summary beside it") {
			t.Errorf("%s, without a ClusterVersion: error %v\n%s", name, got.err, got.out)
		}
		responses[clusterVersionPath] = objectResponse(t, content(t, recordedCluster+"-cv.yaml"))
		got = run(t, "", "--server", serve(t, responses).url)
		if !strings.Contains(got.errOut, "warning: the status is outdated") || !strings.Contains(got.out, "Assessed by the client") {
			t.Errorf("%s: error %v, warnings %s\n%s", name, got.err, got.errOut, got.out)
		}
		hosted := map[string]response{hostedPath: objectResponse(t, content(t, "testdata/hosted.yaml")), hostedSummaryPath: unreadable}
		got = run(t, "", "--hosted-cluster=clusters/demo", "--server", serve(t, hosted).url)
		if got.err == nil || !strings.HasPrefix(got.out, "Outdated: the summary beside it") {
			t.Errorf("%s, hosted: error %v\n%s", name, got.err, got.out)
		}
	}
}

// TestNotWrittenStatus: the summary says that the status could not be written, and every output and the exit status obey.
func TestNotWrittenStatus(t *testing.T) {
	summary := `
apiVersion: update.openshift.io/v1alpha1
kind: UpdateStatusSummary
metadata: {name: cluster}
status:
  observedAt: "` + time.Now().UTC().Format(time.RFC3339) + `"
  conditions:
  - {type: Available, status: "False", reason: NotWritten, message: "The API server does not store the status: no role", lastTransitionTime: "2025-02-01T11:00:00Z"}
  - {type: Updating, status: "False", reason: NotUpdating, message: "", lastTransitionTime: "2025-02-01T11:00:00Z"}
`
	api := serve(t, map[string]response{
		updateStatusPath: objectResponse(t, idleStatus), clusterVersionPath: objectResponse(t, sameVersion), summaryPath: objectResponse(t, summary),
	})
	folder := t.TempDir()
	for name, content := range map[string]string{"status.yaml": idleStatus, "version.yaml": sameVersion, "summary.yaml": summary} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{}, {"--classic", "--exit-code"}, {"--classic", "--fail-on=error"}, {"-o=json"}, {"-o=markdown"}, {"--exit-code"}} {
		for _, source := range [][]string{{"--server", api.url}, {"--must-gather", folder}} {
			got := run(t, "", slices.Concat(args, source)...)
			if got.err == nil || !strings.Contains(got.err.Error(), "no role (NotWritten)") || !strings.Contains(got.out, "This may be outdated: the API server does not store the status: no role") {
				t.Errorf("%v: error %v\n%s", args, got.err, got.out)
			}
		}
	}
	if got := run(t, "", "--classic", "--must-gather", folder); got.err != nil || !strings.Contains(got.errOut, "no role (NotWritten)") {
		t.Errorf("as oc: error %v, %s", got.err, got.errOut)
	}
}

// TestOutdatedMustGather compares the object in files with the ClusterVersion beside it.
func TestOutdatedMustGather(t *testing.T) {
	for version, isOutdated := range map[string]bool{sameVersion: false, newerVersion: true} {
		folder := t.TempDir()
		for name, content := range map[string]string{"status.yaml": idleStatus, "version.yaml": version} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := run(t, "", "--must-gather", folder, "--now", "2025-02-01T13:00:00Z")
		if (got.err != nil) != isOutdated || strings.Contains(got.out, "The cluster is not updating.") == isOutdated {
			t.Errorf("error %v, output:\n%s", got.err, got.out)
		}
	}
}

// TestUnconfirmedStatus checks that an object whose summary is not confirmed is not shown as current.
func TestUnconfirmedStatus(t *testing.T) {
	const summary = `{apiVersion: update.openshift.io/v1alpha1, kind: UpdateStatusSummary, metadata: {name: cluster}, status: {observedAt: "2025-02-01T11:00:00Z"}}`
	api := serve(t, map[string]response{
		updateStatusPath: objectResponse(t, idleStatus), clusterVersionPath: objectResponse(t, sameVersion), summaryPath: objectResponse(t, summary),
	})
	got := run(t, "", "--server", api.url)
	// Nothing of the cluster can be read: what was reported last is shown.
	if got.err == nil || !strings.Contains(got.err.Error(), "no controller has confirmed it since 2025-02-01T11:00:00Z. Check that") ||
		!strings.HasPrefix(got.out, "Outdated: no controller has confirmed it since 2025-02-01T11:00:00Z.\n") || strings.Contains(got.out, "\nThe cluster is not updating.") {
		t.Errorf("error %v, output:\n%s", got.err, got.out)
	}
}

// TestOutdatedFiles: an UpdateStatus in files that was not confirmed for three minutes before the end of gathering is outdated.
func TestOutdatedFiles(t *testing.T) {
	const summary = "apiVersion: update.openshift.io/v1alpha1\nkind: UpdateStatusSummary\nmetadata: {name: cluster}\nstatus: {observedAt: \"2025-03-01T%s:00Z\"}\n"
	for observed, isOutdated := range map[string]bool{"12:00": true, "12:27": true, "12:28": false} {
		dir := writeMustGather(t, map[string]string{"us.yaml": content(t, updateStatusFile), "summary.yaml": fmt.Sprintf(summary, observed)})
		if err := os.WriteFile(filepath.Join(dir, "timestamp"), []byte("2025-03-01 12:25:00 +0000 UTC m=+0.1\n2025-03-01 12:30:00 +0000 UTC m=+300.1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got := run(t, "", "--must-gather", dir)
		if (got.err != nil) != isOutdated || strings.HasPrefix(got.out, "Outdated: no controller has confirmed it since 2025-03-01T"+observed) != isOutdated {
			t.Errorf("%s: error %v\n%s", observed, got.err, got.out)
		}
	}
}
