package alerts

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/operator/events"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// bench is the real controller in a bubble of time, in a cluster whose other sources, and alerts, are the test's.
type bench struct {
	t     *testing.T
	lock  sync.Mutex
	begin time.Time
	// happened are the requests, as "asked", and the messages.
	happened []string
	alerts   []assess.Alert
	why      *insight.State
	// slow is how long an answer takes.
	slow   time.Duration
	others insight.Send
	stop   func()
}

func newBench(t *testing.T, url string) *bench {
	t.Helper()
	b := &bench{t: t, begin: time.Now()}
	c, err := New(Input{
		Clock: clock.RealClock{}, Pace: clock.RealClock{}, Querier: Querier{URL: url}, Send: b.send,
		Recorder: events.NewInMemoryRecorder("test", clock.RealClock{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.answer != nil {
		c.answer = b.answer
	}
	b.others = c.Listen(func(context.Context, insight.Message) error { return nil })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Run(ctx, 1)
	}()
	b.stop = func() {
		cancel()
		<-ended
	}
	synctest.Wait()
	return b
}

func (b *bench) note(what string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.happened = append(b.happened, fmt.Sprintf("%s %s", time.Since(b.begin), what))
}

func (b *bench) answer(ctx context.Context) ([]assess.Alert, *insight.State) {
	b.note("asked")
	b.lock.Lock()
	slow := b.slow
	b.lock.Unlock()
	select {
	case <-time.After(slow):
	case <-ctx.Done():
		return nil, &insight.State{Reason: updatev1alpha1.ReasonMonitoringRefused, Message: "cut off"}
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.alerts, b.why
}

// send notes a message as the subjects that it reports (+) and takes back (-), and what it says of the source.
func (b *bench) send(_ context.Context, message insight.Message) error {
	words := []string{"said"}
	for _, report := range message.Reports {
		if len(report.Insights) == 0 {
			words = append(words, "-"+short(report.Subject.Name))
			continue
		}
		words = append(words, "+"+short(report.Subject.Name))
	}
	switch {
	case message.Source != insight.AlertInformer:
		words = append(words, "as "+string(message.Source))
	case message.State.Complete:
		words = append(words, "complete")
	default:
		words = append(words, "incomplete")
	}
	b.note(strings.TrimSpace(strings.Join(words, " ") + " " + message.State.Reason))
	return nil
}

// short is the name of the alert that a key is about.
func short(key string) string {
	_, rest, _ := strings.Cut(key, `"alertname"="`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// pass lets time pass, and compares what happened in it.
func (b *bench) pass(step string, duration time.Duration, want ...string) {
	b.t.Helper()
	time.Sleep(duration)
	synctest.Wait()
	b.lock.Lock()
	defer b.lock.Unlock()
	if diff := cmp.Diff(want, b.happened); diff != "" {
		b.t.Errorf("%s (-want +got):\n%s", step, diff)
	}
	b.happened = nil
}

// controlPlane makes the control plane source tell of an update that began some time after the test did.
func (b *bench) controlPlane(status metav1.ConditionStatus, started time.Duration) {
	b.t.Helper()
	at := metav1.NewTime(b.begin.Add(started))
	b.tell(insight.ControlPlaneInformer, assess.ClusterVersionSubject(), insight.ScopedInsight{Insight: updatev1alpha1.Insight{
		ClusterVersion: &updatev1alpha1.ClusterVersionInsight{
			StartedAt: &at, Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status}},
		},
	}})
}

// workers makes the node source tell how far the worker pool is.
func (b *bench) workers(completion int32) {
	b.t.Helper()
	b.tell(insight.NodeInformer, assess.MachineConfigPoolSubject("worker"), insight.ScopedInsight{
		Part: insight.Part{WorkerPool: "worker"}, Unfinished: completion < 100,
		Insight: updatev1alpha1.Insight{
			MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: "worker", Completion: completion},
		},
	})
}

func (b *bench) tell(source insight.Source, subject insight.Subject, one insight.ScopedInsight) {
	b.t.Helper()
	message := insight.Message{
		Source: source, State: &insight.State{Complete: true},
		Reports: []insight.Report{{Subject: subject, Insights: []insight.ScopedInsight{one}}},
	}
	if err := b.others(b.t.Context(), message); err != nil {
		b.t.Error(err)
	}
	synctest.Wait()
}

func (b *bench) fire(names ...string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.alerts, b.why = nil, nil
	for _, name := range names {
		b.alerts = append(b.alerts, assess.Alert{
			Labels: map[string]string{"alertname": name, "severity": "warning"}, State: "firing", ActiveAt: time.Now(),
		})
	}
}

// again makes the alerts fire again, as before.
func (b *bench) again(alerts []assess.Alert) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.alerts, b.why = alerts, nil
}

// beginAgain makes now the moment that what happens is told from.
func (b *bench) beginAgain() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.begin = time.Now()
}

func (b *bench) delay(slow time.Duration) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.slow = slow
}

