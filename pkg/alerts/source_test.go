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
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/source"
)

// fixture runs the source in its loop, in a bubble of time. The test sends the reports of the other sources, and sets the alerts.
type fixture struct {
	t      *testing.T
	loop   *source.Loop
	lock   sync.Mutex
	start  time.Time
	ledger *ledger.Ledger
	// log has the polls and the messages that change something, of which the last one had a state.
	log    []string
	state  insight.State
	alerts []assess.Alert
	why    *insight.State
	// latency is how long a response takes.
	latency time.Duration
	stop    func()
}

func newFixture(t *testing.T, url string) *fixture {
	t.Helper()
	f := &fixture{t: t, start: time.Now(), ledger: ledger.New()}
	polled, err := New(Input{Pace: clock.RealClock{}, Querier: Querier{URL: url}, Update: f.update})
	if err != nil {
		t.Fatal(err)
	}
	polled.query = f.query
	f.loop, err = source.New(source.Input{
		Source: insight.AlertInformer, Clock: clock.RealClock{}, Health: func() *insight.State { return nil }, Assess: polled.Assess,
		Send: f.send, Recorder: events.NewInMemoryRecorder("test", clock.RealClock{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.loop.Run(ctx, 1)
	}()
	f.stop = func() {
		cancel()
		<-ended
	}
	synctest.Wait()
	return f
}

func (f *fixture) update() ledger.Update {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.ledger.View().Update()
}

func (f *fixture) logf(format string, args ...any) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.log = append(f.log, fmt.Sprintf("%s %s", time.Since(f.start), fmt.Sprintf(format, args...)))
}

func (f *fixture) query(ctx context.Context) ([]assess.Alert, *insight.State) {
	f.logf("poll")
	f.lock.Lock()
	latency := f.latency
	f.lock.Unlock()
	select {
	case <-time.After(latency):
	case <-ctx.Done():
		return nil, &insight.State{Reason: updatev1alpha1.ReasonMonitoringRefused, Message: "cut off"}
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.alerts, f.why
}

// send logs a message as the subjects that it reports (+) and withdraws (-), and the state of the source, unless nothing changes.
func (f *fixture) send(_ context.Context, message insight.Message) error {
	if len(message.Reports) == 0 && (message.State == nil || *message.State == f.state) {
		return nil
	}
	f.state = *message.State
	words := []string{"sent"}
	for _, report := range message.Reports {
		if len(report.Insights) == 0 {
			words = append(words, "-"+alertName(report.Subject.Name))
			continue
		}
		words = append(words, "+"+alertName(report.Subject.Name))
	}
	switch {
	case message.Source != insight.AlertInformer:
		words = append(words, "as "+string(message.Source))
	case message.State.Complete:
		words = append(words, "complete")
	default:
		words = append(words, "incomplete")
	}
	f.logf("%s", strings.TrimSpace(strings.Join(words, " ")+" "+message.State.Reason))
	return nil
}

// alertName is the name in the key of an alert.
func alertName(key string) string {
	_, rest, _ := strings.Cut(key, `"alertname"="`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// pass lets time pass, and compares the log of it.
func (f *fixture) pass(step string, duration time.Duration, want ...string) {
	f.t.Helper()
	time.Sleep(duration)
	synctest.Wait()
	f.lock.Lock()
	defer f.lock.Unlock()
	if diff := cmp.Diff(want, f.log); diff != "" {
		f.t.Errorf("%s (-want +got):\n%s", step, diff)
	}
	f.log = nil
}

// controlPlane reports an update of the control plane that started some time after the test.
func (f *fixture) controlPlane(status metav1.ConditionStatus, started time.Duration) {
	f.t.Helper()
	at := metav1.NewTime(f.start.Add(started))
	f.report(insight.ControlPlaneInformer, standalone.ClusterVersionSubject(), insight.ScopedInsight{Insight: updatev1alpha1.Insight{
		ClusterVersion: &updatev1alpha1.ClusterVersionInsight{
			StartedAt: &at, Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status}},
		},
	}})
}

// workers reports the completion of the worker pool.
func (f *fixture) workers(completion int32) {
	f.t.Helper()
	f.report(insight.NodeInformer, standalone.MachineConfigPoolSubject("worker"), insight.ScopedInsight{
		Part: insight.Part{WorkerPool: "worker"}, Unfinished: completion < 100,
		Insight: updatev1alpha1.Insight{
			MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: "worker", Completion: completion},
		},
	})
}

// report applies a report to the ledger, as the primary controller does.
func (f *fixture) report(from insight.Source, subject insight.Subject, one insight.ScopedInsight) {
	f.t.Helper()
	before := f.update()
	f.lock.Lock()
	f.ledger.Apply(insight.Message{
		Source: from, State: &insight.State{Complete: true},
		Reports: []insight.Report{{Subject: subject, Insights: []insight.ScopedInsight{one}}},
	})
	f.lock.Unlock()
	if f.update() != before {
		f.loop.Resync()
	}
	synctest.Wait()
}

// setAlerts makes new alerts fire, instead of those before.
func (f *fixture) setAlerts(names ...string) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.alerts, f.why = nil, nil
	for _, name := range names {
		f.alerts = append(f.alerts, assess.Alert{
			Labels: map[string]string{"alertname": name, "severity": "warning"}, State: "firing", ActiveAt: time.Now(),
		})
	}
}

// resolveFirst resolves the first alert.
func (f *fixture) resolveFirst() {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.alerts = f.alerts[1:]
}

// restartClock makes now the start of the times in the log.
func (f *fixture) restartClock() {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.start = time.Now()
}

func (f *fixture) setLatency(latency time.Duration) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.latency = latency
}

