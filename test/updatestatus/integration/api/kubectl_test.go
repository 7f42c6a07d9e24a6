package api_test

import (
	"context"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"

	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

var trailingBlanks = regexp.MustCompile(`(?m) +$`)

func kubectl(t *testing.T, arguments ...string) string {
	t.Helper()
	kubeconfig, err := pool.Shared(t).AdminKubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	arguments = append([]string{"--kubeconfig", kubeconfig}, arguments...)
	output, err := exec.CommandContext(t.Context(), pool.Shared(t).Kubectl(), arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("kubectl %v: %v\n%s", arguments, err, output)
	}
	return string(output)
}

// waitForOpenAPI waits until the API server publishes the schema, which it does some time after the CRD is installed.
func waitForOpenAPI(t *testing.T) {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(pool.Shared(t).Admin())
	if err != nil {
		t.Fatal(err)
	}
	published := func(context.Context) (bool, error) {
		paths, err := client.OpenAPIV3().Paths()
		_, found := paths["apis/update.openshift.io/v1alpha1"]
		return found, err
	}
	if err := pace.Poll(t.Context(), 100*time.Millisecond, harness.Stall, published); err != nil {
		t.Fatalf("the schema is not published: %v", err)
	}
}

// explained is a line of kubectl explain --recursive that is about a field.
var untilCause = regexp.MustCompile(`(?m)^( +)(\w+)\t<`)

// TestExplain asks kubectl for all fields, which it shows indented below each other.
func TestExplain(t *testing.T) { eachKind(t, testExplain) }

func testExplain(t *testing.T, of kind) {
	waitForOpenAPI(t)
	var got, path []string
	for _, line := range untilCause.FindAllStringSubmatch(kubectl(t, "explain", of.name, "--recursive"), -1) {
		depth := len(line[1])/2 - 1
		path = append(path[:depth:depth], line[2])
		if path[0] == "spec" || path[0] == "status" {
			got = append(got, strings.Join(path, "."))
		}
	}
	var want []string
	for _, at := range allPlaces(readFull(t, of)) {
		if !strings.HasSuffix(at.path, "[]") {
			want = append(want, strings.ReplaceAll(at.path, "[]", ""))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields that are explained (-want +got):\n%s", diff)
	}
}

func TestColumns(t *testing.T) {
	full := readFull(t, updateStatus)
	store := newStore(t, updateStatus, full)
	for _, at := range allPlaces(full) {
		if strings.HasSuffix(at.path, ".clusterVersion.startedAt") {
			full = at.with(full, time.Now().Add(-90*time.Minute).Format(time.RFC3339))
		}
	}
	if _, err := store.write(t, full); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, `
NAME      UPDATING   FROM     TO       COMPLETION   SINCE   CONTROL PLANE EXPECTED
cluster   True       4.20.1   4.20.2   91           90m     2026-01-02T04:05:00Z
`},
		{[]string{"--output=wide"}, `
NAME      UPDATING   FROM     TO       COMPLETION   SINCE   CONTROL PLANE EXPECTED   ASSESSMENT    COMPLETED              WORKERS    AVAILABLE
cluster   True       4.20.1   4.20.2   91           90m     2026-01-02T04:05:00Z     Progressing   2026-01-02T04:00:00Z   Updating   True
`},
	} {
		got := kubectl(t, append([]string{"get", "updatestatus"}, c.flags...)...)
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), trailingBlanks.ReplaceAllString(got, "")); diff != "" {
			t.Errorf("get %v (-want +got):\n%s", c.flags, diff)
		}
	}
}

func TestRecordColumns(t *testing.T) {
	full := readFull(t, updateRecord)
	store := newStore(t, updateRecord, full)
	full.Object["status"].(map[string]any)["startedAt"] = time.Now().Add(-90 * time.Minute).Format(time.RFC3339)
	if _, err := store.write(t, full); err != nil {
		t.Fatal(err)
	}
	const want = `
NAME                     FROM     TO       RESULT      STARTED   CONTROL PLANE   TOTAL
20260102-030000-4.20.2   4.20.1   4.20.2   Completed   90m       52m0s           1h31m5s
`
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), trailingBlanks.ReplaceAllString(kubectl(t, "get", "updaterecords"), "")); diff != "" {
		t.Errorf("get (-want +got):\n%s", diff)
	}
}