func (b *bench) fail(reason string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.alerts, b.why = nil, &insight.State{Reason: reason, Message: reason}
}

// TestAsksWhileUpdating: nothing is asked before an update, every 30 seconds during one, until the last worker is done, and
// then no more.
func TestAsksWhileUpdating(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, DefaultURL)
		b.fire("Before")
		b.pass("nobody has said anything", time.Minute)
		b.controlPlane(metav1.ConditionFalse, -time.Hour)
		b.pass("of the workers nothing is known", time.Minute)
		b.workers(100)
		b.pass("no update", 24*time.Hour, "2m0s said complete")

		b.beginAgain()
		b.controlPlane(metav1.ConditionTrue, 0)
		b.pass("the beginning", 40*time.Second, "0s asked", "0s said complete", "30s asked", "30s said complete")
		b.fire("A", "B")
		b.pass("alerts", 30*time.Second, "1m0s asked", "1m0s said +A +B complete")
		b.again(b.alerts[1:])
		b.workers(50)
		b.controlPlane(metav1.ConditionFalse, 0)
		b.pass("the workers go on", 40*time.Second, "1m30s asked", "1m30s said +B -A complete")
		b.workers(75)
		b.pass("some more", 10*time.Second, "2m0s asked", "2m0s said +B complete")
		b.workers(100)
		b.pass("the end", 24*time.Hour, "2m0s said -B complete")
		b.workers(100)
		b.controlPlane(metav1.ConditionFalse, 0)
		b.pass("after the end", 24*time.Hour)
		b.stop()
	})
}

// TestAsksNoOftener than every 30 seconds, if what is updated comes and goes; but at once when another update begins.
func TestAsksNoOftener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, DefaultURL)
		b.controlPlane(metav1.ConditionTrue, 0)
		b.workers(100)
		b.pass("the beginning", time.Second, "0s asked", "0s said complete")
		b.fire("A")
		b.pass("an alert", time.Second)
		b.controlPlane(metav1.ConditionFalse, 0)
		for range 10 {
			b.workers(99)
			b.workers(100)
		}
		b.workers(99)
		b.pass("to and fro", 30*time.Second, "30s asked", "30s said +A complete")
		b.controlPlane(metav1.ConditionTrue, 32*time.Second)
		b.pass("another update, in which the alert does not begin", 20*time.Second, "32s asked", "32s said -A complete")
		b.delay(10 * time.Second)
		b.pass("slow answers", time.Minute, "1m2s asked", "1m12s said complete", "1m32s asked", "1m42s said complete")
		b.stop()
	})
}

// TestEndsWhileAsking: what an update's end and the controller's make of an answer that is on its way.
func TestEndsWhileAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, DefaultURL)
		b.delay(10 * time.Second)
		b.controlPlane(metav1.ConditionTrue, 0)
		b.workers(100)
		time.Sleep(time.Second)
		b.fire("A")
		b.controlPlane(metav1.ConditionFalse, 0)
		b.pass("the update ends", time.Hour, "0s asked", "10s said complete")
		b.beginAgain()
		b.controlPlane(metav1.ConditionTrue, 0)
		b.pass("another one", time.Second, "0s asked")
		b.stop()
		b.pass("the controller ends", time.Hour)
		if took := time.Since(b.begin); took != time.Hour+time.Second {
			t.Errorf("it took %s to end", took)
		}
	})
}