func (f *fixture) fail(reason string) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.alerts, f.why = nil, &insight.State{Reason: reason, Message: reason}
}

// TestPollsWhileUpdating: alerts are polled every 30 seconds during an update, until the last worker is updated, and never
// otherwise.
func TestPollsWhileUpdating(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, DefaultURL)
		f.setAlerts("Before")
		f.pass("no reports", time.Minute)
		f.controlPlane(metav1.ConditionFalse, -time.Hour)
		f.pass("no reports about workers", time.Minute)
		f.workers(100)
		f.pass("no update", 24*time.Hour, "2m0s sent complete")

		f.restartClock()
		f.controlPlane(metav1.ConditionTrue, 0)
		f.pass("update starts", 40*time.Second, "0s poll", "30s poll")
		f.setAlerts("A", "B")
		f.pass("alerts fire", 30*time.Second, "1m0s poll", "1m0s sent +A +B complete")
		f.resolveFirst()
		f.workers(50)
		f.controlPlane(metav1.ConditionFalse, 0)
		f.pass("workers are updating", 40*time.Second, "1m30s poll", "1m30s sent -A complete")
		f.workers(75)
		f.pass("more workers are updated", 10*time.Second, "2m0s poll")
		f.workers(100)
		f.pass("update ends", 24*time.Hour, "2m0s sent -B complete")
		f.workers(100)
		f.controlPlane(metav1.ConditionFalse, 0)
		f.pass("no update again", 24*time.Hour)
		f.stop()
	})
}

// TestPollInterval: an update that is interrupted is not polled more often than every 30 seconds, another update at once.
func TestPollInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, DefaultURL)
		f.controlPlane(metav1.ConditionTrue, 0)
		f.workers(100)
		f.pass("update starts", time.Second, "0s poll", "0s sent complete")
		f.setAlerts("A")
		f.pass("an alert fires", time.Second)
		f.controlPlane(metav1.ConditionFalse, 0)
		for range 10 {
			f.workers(99)
			f.workers(100)
		}
		f.workers(99)
		f.pass("interrupted ten times", 30*time.Second, "30s poll", "30s sent +A complete")
		f.controlPlane(metav1.ConditionTrue, 32*time.Second)
		f.pass("another update, started after the alert", 20*time.Second, "32s poll", "32s sent -A complete")
		f.setLatency(10 * time.Second)
		f.pass("slow responses", time.Minute, "1m2s poll", "1m32s poll")
		f.stop()
	})
}

// TestEndDuringPoll: the update and the controller may end during a poll.
func TestEndDuringPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, DefaultURL)
		f.setLatency(10 * time.Second)
		f.controlPlane(metav1.ConditionTrue, 0)
		f.workers(100)
		time.Sleep(time.Second)
		f.setAlerts("A")
		f.controlPlane(metav1.ConditionFalse, 0)
		f.pass("the update ends", time.Hour, "0s poll", "10s sent complete")
		f.restartClock()
		f.controlPlane(metav1.ConditionTrue, 0)
		f.pass("another update", time.Second, "0s poll")
		f.stop()
		f.pass("the controller ends", time.Hour)
		if took := time.Since(f.start); took != time.Hour+time.Second {
			t.Errorf("it took %s to end", took)
		}
	})
}

