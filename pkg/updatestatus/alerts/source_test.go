package alerts

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clocktesting "k8s.io/utils/clock/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// fixture is the source, assessed when the update changes and when the source wants to be, as its loop does, which is tested in pkg/updatestatus/source.
// The test sets the update and the alerts.
type fixture struct {
	t      *testing.T
	source *Source
	clock  *clocktesting.FakeClock
	// start is that of the times in the log, and next when the source is assessed next, zero if not by the clock.
	start, next time.Time
	update      ledger.Update
	alerts      []assess.Alert
	why         *insight.State
	// during happens during a poll.
	during func()
	// log has the polls, and what is reported if it is another result than the last one.
	log    []string
	polled bool
	last   string
}

func newFixture(t *testing.T, url string) *fixture {
	t.Helper()
	f := &fixture{t: t, start: since.Truncate(time.Second), during: func() {}}
	f.clock = clocktesting.NewFakeClock(f.start)
	var err error
	if f.source, err = New(Input{Pace: f.clock, Querier: Querier{URL: url}, Update: func() ledger.Update { return f.update }}); err != nil {
		t.Fatal(err)
	}
	f.source.query = func(context.Context) ([]assess.Alert, *insight.State) {
		f.polled = true
		f.during()
		return f.alerts, f.why
	}
	return f
}

// assess assesses, and logs the result: the names of the alerts, and the state.
func (f *fixture) assess() {
	f.t.Helper()
	now := f.clock.Now()
	f.polled = false
	message, next, err := f.source.Assess(f.t.Context(), now)
	if err != nil {
		f.t.Fatal(err)
	}
	// The delay starts when the assessment ends.
	if f.next = next; !next.IsZero() {
		f.next = f.clock.Now().Add(next.Sub(now))
	}
	var words []string
	for _, report := range message.Reports {
		_, rest, _ := strings.Cut(report.Subject.Name, `"alertname"="`)
		name, _, _ := strings.Cut(rest, `"`)
		words = append(words, name)
	}
	slices.Sort(words)
	if state := message.State; state != nil && state.Complete {
		words = append(words, "complete", state.Reason)
	} else if state != nil {
		words = append(words, "incomplete", state.Reason)
	}
	line := now.Sub(f.start).String()
	if f.polled {
		line += " poll"
	}
	result := strings.TrimSpace(strings.Join(words, " "))
	if result != f.last {
		line += ": " + result
	}
	if f.polled || result != f.last {
		f.log = append(f.log, line)
	}
	f.last = result
}

// change changes the update.
func (f *fixture) change(update ledger.Update) {
	f.t.Helper()
	f.update = update
	f.assess()
}

// pass lets time pass, and compares the log since it was compared last.
func (f *fixture) pass(step string, duration time.Duration, want ...string) {
	f.t.Helper()
	end := f.clock.Now().Add(duration)
	for !f.next.IsZero() && !f.next.After(end) {
		f.clock.SetTime(f.next)
		f.assess()
	}
	if f.clock.Now().Before(end) {
		f.clock.SetTime(end)
	}
	if diff := cmp.Diff(want, f.log); diff != "" {
		f.t.Errorf("%s (-want +got):\n%s", step, diff)
	}
	f.log = nil
}

// restartClock makes now the start of the times in the log.
func (f *fixture) restartClock() { f.start = f.clock.Now() }

// started is an update that starts some time after the start.
func (f *fixture) started(after time.Duration) ledger.Update {
	return ledger.Update{Known: true, Unfinished: true, Started: f.start.Add(after)}
}

// none is known if no update is in progress.
var none = ledger.Update{Known: true}

// fire makes new alerts fire, instead of those before.
func (f *fixture) fire(names ...string) {
	f.alerts, f.why = nil, nil
	for _, name := range names {
		f.alerts = append(f.alerts, assess.Alert{
			Labels: map[string]string{"alertname": name, "severity": "warning"}, State: "firing", ActiveAt: f.clock.Now(),
		})
	}
}

func (f *fixture) fail(reason string) {
	f.alerts, f.why = nil, &insight.State{Reason: reason, Message: reason}
}

// TestPollsWhileUpdating: alerts are polled every 30 seconds during an update, and never otherwise.
func TestPollsWhileUpdating(t *testing.T) {
	f := newFixture(t, DefaultURL)
	f.fire("Before")
	f.assess()
	f.pass("unknown", time.Minute)
	f.change(none)
	f.pass("no update", 24*time.Hour, "1m0s: complete")

	f.restartClock()
	f.change(f.started(0))
	f.pass("update starts", 40*time.Second, "0s poll", "30s poll")
	f.fire("A", "B")
	f.pass("alerts fire", 30*time.Second, "1m0s poll: A B complete")
	f.alerts = f.alerts[1:]
	f.pass("one is resolved", 30*time.Second, "1m30s poll: B complete")
	f.change(none)
	f.pass("update ends", 24*time.Hour, "1m40s: complete")
}

