package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	promlint "github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/testutil"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// registryOf returns a registry with the metrics of a running controller.
func registryOf(t *testing.T, f *fixture) metrics.KubeRegistry {
	t.Helper()
	registry := registered(f.metrics)
	f.in.Summary = f.summarize
	t.Cleanup(f.metrics.show(func() (state, bool) { return f.state(t.Context()) }))
	return registry
}

func registered(m *Metrics) metrics.KubeRegistry {
	registry := metrics.NewKubeRegistry()
	m.Register(registry.MustRegister, registry.CustomMustRegister)
	return registry
}

// compare compares the metrics with some names with an expected text, and lints them.
func compare(t *testing.T, step string, registry metrics.KubeRegistry, want string, names ...string) {
	t.Helper()
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), names...); err != nil {
		t.Errorf("%s: %v", step, err)
	}
}

// series returns "name{label="value",…} value" of every gauge with a prefix.
func series(t *testing.T, registry metrics.KubeRegistry, prefix string) []string {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			if metric.GetGauge() == nil || !strings.HasPrefix(family.GetName(), prefix) {
				continue
			}
			var labels []string
			for _, label := range metric.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", label.GetName(), label.GetValue()))
			}
			lines = append(lines, fmt.Sprintf("%s{%s} %v", family.GetName(), strings.Join(labels, ","), metric.GetGauge().GetValue()))
		}
	}
	return lines
}

func TestControllerMetrics(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	names := []string{writesDefinition.Name, bytesDefinition.Name, "update_status_source_last_report_timestamp_seconds", "update_status_insights_left_out"}
	const writes = `
# HELP update_status_writes_total [ALPHA] Attempts to write the status of UpdateStatus/cluster, by result: success; conflict (the object was changed or deleted since it was read, the controller reads it again); error (including errors creating or reading the object).
# TYPE update_status_writes_total counter
`
	const bytes = `
# HELP update_status_written_bytes_total [ALPHA] Bytes of UpdateStatus/cluster as JSON in successful writes.
# TYPE update_status_written_bytes_total counter
`
	compare(t, "nothing has happened", registry, writes+`
update_status_writes_total{result="conflict"} 0
update_status_writes_total{result="error"} 0
update_status_writes_total{result="success"} 0
`+bytes+`
update_status_written_bytes_total 0
`, names...)

	f.sendComplete()
	f.send(message("a", "one"))
	f.mustSync(0)
	size := sizeOf(t, f.refreshCache())
	for _, refusal := range []error{
		apierrors.NewConflict(updatev1alpha1.Resource("updatestatuses"), "cluster", errors.New("changed")),
		apierrors.NewNotFound(updatev1alpha1.Resource("updatestatuses"), "cluster"),
		errors.New("broken"),
	} {
		f.send(message("a", refusal.Error()))
		refuse := true
		f.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
			return refuse, nil, refusal
		})
		f.passTime(time.Minute)
		if _, err := f.sync(t.Context()); err == nil || !strings.Contains(err.Error(), refusal.Error()) {
			t.Fatal(err)
		}
		refuse = false
	}
	last := f.clock.Now().Add(-time.Minute).Unix()
	// There is no object, and none can be created, as without its CRD; then another client has created it.
	if err := f.cache.Replace(nil, ""); err != nil {
		t.Fatal(err)
	}
	f.object.notCached, f.schedule.notBefore = false, time.Time{}
	for _, refusal := range []error{
		apierrors.NewNotFound(updatev1alpha1.Resource("updatestatuses"), ""),
		apierrors.NewAlreadyExists(updatev1alpha1.Resource("updatestatuses"), "cluster"),
	} {
		f.client.PrependReactor("create", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, refusal
		})
		if _, err := f.sync(t.Context()); err == nil || !strings.Contains(err.Error(), refusal.Error()) {
			t.Fatal(err)
		}
	}
	compare(t, "writes", registry, fmt.Sprintf(writes+`
update_status_writes_total{result="conflict"} 2
update_status_writes_total{result="error"} 2
update_status_writes_total{result="success"} 1
`+bytes+`
update_status_written_bytes_total %d
# HELP update_status_insights_left_out [ALPHA] The insights left out of the last status, because the object would be too large or the API server rejects them.
# TYPE update_status_insights_left_out gauge
update_status_insights_left_out 0
# HELP update_status_source_last_report_timestamp_seconds [ALPHA] When the last report of a source was received, as a Unix time. Sources report changes only; the alert-informer reports the result of each poll, every 30 seconds while the cluster is updating.
# TYPE update_status_source_last_report_timestamp_seconds gauge
`, size)+lastReportLines(last), names...)
	if tried, err := testutil.GetHistogramMetricCount(f.metrics.duration.ObserverMetric); err != nil || tried != 4 {
		t.Errorf("the duration of %d writes was measured, error %v", tried, err)
	}
}