// TestOutage: a failure is reported when it lasts, and the last reports are withdrawn after five minutes.
func TestOutage(t *testing.T) {
	const unreachable, failed = updatev1alpha1.ReasonMonitoringUnreachable, updatev1alpha1.ReasonMonitoringFailed
	polls := func(from, to time.Duration) []string {
		var lines []string
		for at := from; at <= to; at += DefaultEvery {
			lines = append(lines, at.String()+" poll")
		}
		return lines
	}
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, DefaultURL)
		f.controlPlane(metav1.ConditionTrue, -time.Minute)
		f.workers(100)
		f.pass("update starts", time.Second, "0s poll", "0s sent complete")
		f.setAlerts("A")
		f.pass("an alert fires", 30*time.Second, "30s poll", "30s sent +A complete")
		f.fail(failed)
		f.pass("two failures", time.Minute, "1m0s poll", "1m30s poll")
		f.setAlerts("A")
		f.pass("no failure", 30*time.Second, "2m0s poll", "2m0s sent +A complete")
		f.fail(failed)
		f.pass("two failures with a reason", time.Minute, "2m30s poll", "3m0s poll")
		f.fail(unreachable)
		f.pass("three failures with another", 90*time.Second, "3m30s poll", "4m0s poll", "4m30s poll", "4m30s sent incomplete "+unreachable)
		f.pass("five minutes", 150*time.Second, append(polls(5*time.Minute, 7*time.Minute), "7m0s sent -A complete "+unreachable)...)
		f.pass("an hour", time.Hour, polls(7*time.Minute+30*time.Second, 67*time.Minute)...)
		for range 10 {
			f.fail(failed)
			time.Sleep(DefaultEvery)
			f.fail(unreachable)
			time.Sleep(DefaultEvery)
		}
		f.pass("alternating reasons", 0, polls(67*time.Minute+30*time.Second, 77*time.Minute)...)
		f.setAlerts("A")
		f.pass("no failure", 30*time.Second, "1h17m30s poll", "1h17m30s sent +A complete")
		f.fail(updatev1alpha1.ReasonMonitoringRefused)
		f.pass("refused", time.Minute, "1h18m0s poll", "1h18m0s sent incomplete MonitoringRefused", "1h18m30s poll")
		f.controlPlane(metav1.ConditionFalse, -time.Minute)
		f.pass("update ends", time.Hour, "1h18m31s sent -A complete")
		f.restartClock()
		f.fail(unreachable)
		f.controlPlane(metav1.ConditionTrue, 0)
		f.pass("another update", 70*time.Second, "0s poll", "30s poll", "1m0s poll", "1m0s sent incomplete "+unreachable)
		f.stop()
	})
}

// TestRestart: reports of a previous controller stay until they can be replaced, at most five minutes.
func TestRestart(t *testing.T) {
	for _, test := range []struct {
		name    string
		url     string
		prepare func(*fixture)
		want    []string
	}{
		{
			name: "no monitoring", url: DefaultURL,
			prepare: func(f *fixture) {
				f.fail(updatev1alpha1.ReasonMonitoringUnreachable)
				f.controlPlane(metav1.ConditionTrue, -time.Hour)
			},
			want: []string{
				"0s poll", "30s poll", "1m0s poll", "1m0s sent incomplete MonitoringUnreachable", "1m30s poll", "2m0s poll", "2m30s poll",
				"3m0s poll", "3m30s poll", "4m0s poll", "4m30s poll", "5m0s poll", "5m0s sent complete MonitoringUnreachable", "5m30s poll",
			},
		},
		{
			name: "no reports about workers", url: DefaultURL,
			prepare: func(f *fixture) { f.controlPlane(metav1.ConditionFalse, -time.Hour) },
			want:    []string{"5m0s sent complete"},
		},
		{
			name: "no reports about the control plane", url: DefaultURL,
			prepare: func(f *fixture) { f.workers(50) },
			want:    []string{"5m0s sent complete"},
		},
		{
			name: "an update whose start is not known", url: DefaultURL,
			prepare: func(f *fixture) {
				f.report(insight.ControlPlaneInformer, standalone.ClusterVersionSubject(), insight.ScopedInsight{Insight: updatev1alpha1.Insight{
					ClusterVersion: &updatev1alpha1.ClusterVersionInsight{},
				}})
				f.workers(50)
			},
			want: []string{"0s sent complete"},
		},
		{
			name: "no querier", url: "",
			prepare: func(f *fixture) { f.controlPlane(metav1.ConditionTrue, -time.Hour) },
			want:    []string{"0s sent complete"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, test.url)
				test.prepare(f)
				f.pass(test.name, 5*time.Minute+50*time.Second, test.want...)
				f.stop()
			})
		})
	}
}