// TestOutage: what cannot be read any more is said when it lasts, and what was read stays for five minutes.
func TestOutage(t *testing.T) {
	const unreachable, failed = updatev1alpha1.ReasonMonitoringUnreachable, updatev1alpha1.ReasonMonitoringFailed
	asked := func(from, to time.Duration) []string {
		var lines []string
		for at := from; at <= to; at += DefaultEvery {
			lines = append(lines, at.String()+" asked")
		}
		return lines
	}
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, DefaultURL)
		b.controlPlane(metav1.ConditionTrue, -time.Minute)
		b.workers(100)
		b.pass("the beginning", time.Second, "0s asked", "0s said complete")
		b.fire("A")
		b.pass("an alert", 30*time.Second, "30s asked", "30s said +A complete")
		b.fail(failed)
		b.pass("a moment", time.Minute, "1m0s asked", "1m30s asked")
		b.fire("A")
		b.pass("over", 30*time.Second, "2m0s asked", "2m0s said +A complete")
		b.fail(failed)
		b.pass("twice one way", time.Minute, "2m30s asked", "3m0s asked")
		b.fail(unreachable)
		b.pass("and three times another", 90*time.Second, "3m30s asked", "4m0s asked", "4m30s asked", "4m30s said incomplete "+unreachable)
		b.pass("five minutes", 150*time.Second, append(asked(5*time.Minute, 7*time.Minute), "7m0s said -A complete "+unreachable)...)
		b.pass("an hour", time.Hour, asked(7*time.Minute+30*time.Second, 67*time.Minute)...)
		for range 10 {
			b.fail(failed)
			time.Sleep(DefaultEvery)
			b.fail(unreachable)
			time.Sleep(DefaultEvery)
		}
		b.pass("now this way and now that", 0, asked(67*time.Minute+30*time.Second, 77*time.Minute)...)
		b.fire("A")
		b.pass("over", 30*time.Second, "1h17m30s asked", "1h17m30s said +A complete")
		b.fail(updatev1alpha1.ReasonMonitoringRefused)
		b.pass("a refusal", time.Minute, "1h18m0s asked", "1h18m0s said incomplete MonitoringRefused", "1h18m30s asked")
		b.controlPlane(metav1.ConditionFalse, -time.Minute)
		b.pass("the end", time.Hour, "1h18m31s said -A complete")
		b.stop()
	})
}

// TestRestart: what a controller before has said stays until it is known better, and not for ever.
func TestRestart(t *testing.T) {
	for _, test := range []struct {
		name string
		url  string
		do   func(*bench)
		want []string
	}{
		{"no monitoring", DefaultURL, func(b *bench) {
			b.fail(updatev1alpha1.ReasonMonitoringUnreachable)
			b.controlPlane(metav1.ConditionTrue, -time.Hour)
		}, []string{
			"0s asked", "30s asked", "1m0s asked", "1m0s said incomplete MonitoringUnreachable", "1m30s asked", "2m0s asked", "2m30s asked",
			"3m0s asked", "3m30s asked", "4m0s asked", "4m30s asked", "5m0s asked", "5m0s said complete MonitoringUnreachable", "5m30s asked",
		}},
		{"nothing is known of the workers", DefaultURL, func(b *bench) { b.controlPlane(metav1.ConditionFalse, -time.Hour) }, []string{"5m0s said complete"}},
		{"the workers are told of first", DefaultURL, func(b *bench) { b.workers(50) }, []string{"5m0s said complete"}},
		{"nobody is to be asked", "", func(b *bench) { b.controlPlane(metav1.ConditionTrue, -time.Hour) }, []string{"0s said complete"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, test.url)
				test.do(b)
				b.pass(test.name, 5*time.Minute+50*time.Second, test.want...)
				b.stop()
			})
		})
	}
}
