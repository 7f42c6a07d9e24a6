package cli

import (
	"cmp"
	"errors"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/utils/ptr"
)

// TestServerWithoutWatchList checks that the error of an API server without WatchList is not reported, since the informer
// falls back to a list.
func TestServerWithoutWatchList(t *testing.T) {
	client := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(),
		map[schema.GroupVersionResource]string{updateStatuses: "UpdateStatusList"})
	client.PrependWatchReactor("*", func(clienttesting.Action) (bool, watch.Interface, error) {
		return true, nil, apierrors.NewInvalid(schema.GroupKind{Kind: "ListOptions"}, "", nil)
	})
	reports := 0
	listWatch := cluster{statuses: client.Resource(updateStatuses)}.listWatch(func(error) { reports++ })
	if _, err := listWatch.WatchFuncWithContext(t.Context(), metav1.ListOptions{SendInitialEvents: ptr.To(true)}); !apierrors.IsInvalid(err) || reports != 0 {
		t.Errorf("error %v, reported %d times", err, reports)
	}
	if _, err := listWatch.WatchFuncWithContext(t.Context(), metav1.ListOptions{}); !apierrors.IsInvalid(err) || reports != 1 {
		t.Errorf("any other watch: error %v, reported %d times", err, reports)
	}
}

// TestDeletedObjectStaysDeleted checks that a request that succeeds does not clear the warning about a deleted object.
func TestDeletedObjectStaysDeleted(t *testing.T) {
	streams, _, _, _ := genericiooptions.NewTestIOStreams()
	v := &view{Options: newOptions(nil, streams), observed: &observation{time: time.Unix(0, 0)}}
	for _, err := range []error{errDeleted, errors.New("connection refused")} {
		if err := v.setUnhealthy(err); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.setHealthy(); err != nil || !errors.Is(v.watchErr, errDeleted) {
		t.Errorf("error %v, error of the watch %v", err, v.watchErr)
	}
}

// TestCompare checks that a watch whose object becomes outdated, or could not be written, shows what the cluster says instead, and the object
// when that is right again. Each step is what is warned of, and the target version that is shown.
func TestCompare(t *testing.T) {
	responses := recordedResponses(t, map[string]string{updateStatusPath: idleStatus, clusterVersionPath: sameVersion})
	streams, _, _, errOut := genericiooptions.NewTestIOStreams()
	o := newOptions(nil, streams)
	from, err := newCluster(&rest.Config{Host: serve(t, responses).url, QPS: -1}, target{}, o.clock)
	if err != nil {
		t.Fatal(err)
	}
	first, err := from.read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := &view{Options: o, observed: first}
	confirmed := confirmedSummary(time.Now())
	unavailable := strings.Replace(confirmed, "status: {", `status: {conditions: [{type: Available, status: "False", reason: NotWritten, message: no role}], `, 1)
	for _, step := range []struct {
		name, version, summary string
		warning                string
		assessed               bool
	}{
		{name: "current", version: sameVersion},
		{name: "outdated", version: content(t, recordedCluster+"-cv.yaml"), warning: "the status is outdated, it last changed at 2025-02-01T11:00:01Z: ClusterVersion started", assessed: true},
		{name: "still outdated", version: content(t, recordedCluster+"-cv.yaml"), assessed: true},
		{name: "current again", version: sameVersion},
		{name: "not written", version: sameVersion, summary: unavailable, warning: "no role (NotWritten)"},
		{name: "written again", version: sameVersion},
	} {
		errOut.Reset()
		responses[clusterVersionPath] = objectResponse(t, step.version)
		responses[summaryPath] = objectResponse(t, cmp.Or(step.summary, confirmed))
		if err := v.compare(t.Context(), from); err != nil {
			t.Fatal(err)
		}
		if got := errOut.String(); step.warning == "" && got != "" || !strings.Contains(got, step.warning) {
			t.Errorf("%s: warned of %q, want %q", step.name, got, step.warning)
		}
		if v.observed.isLive || (v.observed.stale != nil) != step.assessed || (v.observed.stored == nil) != step.assessed {
			t.Errorf("%s: assessed instead: %t, want %t", step.name, v.observed.stale != nil, step.assessed)
		}
	}
}

// TestWatchOfOutdatedObject checks that the outdated object that a watch starts with, or a change of it, does not replace the cluster that
// is assessed by the client, and that no document is printed twice.
func TestWatchOfOutdatedObject(t *testing.T) {
	responses := recordedResponses(t, map[string]string{
		updateStatusPath: idleStatus, summaryPath: confirmedSummary(time.Date(2025, 2, 1, 11, 0, 0, 0, time.UTC)),
	})
	streams, _, out, _ := genericiooptions.NewTestIOStreams()
	o := newOptions(nil, streams)
	now := time.Now()
	o.clock = func() time.Time { return now }
	*o.Print.OutputFormat = "jsonpath={.kind} {.notices[1]}{'\\n'}"
	var err error
	if o.printer, err = o.Print.toPrinter(); err != nil {
		t.Fatal(err)
	}
	from, err := newCluster(&rest.Config{Host: serve(t, responses).url, QPS: -1}, target{}, o.clock)
	if err != nil {
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
	for range 2 {
		if err := v.handle(t.Context(), from, change{observed: first.stale}); err != nil {
			t.Fatal(err)
		}
		if err := v.compare(t.Context(), from); err != nil {
			t.Fatal(err)
		}
	}
	if want := "UpdateStatus Last reported at 2025-02-01T11:00:00Z: The cluster is not updating.\n"; v.observed.stale == nil || out.String() != want {
		t.Errorf("assessed instead: %t, printed\n%s", v.observed.stale != nil, out)
	}
}
