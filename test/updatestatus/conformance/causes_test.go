package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// expectedCauses are the causes in a recorded cluster, each with what it causes, and why they are these.
type expectedCauses struct {
	Why    string   `json:"why"`
	Causes []string `json:"causes"`
}

// TestRecordedCauses compares the causes in recorded clusters with testdata/causes.yaml, which says why they are these. Those of a cluster
// that is not in it are logged: its text is compared.
func TestRecordedCauses(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("testdata", "causes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]expectedCauses{}
	if err := yaml.UnmarshalStrict(content, &expected); err != nil {
		t.Fatal(err)
	}
	eachCluster(t, func(t *testing.T, cluster Recorded, recorded *snapshot.Snapshot) {
		us, err := invariants.Stored(recorded.Assess(recorded.NewestTransition(time.Now())))
		if err != nil {
			t.Fatal(err)
		}
		got := linesOf(causes.Tree(update.Read(&us.Status).Health), "")
		want, known := expected[cluster.Name]
		if !known {
			t.Logf("not in testdata/causes.yaml: %q", got)
			return
		}
		if want.Why == "" {
			t.Error("testdata/causes.yaml does not say why the causes are these")
		}
		if diff := cmp.Diff(want.Causes, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func linesOf(groups []causes.Group, indentation string) []string {
	var lines []string
	for _, group := range groups {
		lines = append(lines, fmt.Sprintf("%s%s: %s", indentation, group.Level(), group.Summary()))
		lines = append(lines, linesOf(group.Consequences, indentation+"  ")...)
	}
	return lines
}
