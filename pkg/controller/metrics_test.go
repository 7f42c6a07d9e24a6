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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/testutil"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// scraped is a registry with the metrics of a controller that runs.
func scraped(t *testing.T, b *bench) metrics.KubeRegistry {
	t.Helper()
	registry := registered(b.metrics)
	t.Cleanup(b.metrics.show(func() (state, bool) { return b.state(t.Context()) }))
	return registry
}

func registered(made *Metrics) metrics.KubeRegistry {
	registry := metrics.NewKubeRegistry()
	made.Register(registry.MustRegister, registry.CustomMustRegister)
	return registry
}

// compare compares the metrics with some names with an expected text, and lints them.
func compare(t *testing.T, step string, registry metrics.KubeRegistry, want string, names ...string) {
	t.Helper()
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), names...); err != nil {
		t.Errorf("%s: %v", step, err)
	}
}

// series returns "name{label="value",…} value" of every gauge of the state that begins with a prefix.
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
	b := newBench(t)
	registry := scraped(t, b)
	names := []string{writesDefinition.Name, bytesDefinition.Name, "update_status_source_last_report_timestamp_seconds", "update_status_insights_left_out"}
	const writes = `
# HELP update_status_writes_total [ALPHA] Writes of the status of UpdateStatus/cluster that were tried, by result: success; conflict (the object was changed or deleted in between, the controller looks again); error (also where the object could not be created or read).
# TYPE update_status_writes_total counter
`
	const bytes = `
# HELP update_status_written_bytes_total [ALPHA] Bytes of UpdateStatus/cluster, as JSON, that were written with success.
# TYPE update_status_written_bytes_total counter
`
	compare(t, "nothing has happened", registry, writes+`
update_status_writes_total{result="conflict"} 0
update_status_writes_total{result="error"} 0
update_status_writes_total{result="success"} 0
`+bytes+`
update_status_written_bytes_total 0
`, names...)

	b.say(complete(insight.ControlPlaneInformer), complete(insight.NodeInformer), message("a", "one"))
	b.keep(0)
	size := sizeOf(t, b.look())
	for _, refusal := range []error{
		apierrors.NewConflict(updatev1alpha1.Resource("updatestatuses"), "cluster", errors.New("changed")),
		apierrors.NewNotFound(updatev1alpha1.Resource("updatestatuses"), "cluster"),
		errors.New("broken"),
	} {
		b.say(message("a", refusal.Error()))
		refuse := true
		b.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
			return refuse, nil, refusal
		})
		b.clock.SetTime(b.clock.Now().Add(time.Minute))
		if _, err := b.Controller.keep(t.Context()); !errors.Is(err, refusal) {
			t.Fatal(err)
		}
		refuse = false
	}
	last := b.clock.Now().Add(-time.Minute).Unix()
	// There is no object, and none can be created, as without its CRD; then somebody else has created it.
	if err := b.cache.Replace(nil, ""); err != nil {
		t.Fatal(err)
	}
	b.object.unseen, b.notBefore = false, time.Time{}
	for _, refusal := range []error{
		apierrors.NewNotFound(updatev1alpha1.Resource("updatestatuses"), ""),
		apierrors.NewAlreadyExists(updatev1alpha1.Resource("updatestatuses"), "cluster"),
	} {
		b.client.PrependReactor("create", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, refusal
		})
		if _, err := b.Controller.keep(t.Context()); !errors.Is(err, refusal) {
			t.Fatal(err)
		}
	}
	compare(t, "writes", registry, fmt.Sprintf(writes+`
update_status_writes_total{result="conflict"} 2
update_status_writes_total{result="error"} 2
update_status_writes_total{result="success"} 1
`+bytes+`
update_status_written_bytes_total %d
# HELP update_status_insights_left_out [ALPHA] The insights that the status built last does without, since the object would have grown too large.
# TYPE update_status_insights_left_out gauge
update_status_insights_left_out 0
# HELP update_status_source_last_report_timestamp_seconds [ALPHA] When the last report of a source arrived, as a Unix time. A cluster in which nothing changes gives no cause to report; the alert-informer reports every answer that it gets, each 30 seconds while the cluster is updated.
# TYPE update_status_source_last_report_timestamp_seconds gauge
update_status_source_last_report_timestamp_seconds{source="control-plane-informer"} %d
update_status_source_last_report_timestamp_seconds{source="node-informer"} %d
`, size, last-2*60, last), names...)
	if tried, err := testutil.GetHistogramMetricCount(b.metrics.duration.ObserverMetric); err != nil || tried != 4 {
		t.Errorf("the duration of %d writes was measured, error %v", tried, err)
	}
}

func sizeOf(t *testing.T, object *updatev1alpha1.UpdateStatus) int {
	t.Helper()
	typed := object.DeepCopy()
	typed.APIVersion, typed.Kind = "update.openshift.io/v1alpha1", "UpdateStatus"
	content, err := json.Marshal(typed)
	if err != nil {
		t.Fatal(err)
	}
	return len(content)
}