// lastReportLines returns the samples of sources of which the node-informer sent its last report two minutes after the others.
func lastReportLines(last int64) (lines string) {
	for _, source := range insight.Watching() {
		sent := last - 2*60
		if source == insight.NodeInformer {
			sent = last
		}
		lines += fmt.Sprintf("update_status_source_last_report_timestamp_seconds{source=%q} %d\n", source, sent)
	}
	return lines
}

func sizeOf(t *testing.T, object *updatev1alpha1.UpdateStatus) int {
	t.Helper()
	typed := object.DeepCopy()
	typed.APIVersion, typed.Kind = "update.openshift.io/v1alpha1", "UpdateStatus"
	content, err := json.Marshal(typed)
	if err != nil {
		t.Fatal(err)
	}
	if equality.Semantic.DeepEqual(typed.Status, updatev1alpha1.UpdateStatusStatus{}) {
		return len(content) + len(`,"status":{}`)
	}
	return len(content)
}

// TestLag: a write is observed once, from its oldest change on. A change stays pending until it is written; a change that is
// reverted, and a write without changes, have no lag.
func TestLag(t *testing.T) {
	f := newFixture(t)
	registryOf(t, f)
	pass := func(seconds int) { f.passTime(time.Duration(seconds) * time.Second) }
	lagged := func(step string, wantCount uint64, wantSum float64) {
		t.Helper()
		count, err := testutil.GetHistogramMetricCount(f.metrics.lag.ObserverMetric)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := testutil.GetHistogramMetricValue(f.metrics.lag.ObserverMetric)
		if err != nil {
			t.Fatal(err)
		}
		if count != wantCount || sum != wantSum {
			t.Errorf("%s: %d writes lagged %v s, want %d and %v s", step, count, sum, wantCount, wantSum)
		}
	}
	f.send(complete(insight.ControlPlaneInformer))
	pass(2)
	f.sendComplete()
	f.send(message("a", "one"))
	pass(1)
	f.mustSync(0)
	lagged("two reports", 1, 3)

	f.refreshCache()
	f.send(message("a", "two"), message("a", "one"))
	pass(10)
	f.mustSync(0)
	lagged("a change that was reverted", 1, 3)

	f.send(message("a", "three"))
	broken := true
	f.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		return broken, nil, errors.New("broken")
	})
	pass(5)
	if _, err := f.sync(t.Context()); err == nil {
		t.Fatal("a failing write succeeded")
	}
	lagged("a failed write", 1, 3)
	broken = false
	f.send(message("a", "four"))
	pass(5)
	f.mustSync(0)
	lagged("the next write", 2, 13)

	edited := f.refreshCache()
	edited.Status.Conditions = nil
	if _, err := f.client.UpdateV1alpha1().UpdateStatuses().UpdateStatus(t.Context(), edited, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	f.refreshCache()
	pass(60)
	f.writes()
	f.mustSync(0)
	f.expectWrites("update status")
	lagged("a repair", 2, 13)
}

