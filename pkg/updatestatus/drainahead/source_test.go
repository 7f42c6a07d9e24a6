package drainahead

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// fixture is the source without its loop, which is tested in pkg/updatestatus/source. The test sets what is updated, what waits and what is read.
type fixture struct {
	update  ledger.Update
	waiting map[string]string
	// readErr is why the pods can't be read, and waitingErr why it is not known what waits.
	readErr, waitingErr error
	hasRead             bool
}

func (f *fixture) read(context.Context) (drain.AheadInput, error) {
	f.hasRead = true
	if f.readErr != nil {
		return drain.AheadInput{}, f.readErr
	}
	return drain.AheadInput{
		Budgets: []*policyv1.PodDisruptionBudget{builders.Budget("shop", "cart", map[string]string{"app": "cart"}, builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 1, 1, 1))},
		Pods:    []*corev1.Pod{builders.Pod("shop", "cart-0", builders.OnNode("w-1"), builders.PodLabel("app", "cart"))},
	}, nil
}

// step is an assessment.
type step struct {
	name   string
	at     time.Duration
	change func(*fixture)
	// want is "read" if something is read, the reports, "complete", and after how long it assesses again.
	want string
}

func run(t *testing.T, steps []step) {
	t.Helper()
	f, pace := &fixture{}, clocktesting.NewFakePassiveClock(start)
	source := New(Input{
		Pace: pace, Read: f.read,
		Update:  func() ledger.Update { return f.update },
		Waiting: func(context.Context) (map[string]string, error) { return f.waiting, f.waitingErr },
	})
	for _, one := range steps {
		if one.change != nil {
			one.change(f)
		}
		now := start.Add(one.at)
		pace.SetTime(now)
		f.hasRead = false
		message, next, err := source.Assess(t.Context(), now)
		var got []string
		if f.hasRead {
			got = append(got, "read")
		}
		if err != nil {
			got = append(got, err.Error())
		}
		for _, report := range message.Reports {
			summary, _, _ := strings.Cut(report.Insights[0].Insight.Health.Impact.Summary, " that wait")
			got = append(got, summary)
		}
		if err == nil && message.State != nil && message.State.Complete {
			got = append(got, "complete")
		}
		if !next.IsZero() {
			got = append(got, next.Sub(now).String())
		}
		if text := strings.Join(got, ", "); text != one.want {
			t.Errorf("%s: %q, want %q", one.name, text, one.want)
		}
	}
}

func wait(nodes ...string) func(*fixture) {
	return func(f *fixture) {
		f.waiting = map[string]string{}
		for _, node := range nodes {
			f.waiting[node] = "worker"
		}
	}
}

func inProgress(f *fixture) { f.update = ledger.Update{Known: true, Unfinished: true} }

func over(f *fixture) { f.update = ledger.Update{Known: true} }

const (
	one  = "1 of 1 node in pool 'worker', complete, 1m0s"
	read = "read, " + one
)

// TestLookAhead follows an update: nothing is read before it, budgets every ten minutes, and which nodes wait every minute.
func TestLookAhead(t *testing.T) {
	run(t, []step{
		{name: "unknown"},
		{name: "no update", change: over, want: "complete"},
		{name: "no node waits", at: time.Hour, change: inProgress, want: "complete, 1m0s"},
		{name: "two nodes wait", at: time.Hour + time.Minute, change: wait("w-1", "w-2"), want: "read, 1 of 2 nodes in pool 'worker', complete, 1m0s"},
		{name: "one waits", at: time.Hour + 2*time.Minute, change: wait("w-1"), want: one},
		{name: "ten minutes", at: time.Hour + 11*time.Minute, want: read},
	})
}

// TestEndOfUpdate: the reports end with the update, and in the next one everything is read again.
func TestEndOfUpdate(t *testing.T) {
	run(t, []step{
		{name: "an update", change: func(f *fixture) { inProgress(f); wait("w-1")(f) }, want: read},
		{name: "none waits", at: time.Second, change: wait(), want: "complete, 1m0s"},
		{name: "one waits again", at: 2 * time.Second, change: wait("w-1"), want: one},
		{name: "the end", at: 3 * time.Second, change: over, want: "complete"},
		{name: "within ten minutes of the last read", at: time.Minute, change: inProgress, want: read},
	})
}

// TestReadFails: what was read is used for half an hour while it can't be read again. Which nodes wait must be known: until then, what was
// reported stays.
func TestReadFails(t *testing.T) {
	run(t, []step{
		{name: "an update", change: func(f *fixture) { inProgress(f); wait("w-1")(f) }, want: read},
		{name: "unknown which nodes wait", at: time.Minute, change: func(f *fixture) { f.waitingErr = errors.New("stopping") }, want: "reading which nodes wait: stopping"},
		{name: "known again", at: 9 * time.Minute, change: func(f *fixture) { f.waitingErr, f.readErr = nil, errors.New("forbidden") }, want: one},
		{name: "the first failure", at: 10 * time.Minute, want: read},
		{name: "not tried again", at: 19 * time.Minute, want: one},
		{name: "the second failure", at: 20 * time.Minute, want: read},
		{name: "until half an hour", at: 30*time.Minute - time.Second, want: one},
		{name: "the third failure", at: 30 * time.Minute, want: "read, complete, 1m0s"},
		{name: "no failure", at: 40 * time.Minute, change: func(f *fixture) { f.readErr = nil }, want: read},
	})
}
