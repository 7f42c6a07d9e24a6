package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// watchInBubble is a watch in a bubble of testing/synctest, which starts at noon.
type watchInBubble struct {
	*view

	t *testing.T
	// summaries and clusterVersions are the API server.
	from cluster
	news chan change
	out  bytes.Buffer
	// start is when the watch starts, by the time of the bubble.
	start time.Time
}

// noon is an hour after the control plane of testdata/updatestatus.yaml started.
var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

func newWatchInBubble(t *testing.T, args ...string) *watchInBubble {
	t.Helper()
	p := &watchInBubble{t: t, news: make(chan change), start: time.Now()}
	o := newOptions(nil, genericiooptions.IOStreams{Out: &p.out, ErrOut: &bytes.Buffer{}})
	if err := o.newCommand().ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	o.clock = func() time.Time { return noon.Add(time.Since(p.start)) }
	client := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(),
		map[schema.GroupVersionResource]string{summaries: "UpdateStatusSummaryList", clusterVersions: "ClusterVersionList"})
	p.from = cluster{summaries: client.Resource(summaries), clusterVersions: client.Resource(clusterVersions), clock: o.clock}
	if _, err := p.from.summaries.Create(t.Context(), summaryOf(t, &updatev1alpha1.UpdateStatusSummaryStatus{}), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	p.view = o.newView()
	return p
}

// observe returns an observation of a status, with the summary that is on the API server.
func (p *watchInBubble) observe(us *updatev1alpha1.UpdateStatus) *observation {
	observed := &observation{time: p.clock(), object: us}
	p.from.readSummary(p.t.Context(), observed)
	observed.setStatus(us, observed.summary, observed.time)
	return observed
}

// run runs the watch, and returns its last line, its exit status, and how long it took.
func (p *watchInBubble) run(ctx context.Context, us *updatev1alpha1.UpdateStatus) (last string, code int, took time.Duration) {
	p.t.Helper()
	if p.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.Timeout, errTimeout)
		defer cancel()
	}
	ended, err := p.view.run(ctx, p.from, p.news, p.observe(us))
	if err != nil {
		p.t.Fatal(err)
	}
	code = codeOf(p.writeEnding(ended))
	lines := strings.Split(strings.TrimSpace(p.out.String()), "\n")
	return lines[len(lines)-1], code, time.Since(p.start)
}

// updatingWith returns a status with a pool that is being updated, and with a problem unless its level is empty.
func updatingWith(t *testing.T, level updatev1alpha1.HealthLevel, startedAt time.Time) *updatev1alpha1.UpdateStatus {
	t.Helper()
	us := &updatev1alpha1.UpdateStatus{}
	if err := yaml.Unmarshal([]byte(withPool(t, idleStatus, pool("worker", 3))), us); err != nil {
		t.Fatal(err)
	}
	us.Status.Conditions = []metav1.Condition{{Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionTrue}}
	if level == "" {
		return us
	}
	problem := &updatev1alpha1.HealthInsight{
		Scope:       updatev1alpha1.HealthScope{Type: updatev1alpha1.ScopeWorkerPool},
		Impact:      updatev1alpha1.HealthImpact{Level: level, Type: updatev1alpha1.ImpactUpdateStalled, Summary: "The pool is stuck", Description: "Very"},
		Remediation: updatev1alpha1.HealthRemediation{Commands: []updatev1alpha1.Command{{Argv: []string{"oc", "get", "machineconfigpools"}}}},
	}
	if !startedAt.IsZero() {
		problem.StartedAt = &metav1.Time{Time: startedAt}
	}
	informer := &us.Status.WorkerPools[0].Informers[0]
	informer.Insights = append(informer.Insights, updatev1alpha1.Insight{UID: "stuck", Type: updatev1alpha1.InsightHealth, Health: problem})
	return us
}