// TestInformerColumns: the columns show the first insight, which an author puts first since it is the worst.
func TestInformerColumns(t *testing.T) {
	full := readFull(t, updateInformer)
	full.Object["status"].(map[string]any)["renewedAt"] = time.Now().Add(-10 * time.Minute).Format(time.RFC3339)
	if _, err := newStore(t, updateInformer, full).write(t, full); err != nil {
		t.Fatal(err)
	}
	// One that has nothing to report, and one that its owner has not renewed yet.
	idle, fresh := full.DeepCopy(), full.DeepCopy()
	idle.SetName("idle")
	delete(idle.Object["status"].(map[string]any), "insights")
	fresh.SetName("new")
	delete(fresh.Object, "status")
	for _, object := range []*unstructured.Unstructured{idle, fresh} {
		if _, err := createWithStatus(t, updateInformer, object); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, `
NAMESPACE   NAME   FIRST INSIGHT        LEVEL     RENEWED
default     ceph   storage-rebuilding   Warning   10m
default     idle                                  10m
default     new
`},
		{[]string{"--output=wide"}, `
NAMESPACE   NAME   FIRST INSIGHT        LEVEL     SUMMARY                                   RENEWED
default     ceph   storage-rebuilding   Warning   Ceph rebuilds 12 of 96 placement groups   10m
default     idle                                                                            10m
default     new
`},
	} {
		got := kubectl(t, append([]string{"get", "updateinformers", "--all-namespaces"}, c.flags...)...)
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), trailingBlanks.ReplaceAllString(got, "")); diff != "" {
			t.Errorf("get %v (-want +got):\n%s", c.flags, diff)
		}
	}
}

// TestHostedColumns: the two tracks are in the place of the control plane, which is a column of the wide output.
func TestHostedColumns(t *testing.T) {
	full := readFull(t, hostedClusterUpdateStatusSummary)
	if _, err := newStore(t, hostedClusterUpdateStatusSummary, full).write(t, full); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, `
NAMESPACE   NAME   UPDATING   TO       MANAGEMENT         DATA PLANE         NODES   ATTENTION   ESTIMATE
default     demo   True       4.20.2   4.20.2 Completed   4.20.2 Completed   41/60   Warning     2026-01-02T05:00:00Z
`},
		{[]string{"--output=wide"}, `
NAMESPACE   NAME   UPDATING   FROM     TO       CONTROL PLANE   MANAGEMENT         DATA PLANE         NODES   ATTENTION   ESTIMATE               POOL    WAITING FOR
default     demo   True       4.20.1   4.20.2   Progressing     4.20.2 Completed   4.20.2 Completed   41/60   Warning     2026-01-02T05:00:00Z   surge   node surge-3, which has been draining for 22m
`},
	} {
		got := kubectl(t, append([]string{"get", "hostedclusterupdatestatussummaries", "--all-namespaces"}, c.flags...)...)
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), trailingBlanks.ReplaceAllString(got, "")); diff != "" {
			t.Errorf("get %v (-want +got):\n%s", c.flags, diff)
		}
	}
}

// TestSummaryColumns also checks the jsonpath with which scripts and fleet managers read fields: without filters.
func TestSummaryColumns(t *testing.T) {
	full := readFull(t, updateStatusSummary)
	if _, err := newStore(t, updateStatusSummary, full).write(t, full); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, `
NAME      UPDATING   FROM     TO       CONTROL PLANE   NODES   ATTENTION   ESTIMATE
cluster   True       4.20.1   4.20.2   Progressing     41/60   Warning     2026-01-02T05:00:00Z
`},
		{[]string{"--output=wide"}, `
NAME      UPDATING   FROM     TO       CONTROL PLANE   NODES   ATTENTION   ESTIMATE               POOL     WAITING FOR
cluster   True       4.20.1   4.20.2   Progressing     41/60   Warning     2026-01-02T05:00:00Z   worker   node worker-3, which has been draining for 22m
`},
		{[]string{"--output=jsonpath={.items[0].status.nodes.completed} {.items[0].status.workerPools[0].nodes.pending} {.items[0].status.completedVersion}"}, "\n41 6 4.20.1"},
	} {
		got := kubectl(t, append([]string{"get", "updatestatussummary"}, c.flags...)...)
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), trailingBlanks.ReplaceAllString(got, "")); diff != "" {
			t.Errorf("get %v (-want +got):\n%s", c.flags, diff)
		}
	}
}
