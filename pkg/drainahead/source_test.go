package drainahead

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/ledger"
	"github.com/openshift/cluster-version-operator/pkg/source"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// fixture runs the source in its loop, in a bubble of time. The test sets what is updated, what waits and what is read.
type fixture struct {
	loop  *source.Loop
	start time.Time
	stop  func()

	lock    sync.Mutex
	update  ledger.Update
	waiting map[string]string
	readErr error
	// waitingErr is why it is not known what waits.
	waitingErr error
	// log has the reads and the messages that change something.
	log        []string
	isComplete bool
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{start: time.Now()}
	ahead := New(Input{
		Pace: clock.RealClock{}, Read: f.read,
		Update: func() ledger.Update {
			f.lock.Lock()
			defer f.lock.Unlock()
			return f.update
		},
		Waiting: func(context.Context) (map[string]string, error) {
			f.lock.Lock()
			defer f.lock.Unlock()
			return f.waiting, f.waitingErr
		},
	})
	var err error
	f.loop, err = source.New(source.Input{
		Source: insight.DrainInformer, Clock: clock.RealClock{}, Health: func() *insight.State { return nil }, Assess: ahead.Assess,
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

func (f *fixture) logf(format string, args ...any) {
	f.log = append(f.log, fmt.Sprintf("%s %s", time.Since(f.start), fmt.Sprintf(format, args...)))
}

func (f *fixture) read(context.Context) (drain.AheadInput, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.logf("read")
	if f.readErr != nil {
		return drain.AheadInput{}, f.readErr
	}
	return drain.AheadInput{
		Budgets: []*policyv1.PodDisruptionBudget{builders.Budget("shop", "cart", map[string]string{"app": "cart"}, builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 1, 1, 1))},
		Pods:    []*corev1.Pod{builders.Pod("shop", "cart-0", builders.OnNode("w-1"), builders.PodLabel("app", "cart"))},
	}, nil
}

func (f *fixture) send(_ context.Context, message insight.Message) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	if len(message.Reports) == 0 && (message.State == nil || message.State.Complete == f.isComplete) {
		return nil
	}
	f.isComplete = message.State.Complete
	var reports []string
	for _, report := range message.Reports {
		text := report.Subject.Name + " nothing"
		if len(report.Insights) > 0 {
			text, _, _ = strings.Cut(report.Insights[0].Insight.Health.Impact.Summary, " that wait")
		}
		reports = append(reports, text)
	}
	f.logf("%s, complete %v", strings.Join(reports, "; "), message.State.Complete)
	return nil
}

// expect changes something, waits, and compares what the controller did since.
func (f *fixture) expect(t *testing.T, wait time.Duration, change func(), want ...string) {
	t.Helper()
	f.lock.Lock()
	f.log = nil
	change()
	f.lock.Unlock()
	f.loop.Resync()
	time.Sleep(wait)
	synctest.Wait()
	f.lock.Lock()
	defer f.lock.Unlock()
	if diff := cmp.Diff(want, f.log); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLookAhead follows an update: nothing is read before it and after it, budgets every ten minutes, and which nodes wait every
// minute.
func TestLookAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.stop()
		f.expect(t, time.Second, func() {})
		f.expect(t, time.Second, func() { f.update = ledger.Update{Known: true} }, "1s , complete true")
		f.expect(t, time.Hour, func() {})
		f.expect(t, time.Second, func() { f.update.Unfinished = true })
		f.expect(t, 30*time.Second, func() { f.waiting = map[string]string{"w-1": "worker", "w-2": "worker"} }, "1h0m3s read", "1h0m3s 1 of 2 nodes in pool 'worker', complete true")
		f.expect(t, time.Minute, func() { delete(f.waiting, "w-2") },
			"1h0m33s 1 of 1 node in pool 'worker', complete true")
	})
}

// TestEndOfUpdate: the reports end with the update, and in the next one everything is read again.
func TestEndOfUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.stop()
		f.expect(t, time.Second, func() {
			f.update, f.waiting = ledger.Update{Known: true, Unfinished: true}, map[string]string{"w-1": "worker"}
		}, "0s read", "0s 1 of 1 node in pool 'worker', complete true")
		f.expect(t, time.Second, func() { f.waiting = nil }, "1s worker nothing, complete true")
		f.expect(t, time.Second, func() { f.waiting = map[string]string{"w-1": "worker"} }, "2s 1 of 1 node in pool 'worker', complete true")
		f.expect(t, time.Hour, func() { f.update.Unfinished = false }, "3s worker nothing, complete true")
		f.expect(t, time.Second, func() { f.update.Unfinished = true }, "1h0m3s read", "1h0m3s 1 of 1 node in pool 'worker', complete true")
		// One that starts within ten minutes of the last read.
		f.expect(t, time.Minute, func() { f.update.Unfinished = false }, "1h0m4s worker nothing, complete true")
		f.expect(t, time.Second, func() { f.update.Unfinished = true }, "1h1m4s read", "1h1m4s 1 of 1 node in pool 'worker', complete true")
	})
}

// TestUnknownWaiting: while it is not known which nodes wait, what was reported stays.
func TestUnknownWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.stop()
		f.expect(t, time.Second, func() {
			f.update, f.waiting = ledger.Update{Known: true, Unfinished: true}, map[string]string{"w-1": "worker"}
		}, "0s read", "0s 1 of 1 node in pool 'worker', complete true")
		f.expect(t, time.Second, func() { f.waitingErr = errors.New("stopping") })
	})
}

// TestReadFails: what was read is used for some time while it can't be read again, and then not any more.
func TestReadFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		defer f.stop()
		f.expect(t, 9*time.Minute, func() {
			f.update, f.waiting = ledger.Update{Known: true, Unfinished: true}, map[string]string{"w-1": "worker"}
		}, "0s read", "0s 1 of 1 node in pool 'worker', complete true")
		f.lock.Lock()
		f.readErr, f.log = errors.New("forbidden"), nil
		f.lock.Unlock()
		time.Sleep(25 * time.Minute)
		synctest.Wait()
		var reads, told []string
		for _, line := range f.log {
			if strings.HasSuffix(line, "read") {
				reads = append(reads, line)
			} else if !strings.Contains(line, "1 of 1") {
				told = append(told, line)
			}
		}
		if diff := cmp.Diff([]string{"10m0s read", "20m0s read", "30m0s read"}, reads); diff != "" {
			t.Errorf("reads (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"30m0s worker nothing, complete true"}, told); diff != "" {
			t.Errorf("what is withdrawn (-want +got):\n%s", diff)
		}
	})
}