// TestReminders checks all lines of a watch in a pipe in which nothing happens: what it starts with, what it repeats, and its end.
func TestReminders(t *testing.T) {
	const start, stuck = "Updating from 4.19.3 to 4.20.0 for 28d2h: the workers\n", "Stuck for 1h: updating from 4.19.3 to 4.20.0, the workers (1 of 4 nodes)\n"
	for name, tc := range map[string]struct {
		args []string
		us   func() *updatev1alpha1.UpdateStatus
		want string
	}{
		"problem": {
			nil, func() *updatev1alpha1.UpdateStatus {
				return updatingWith(t, updatev1alpha1.LevelError, noon.Add(-time.Hour))
			},
			"2025-03-01T12:00:00Z  " + stuck +
				"2025-03-01T12:00:00Z  Error: The pool is stuck (for 1h)\n" +
				"2025-03-01T12:00:00Z  → oc get machineconfigpools\n" +
				"2025-03-01T12:10:00Z  Error: The pool is stuck (for 1h10m); Stuck for 1h10m: updating from 4.19.3 to 4.20.0, the workers (1 of 4 nodes)\n" +
				"2025-03-01T12:20:00Z  Error: The pool is stuck (for 1h20m); Stuck for 1h20m: updating from 4.19.3 to 4.20.0, the workers (1 of 4 nodes)\n" +
				"Timed out after 25m; still waiting for pool worker.\n",
		},
		"more often": {
			[]string{"--remind=20m"},
			func() *updatev1alpha1.UpdateStatus { return updatingWith(t, "", time.Time{}) },
			"2025-03-01T12:00:00Z  " + start + "2025-03-01T12:20:00Z  no problems; Updating from 4.19.3 to 4.20.0 for 28d2h: the workers\n" +
				"Timed out after 25m; still waiting for pool worker.\n",
		},
		"never": {
			[]string{"--remind=0"},
			func() *updatev1alpha1.UpdateStatus { return updatingWith(t, "", time.Time{}) },
			"2025-03-01T12:00:00Z  " + start + "Timed out after 25m; still waiting for pool worker.\n",
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newWatchInBubble(t, append(tc.args, "--watch", "--timeout=25m")...)
			if _, code, took := p.run(t.Context(), tc.us()); code != exitTimeout || took != 25*time.Minute {
				t.Errorf("%s: exit status %d after %s", name, code, took)
			}
			if diff := cmp.Diff(tc.want, p.out.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

// TestReminderDuringOutage checks that it says first how old what is shown is, and why it may not be right.
func TestReminderDuringOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newWatchInBubble(t, "--watch", "--timeout=11m")
		time.AfterFunc(time.Minute, func() { p.news <- change{err: errDeleted} })
		us := updatingWith(t, "", time.Time{})
		us.Status.Conditions[0] = metav1.Condition{Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionFalse, Reason: "Any", Message: "no role"}
		p.run(t.Context(), us)
		const want = "2025-03-01T12:10:00Z  the status is as of 2025-03-01T12:00:00Z: " + "deleted; the controller will recreate it; " +
			"the Update Status Controller has been unable to report the whole cluster, the status may be outdated: no role (Any); no problems; Updating"
		if !strings.Contains(p.out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, p.out.String())
		}
	})
}

// TestFailOn checks when a problem ends a watch.
func TestFailOn(t *testing.T) {
	const warning, errorLevel, critical = updatev1alpha1.LevelWarning, updatev1alpha1.LevelError, updatev1alpha1.LevelCritical
	unknown, old := time.Time{}, noon.Add(-time.Hour)
	for name, tc := range map[string]struct {
		failOn    string
		level     updatev1alpha1.HealthLevel
		startedAt time.Time
		// goesAfter is when it is resolved, 0 if it is not.
		goesAfter time.Duration
		// ends is after how long it ends the watch, 0 if it does not.
		ends time.Duration
	}{
		"never":                   {failOn: failOnNever, level: errorLevel, startedAt: old},
		"an old one":              {failOn: failOnError, level: errorLevel, startedAt: old, ends: time.Nanosecond},
		"a worse one":             {failOn: failOnError, level: critical, startedAt: old, ends: time.Nanosecond},
		"a new one":               {failOn: failOnError, level: errorLevel, startedAt: noon.Add(-20 * time.Second), ends: 40 * time.Second},
		"one of unknown age":      {failOn: failOnError, level: errorLevel, startedAt: unknown, ends: time.Minute},
		"another level":           {failOn: failOnError, level: warning, startedAt: old},
		"warning":                 {failOn: failOnWarning, level: warning, startedAt: old, ends: time.Nanosecond},
		"error, from warnings on": {failOn: failOnWarning, level: errorLevel, startedAt: unknown, ends: time.Minute},
		"no problem":              {failOn: failOnWarning},
		"it goes":                 {failOn: failOnError, level: errorLevel, startedAt: unknown, goesAfter: 50 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newWatchInBubble(t, "--watch", "--timeout=5m", "--fail-on="+tc.failOn)
			if tc.goesAfter > 0 {
				time.AfterFunc(tc.goesAfter, func() { p.news <- change{observed: p.observe(updatingWith(t, "", unknown))} })
			}
			last, code, took := p.run(t.Context(), updatingWith(t, tc.level, tc.startedAt))
			wantCode, wantLast, wantTook := exitTimeout, "Timed out after 5m; still waiting for pool worker", 5*time.Minute
			if tc.ends > 0 {
				wantCode, wantLast, wantTook = exitNeedsAttention, "Needs attention: "+string(tc.level)+": The pool is stuck", tc.ends.Truncate(time.Second)
			}
			if !strings.HasPrefix(last, wantLast) || code != wantCode || took != wantTook {
				t.Errorf("%s: exit status %d after %s: %s", name, code, took, last)
			}
		})
	}
}