// TestObjectSize: the size is that of the object in the cluster, also if another client wrote it.
func TestObjectSize(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	const name = "update_status_object_size_bytes"
	if got := series(t, registry, name); got != nil {
		t.Errorf("without an object: %v", got)
	}
	f.mustSync(startupPatience)
	object := f.refreshCache()
	if diff := cmp.Diff([]string{fmt.Sprintf("%s{} %d", name, sizeOf(t, object))}, series(t, registry, name)); diff != "" {
		t.Errorf("with an object (-want +got):\n%s", diff)
	}
	if err := f.cache.Delete(object); err != nil {
		t.Fatal(err)
	}
	if got := series(t, registry, name); got != nil {
		t.Errorf("of a deleted object: %v", got)
	}
}

// TestGaugesOnlyWhileRunning: gauges have samples while a controller runs, also if another one starts before it has ended.
func TestGaugesOnlyWhileRunning(t *testing.T) {
	f := newFixture(t)
	registry := registered(f.metrics)
	check := func(step string, want bool) {
		t.Helper()
		if got := series(t, registry, "update_status_"); (got != nil) != want {
			t.Errorf("%s: %v", step, got)
		}
	}
	read := func() (state, bool) { return f.state(t.Context()) }
	check("before", false)
	hide := f.metrics.show(read)
	check("while it runs", true)
	hideNext := f.metrics.show(read)
	hide()
	check("while the next runs", true)
	hideNext()
	check("after", false)
}

// TestScrapeAfterCollectorEnded: a scrape returns at once, without samples.
func TestScrapeAfterCollectorEnded(t *testing.T) {
	f := newFixture(t)
	ended := &Controller{collector: newCollector(f.clock, func() {}), object: f.object}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	registry := registered(f.metrics)
	f.in.Summary = f.summarize
	t.Cleanup(f.metrics.show(func() (state, bool) { return ended.state(ctx) }))
	if got := series(t, registry, "update_status_"); got != nil {
		t.Errorf("a collector that has ended has %v", got)
	}
}

// TestConcurrentScrapes is for the race detector: scrapes read what reports and writes change.
func TestConcurrentScrapes(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	f.sendComplete()
	f.mustSync(0)
	f.refreshCache()
	ctx, cancel := context.WithCancel(t.Context())
	var scraping sync.WaitGroup
	for range 2 {
		scraping.Go(func() {
			for ctx.Err() == nil {
				if got := series(t, registry, "update_status_available"); len(got) != 1 {
					t.Errorf("a scrape has %v", got)
				}
			}
		})
	}
	for at := range 100 {
		f.send(nodeReports(pool("worker", int32(at)), nodeOf("worker", "a", fmt.Sprint(at))), message("b", fmt.Sprint(at)))
		f.passTime(time.Second)
		f.mustSync(0)
		f.refreshCache()
	}
	cancel()
	scraping.Wait()
}

// TestLint: every metric passes the rules for names, and has the type and the labels of its definition.
func TestLint(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	f.in.Renewals = func(updatev1alpha1.UpdateStatusSpec) map[types.NamespacedName]time.Time {
		return map[types.NamespacedName]time.Time{{Namespace: "a", Name: "b"}: {}}
	}
	f.sendComplete()
	workers := pool("worker", 0)
	workers.Insights[0].Unfinished = true
	f.send(nodeReports(workers, nodeOf("worker", "a", "Pending")),
		clusterVersion(func(one *updatev1alpha1.ClusterVersionInsight) { one.CompletedAt = one.StartedAt }))
	f.mustSync(0)
	f.refreshCache()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, family := range families {
		var labels []string
		for _, label := range family.GetMetric()[0].GetLabel() {
			labels = append(labels, label.GetName())
		}
		got[family.GetName()] = fmt.Sprint(strings.ToLower(family.GetType().String()), labels, family.GetHelp())
	}
	want := map[string]string{}
	for _, definition := range Definitions() {
		labels := slices.Sorted(slices.Values(definition.Labels))
		want[definition.Name] = fmt.Sprint(strings.ToLower(definition.Type), labels, "[ALPHA] "+definition.Help)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-defined +gathered):\n%s", diff)
	}
	problems, err := promlint.GatherAndLint(registry)
	if err != nil || len(problems) > 0 {
		t.Errorf("problems %v, error %v", problems, err)
	}
	for name := range got {
		if !strings.HasPrefix(name, "update_status_") {
			t.Errorf("%s has another prefix", name)
		}
	}
}