// TestLag: a write counts once, from its oldest report on. What was not written waits on; what leads to no write, or to one
// of another cause, is no lag.
func TestLag(t *testing.T) {
	b := newBench(t)
	scraped(t, b)
	pass := func(seconds int) { b.clock.SetTime(b.clock.Now().Add(time.Duration(seconds) * time.Second)) }
	lagged := func(step string, wantCount uint64, wantSum float64) {
		t.Helper()
		count, err := testutil.GetHistogramMetricCount(b.metrics.lag.ObserverMetric)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := testutil.GetHistogramMetricValue(b.metrics.lag.ObserverMetric)
		if err != nil {
			t.Fatal(err)
		}
		if count != wantCount || sum != wantSum {
			t.Errorf("%s: %d writes lagged %v s, want %d and %v s", step, count, sum, wantCount, wantSum)
		}
	}
	b.say(complete(insight.ControlPlaneInformer))
	pass(2)
	b.say(complete(insight.NodeInformer), message("a", "one"))
	pass(1)
	b.keep(0)
	lagged("two reports", 1, 3)

	b.look()
	b.say(message("a", "two"), message("a", "one"))
	pass(10)
	b.keep(0)
	lagged("a change that was taken back", 1, 3)

	b.say(message("a", "three"))
	broken := true
	b.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		return broken, nil, errors.New("broken")
	})
	pass(5)
	if _, err := b.Controller.keep(t.Context()); err == nil {
		t.Fatal("a refused write succeeded")
	}
	lagged("a write that was refused", 1, 3)
	broken = false
	b.say(message("a", "four"))
	pass(5)
	b.keep(0)
	lagged("the write that brings it", 2, 13)

	edited := b.look()
	edited.Status.Conditions = nil
	if _, err := b.client.UpdateV1alpha1().UpdateStatuses().UpdateStatus(t.Context(), edited, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	b.look()
	pass(60)
	b.writes()
	b.keep(0)
	b.wrote("update status")
	lagged("a repair", 2, 13)
}

// TestObjectSize: it is that of the object in the cluster, whoever wrote it.
func TestObjectSize(t *testing.T) {
	b := newBench(t)
	registry := scraped(t, b)
	const name = "update_status_object_size_bytes"
	if got := series(t, registry, name); got != nil {
		t.Errorf("without an object: %v", got)
	}
	b.keep(startupPatience)
	object := b.look()
	if diff := cmp.Diff([]string{fmt.Sprintf("%s{} %d", name, sizeOf(t, object))}, series(t, registry, name)); diff != "" {
		t.Errorf("with an object (-want +got):\n%s", diff)
	}
	if err := b.cache.Delete(object); err != nil {
		t.Fatal(err)
	}
	if got := series(t, registry, name); got != nil {
		t.Errorf("of a deleted object: %v", got)
	}
}

// TestNoStateWithoutAController: what tells of the update is there while a controller runs, and neither before nor after,
// also when two follow each other.
func TestNoStateWithoutAController(t *testing.T) {
	b := newBench(t)
	registry := registered(b.metrics)
	look := func(step string, want bool) {
		t.Helper()
		if got := series(t, registry, "update_status_"); (got != nil) != want {
			t.Errorf("%s: %v", step, got)
		}
	}
	read := func() (state, bool) { return b.state(t.Context()) }
	look("before", false)
	hide := b.metrics.show(read)
	look("while it runs", true)
	hideNext := b.metrics.show(read)
	hide()
	look("while the next runs", true)
	hideNext()
	look("after", false)
}

// TestScrapeOfACollectorThatHasEnded returns, and has nothing to tell.
func TestScrapeOfACollectorThatHasEnded(t *testing.T) {
	b := newBench(t)
	ended := &Controller{collector: newCollector(b.clock, func() {}), object: b.object}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	registry := registered(b.metrics)
	t.Cleanup(b.metrics.show(func() (state, bool) { return ended.state(ctx) }))
	if got := series(t, registry, "update_status_"); got != nil {
		t.Errorf("a collector that has ended told %v", got)
	}
}

// TestScrapesWhileItWorks is for the race detector: scrapes read what reports bring and what is written.
func TestScrapesWhileItWorks(t *testing.T) {
	b := newBench(t)
	registry := scraped(t, b)
	b.say(complete(insight.ControlPlaneInformer), complete(insight.NodeInformer))
	b.keep(0)
	b.look()
	ctx, cancel := context.WithCancel(t.Context())
	var scraping sync.WaitGroup
	for range 2 {
		scraping.Go(func() {
			for ctx.Err() == nil {
				if got := series(t, registry, "update_status_available"); len(got) != 1 {
					t.Errorf("a scrape saw %v", got)
				}
			}
		})
	}
	for at := range 100 {
		b.say(nodesSay(pool("worker", int32(at)), nodeOf("worker", "a", fmt.Sprint(at))), message("b", fmt.Sprint(at)))
		b.clock.SetTime(b.clock.Now().Add(time.Second))
		b.keep(0)
		b.look()
	}
	cancel()
	scraping.Wait()
}

// TestLint: every metric passes the rules for names, and is of the type, with the labels, that its definition says.
func TestLint(t *testing.T) {
	b := newBench(t)
	registry := scraped(t, b)
	b.say(complete(insight.ControlPlaneInformer), complete(insight.NodeInformer), nodesSay(pool("worker", 0)),
		clusterVersion(func(one *updatev1alpha1.ClusterVersionInsight) { one.CompletedAt = one.StartedAt }))
	b.keep(0)
	b.look()
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