// TestFailOnForgets checks that a problem that comes back has not lasted since it was first there.
func TestFailOnForgets(t *testing.T) {
	one := []updatev1alpha1.SummaryAttention{{UID: "a"}}
	l := lasting{}
	for _, step := range []struct {
		at       time.Duration
		problems []updatev1alpha1.SummaryAttention
		want     bool
	}{{0, one, false}, {50 * time.Second, one, false}, {55 * time.Second, nil, false}, {2 * time.Minute, one, false}, {3 * time.Minute, one, true}} {
		if got := l.cause(step.problems, noon.Add(step.at)); (got != nil) != step.want {
			t.Errorf("after %s: %v", step.at, got)
		}
	}
}

// TestSummaryIsLate checks that a watch ends when the summary has what the status has, also for a user who may not read the ClusterVersion.
func TestSummaryIsLate(t *testing.T) {
	for _, hasVersion := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			p := newWatchInBubble(t, "--watch", "--timeout=1h", "--fail-on=error")
			if hasVersion {
				version := &unstructured.Unstructured{}
				if err := yaml.Unmarshal([]byte(sameVersion), version); err != nil {
					t.Fatal(err)
				}
				if _, err := p.from.clusterVersions.Create(t.Context(), version, metav1.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			complete := updatingWith(t, "", time.Time{})
			summary := summaryOf(t, describe.Head(update.ReadAt(&complete.Status, noon), noon))
			if _, err := p.from.summaries.Update(t.Context(), summary, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
			complete.Status.WorkerPools = []updatev1alpha1.WorkerPool{pool("worker", 0)}
			time.AfterFunc(4500*time.Millisecond, func() {
				if _, err := p.from.summaries.Update(t.Context(), summaryOf(t, describe.Head(update.ReadAt(&complete.Status, noon), noon)), metav1.UpdateOptions{}); err != nil {
					t.Error(err)
				}
			})
			last, code, took := p.run(t.Context(), complete)
			if code != 0 || took != 5*time.Second || !strings.HasPrefix(last, "The update to 4.20.0 is complete.") {
				t.Errorf("exit status %d after %s: %s", code, took, last)
			}
		})
	}
}

// summaryOf returns the object with a summary.
func summaryOf(t *testing.T, status *updatev1alpha1.UpdateStatusSummaryStatus) *unstructured.Unstructured {
	t.Helper()
	status.ObservedAt = &metav1.Time{Time: noon}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&updatev1alpha1.UpdateStatusSummary{
		TypeMeta:   metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: "UpdateStatusSummary"},
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName}, Status: *status,
	})
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: fields}
}

