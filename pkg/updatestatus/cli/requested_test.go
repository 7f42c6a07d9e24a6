package cli

import (
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// requestedVersion is a ClusterVersion that asks for an update, with what the Cluster Version Operator reports of that.
func requestedVersion(conditions string) string {
	return strings.Replace(sameVersion, "status:\n", `spec: {clusterID: "", desiredUpdate: {version: 4.20.1}}
status:
  conditions:
  - {type: Progressing, status: "False", lastTransitionTime: "2025-02-01T11:00:00Z"}
`+conditions, 1)
}

// updatedOperator is a ClusterOperator at the version of sameVersion.
const updatedOperator = `
apiVersion: config.openshift.io/v1
kind: ClusterOperator
metadata: {name: etcd, annotations: {include.release.openshift.io/self-managed-high-availability: "true"}}
status:
  versions: [{name: operator, version: 4.20.0}]
  conditions:
  - {type: Available, status: "True", lastTransitionTime: "2025-01-01T10:00:00Z"}
  - {type: Progressing, status: "False", lastTransitionTime: "2025-01-01T10:00:00Z"}
`

// TestTitleOfARequest checks the first line for an update that was asked for and has not begun: of a status, which has since when, and of
// the objects of a cluster, which do not have it.
func TestTitleOfARequest(t *testing.T) {
	requested, refused := asked(updatev1alpha1.ReasonRequested), asked(updatev1alpha1.ReasonNotAccepted)
	refusedVersion := requestedVersion(`  - {type: ReleaseAccepted, status: "False", reason: PreconditionChecks, lastTransitionTime: "2025-03-01T12:05:00Z",
     message: 'Preconditions failed for payload loaded version="4.20.1" image="a"'}
`)
	for name, tc := range map[string]struct {
		status, version, want string
	}{
		"requested":                                 {requested, sameVersion, "The update to 4.20.1 was requested 12m ago and has not begun."},
		"not accepted":                              {refused, sameVersion, "The update to 4.20.1 was requested 12m ago and is not accepted."},
		"requested, of an older controller":         {strings.Replace(requested, `, since: "2025-03-01T12:00:00Z"`, "", 1), sameVersion, "The update to 4.20.1 was requested and has not begun."},
		"requested, no status in the cluster":       {"", requestedVersion(""), "The update to 4.20.1 was requested and has not begun."},
		"not accepted, no status in the cluster":    {"", refusedVersion, "The update to 4.20.1 was requested and is not accepted."},
		"a fulfilled one, no status in the cluster": {"", strings.Replace(requestedVersion(""), "desiredUpdate: {version: 4.20.1}", "desiredUpdate: {version: 4.20.0}", 1), "No update appears to be in progress."},
	} {
		objects := map[string]string{
			"config.openshift.io/clusterversions/version.yaml": tc.version, "config.openshift.io/clusteroperators/etcd.yaml": updatedOperator,
		}
		served := map[string]response{
			clusterVersionPath: objectResponse(t, tc.version),
			"/apis/config.openshift.io/v1/clusteroperators": objectResponse(t, "{kind: ClusterOperatorList, apiVersion: config.openshift.io/v1, items: ["+asJSON(t, updatedOperator)+"]}"),
		}
		if tc.status != "" {
			objects["update.openshift.io/updatestatuses/cluster.yaml"] = tc.status
			served[updateStatusPath] = objectResponse(t, tc.status)
		}
		for source, args := range map[string][]string{
			"cluster": {"--server", serve(t, served).url}, "files": {"--must-gather", writeMustGather(t, objects)},
		} {
			got := run(t, "", append(args, "--now=2025-03-01T12:12:00Z")...)
			if title := withoutNotices(got.out); title != tc.want {
				t.Errorf("%s, %s: got %q, want %q, error %v", name, source, title, tc.want, got.err)
			}
		}
	}
}

// withoutNotices returns the first line that does not say what keeps the text from being trusted.
func withoutNotices(text string) string {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "Incomplete: ") && !strings.HasPrefix(line, "Outdated: ") {
			return strings.TrimSuffix(line, "\n")
		}
	}
	return ""
}
