package conformance

import (
	"bytes"
	"cmp"
	"os"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// eachCluster calls test with each recorded cluster.
func eachCluster(t *testing.T, test func(t *testing.T, cluster Recorded, recorded *snapshot.Snapshot)) {
	t.Helper()
	clusters, err := Load(cmp.Or(os.Getenv("EXAMPLES"), "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	for _, cluster := range clusters {
		recorded, err := snapshot.Load(cluster.Path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(cluster.Name, func(t *testing.T) { test(t, cluster, recorded) })
	}
}

// TestRecordedClusters compares the text for every recorded cluster, in both forms, with the recorded one.
func TestRecordedClusters(t *testing.T) {
	eachCluster(t, func(t *testing.T, cluster Recorded, recorded *snapshot.Snapshot) {
		now := recorded.NewestTransition(time.Now())
		us, err := invariants.Stored(recorded.Assess(now))
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, pool := range recorded.MachineConfigPools {
			order = append(order, pool.Name)
		}
		for details, text := range cluster.Texts {
			t.Run(string(details), func(t *testing.T) {
				var got bytes.Buffer
				if err := describe.Write(&got, update.ReadAt(&us.Status, now), describe.Options{Now: now, Details: details, PoolOrder: order}); err != nil {
					t.Fatal(err)
				}
				compare(t, text, got.String())
			})
		}
		if len(recorded.Problems) > 0 {
			t.Errorf("problems with the files: %v", recorded.Problems)
		}
	})
}

// compare compares a text with a recorded one, and logs the rules by which they differ.
func compare(t *testing.T, recorded, got string) {
	t.Helper()
	want, rules := Expected(recorded)
	for _, rule := range rules {
		t.Logf("differs, since %s", rule)
	}
	if diff := gocmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