// TestHasLateSummary checks which summary is behind the status.
func TestHasLateSummary(t *testing.T) {
	complete, paused, workers := updatingWith(t, "", time.Time{}), updatingWith(t, "", time.Time{}), updatingWith(t, "", time.Time{})
	complete.Status.WorkerPools, paused.Status.WorkerPools = []updatev1alpha1.WorkerPool{pool("worker", 0)}, []updatev1alpha1.WorkerPool{pausedPool("worker")}
	onePool, twoPools := updatingWith(t, "", time.Time{}), updatingWith(t, "", time.Time{})
	onePool.Status.WorkerPools, twoPools.Status.WorkerPools = []updatev1alpha1.WorkerPool{pool("a", 2), pool("b", 2)}, []updatev1alpha1.WorkerPool{pool("a", 0), pool("b", 2)}
	twoPools.Status.WorkerPools[0].Informers[0].Insights[0].MachineConfigPool.Assessment = updatev1alpha1.AssessmentCompleted
	track := func(state updatev1alpha1.TrackState) *updatev1alpha1.UpdateStatus {
		return hostedStatus(t, state, updatev1alpha1.TrackUpdating).updateStatus
	}
	for name, tc := range map[string]struct {
		us, last *updatev1alpha1.UpdateStatus
		want     bool
	}{
		"no summary":                {complete, nil, false},
		"complete":                  {complete, complete, false},
		"still the workers":         {complete, workers, true},
		"paused":                    {paused, paused, false},
		"still the control plane":   {workers, mustRead(t, updateStatusFile), true},
		"the first of two pools":    {twoPools, onePool, true},
		"the first of two tracks":   {track(updatev1alpha1.TrackCompleted), track(updatev1alpha1.TrackUpdating), true},
		"both tracks":               {track(updatev1alpha1.TrackCompleted), track(updatev1alpha1.TrackCompleted), false},
		"a summary without a state": {complete, &updatev1alpha1.UpdateStatus{}, true},
	} {
		observed := observed(tc.us, noon)
		if tc.last != nil {
			observed.summary = &updatev1alpha1.UpdateStatusSummary{Status: *describe.Head(update.ReadAt(&tc.last.Status, noon), noon)}
		}
		if got := observed.hasLateSummary(noon); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	never := &observation{}
	never.setStatus(complete, &updatev1alpha1.UpdateStatusSummary{}, noon)
	if never.hasLateSummary(noon) {
		t.Error("a summary that was never written to is awaited")
	}
}

// TestInterruptedWatch checks that a signal ends a watch with its own exit status, and another format with an object in each line has the
// sentence beside it.
func TestInterruptedWatch(t *testing.T) {
	for format, args := range map[string][]string{"": nil, "json": {"-o=json"}} {
		synctest.Test(t, func(t *testing.T) {
			p := newWatchInBubble(t, append(args, "--watch")...)
			printer, err := p.Print.toPrinter()
			if err != nil {
				t.Fatal(err)
			}
			p.printer = printer
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Minute, cancel)
			_, code, took := p.run(ctx, updatingWith(t, "", time.Time{}))
			const want = "Interrupted; still waiting for pool worker.\n"
			lines := map[string]string{"": p.out.String(), "json": p.ErrOut.(*bytes.Buffer).String()}[format]
			if code != exitInterrupted || took != time.Minute || !strings.HasSuffix(lines, want) || format != "" && strings.Contains(p.out.String(), want) {
				t.Errorf("-o %q: exit status %d after %s:\n%s", format, code, took, lines)
			}
		})
	}
}

// TestPausedWithProblem checks that the last line of a watch that ends at paused pools has the problem that its exit status is about.
func TestPausedWithProblem(t *testing.T) {
	for failOn, want := range map[string]int{failOnNever: exitNeedsAttention, failOnError: exitInProgress} {
		synctest.Test(t, func(t *testing.T) {
			p := newWatchInBubble(t, "--watch", "--fail-on="+failOn)
			us := updatingWith(t, updatev1alpha1.LevelWarning, time.Time{})
			us.Status.WorkerPools = append(us.Status.WorkerPools, pausedPool("infra"))
			us.Status.WorkerPools[0].Informers[0].Insights[0] = pool("worker", 0).Informers[0].Insights[0]
			last, code, _ := p.run(t.Context(), us)
			const paused, problem = "Paused before reaching 4.20.0: pool infra.", "Needs attention: Warning: The pool is stuck."
			if code != want || !strings.HasPrefix(last, paused) || strings.HasSuffix(last, problem) != (want == exitNeedsAttention) {
				t.Errorf("--fail-on=%s: exit status %d: %s", failOn, code, last)
			}
		})
	}
}

// TestWatchInASCII checks that no line of a watch has other characters where the locale has none, its last one included.
func TestWatchInASCII(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	synctest.Test(t, func(t *testing.T) {
		p := newWatchInBubble(t, "--watch", "--fail-on=error")
		us := updatingWith(t, updatev1alpha1.LevelError, noon)
		for _, one := range insight.ReadAll(&us.Status).Health {
			one.Health.Impact.Summary = "The pool is stück"
		}
		last, _, _ := p.run(t.Context(), us)
		if want := "Needs attention: Error: The pool is st?ck (for 1m)."; last != want || !strings.Contains(p.out.String(), "  -> oc get machineconfigpools\n") {
			t.Errorf("%s, want %s, of\n%s", last, want, p.out.String())
		}
	})
}