// TestPollInterval: an update that is interrupted is not polled more often than every 30 seconds, another update at once.
func TestPollInterval(t *testing.T) {
	f := newFixture(t, DefaultURL)
	f.change(f.started(0))
	f.pass("update starts", time.Second, "0s poll: complete")
	f.fire("A")
	f.pass("an alert fires", time.Second)
	for range 10 {
		f.change(none)
		f.change(f.started(0))
	}
	f.pass("interrupted ten times", 30*time.Second, "30s poll: A complete")
	f.change(f.started(32 * time.Second))
	f.pass("another update, started after the alert", 20*time.Second, "32s poll: complete")
	f.during = func() { f.clock.Step(10 * time.Second) }
	f.pass("slow responses", time.Minute, "1m2s poll", "1m32s poll")
}

// TestEndDuringPoll: the update and the controller may end during a poll.
func TestEndDuringPoll(t *testing.T) {
	f := newFixture(t, DefaultURL)
	f.during = func() {
		f.clock.Step(time.Second)
		f.fire("A")
		f.update = none
	}
	f.change(f.started(0))
	f.pass("the update ends", time.Hour, "0s poll: complete")
	ctx, cancel := context.WithCancel(t.Context())
	f.during, f.update = cancel, f.started(time.Hour)
	if _, _, err := f.source.Assess(ctx, f.clock.Now()); err == nil || err.Error() != "reading the alerts: context canceled" {
		t.Errorf("the controller ends: error %v", err)
	}
}

// TestOutage: a failure is reported when it lasts, and the last reports are withdrawn after five minutes.
func TestOutage(t *testing.T) {
	const unreachable, failed = updatev1alpha1.ReasonMonitoringUnreachable, updatev1alpha1.ReasonMonitoringFailed
	f := newFixture(t, DefaultURL)
	f.change(f.started(-time.Minute))
	f.pass("update starts", time.Second, "0s poll: complete")
	f.fire("A")
	f.pass("an alert fires", 30*time.Second, "30s poll: A complete")
	f.fail(failed)
	f.pass("two failures", time.Minute, "1m0s poll", "1m30s poll")
	f.fire("B")
	f.pass("no failure", 30*time.Second, "2m0s poll: B complete")
	f.fail(failed)
	f.pass("two failures with a reason", time.Minute, "2m30s poll", "3m0s poll")
	f.fail(unreachable)
	f.pass("three failures with another", 90*time.Second, "3m30s poll", "4m0s poll", "4m30s poll: B incomplete "+unreachable)
	f.pass("five minutes", 150*time.Second, append(polls(5*time.Minute, 6*time.Minute+30*time.Second), "7m0s poll: complete "+unreachable)...)
	f.pass("an hour", time.Hour, polls(7*time.Minute+30*time.Second, 67*time.Minute)...)
	f.during = func() {
		next := failed
		if f.why.Reason == failed {
			next = unreachable
		}
		f.fail(next)
	}
	f.pass("alternating reasons", 10*time.Minute, polls(67*time.Minute+30*time.Second, 77*time.Minute)...)
	f.during = func() {}
	f.fire("A")
	f.pass("no failure", 30*time.Second, "1h17m30s poll: A complete")
	f.fail(updatev1alpha1.ReasonMonitoringRefused)
	f.pass("refused", time.Minute, "1h18m0s poll: A incomplete MonitoringRefused", "1h18m30s poll")
	f.change(none)
	f.pass("update ends", time.Hour, "1h18m31s: complete")
	f.restartClock()
	f.fail(unreachable)
	f.change(f.started(0))
	f.pass("another update", 70*time.Second, "0s poll", "30s poll", "1m0s poll: incomplete "+unreachable)
}

// polls are the log of polls from one time to another.
func polls(from, to time.Duration) (lines []string) {
	for at := from; at <= to; at += DefaultEvery {
		lines = append(lines, at.String()+" poll")
	}
	return lines
}

// TestRestart: reports of a previous controller stay until they can be replaced, at most five minutes.
func TestRestart(t *testing.T) {
	const unreachable = updatev1alpha1.ReasonMonitoringUnreachable
	inProgress := ledger.Update{Known: true, Unfinished: true, Started: since.Add(-time.Hour)}
	for _, test := range []struct {
		name, url string
		update    ledger.Update
		want      []string
	}{
		{"no monitoring", DefaultURL, inProgress, slices.Concat(
			[]string{"0s poll", "30s poll", "1m0s poll: incomplete " + unreachable}, polls(90*time.Second, 270*time.Second),
			[]string{"5m0s poll: complete " + unreachable, "5m30s poll"},
		)},
		{"the update is unknown", DefaultURL, ledger.Update{}, []string{"5m0s: complete"}},
		{"an update whose start is not known", DefaultURL, ledger.Update{Known: true, Unfinished: true}, []string{"0s: complete"}},
		{"no querier", "", inProgress, []string{"0s: complete"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFixture(t, test.url)
			f.fail(unreachable)
			f.change(test.update)
			f.pass(test.name, 5*time.Minute+50*time.Second, test.want...)
		})
	}
}
