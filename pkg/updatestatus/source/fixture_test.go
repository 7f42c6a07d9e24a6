package source

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/library-go/pkg/controller/factory"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// fixture is a loop that the test syncs by hand, and what it sends.
type fixture struct {
	*Loop

	clock  *clocktesting.FakePassiveClock
	ledger *ledger.Ledger
	// sent are the messages of the last sync, and next is when it wants the next one, zero if not by the clock.
	sent []insight.Message
	next time.Duration
	// failing is the state of the watches, nil while they work, and refused why nothing can be sent.
	failing *insight.State
	refused error
}

type cleaner interface {
	Helper()
	Cleanup(end func())
	Fatal(arguments ...any)
}

func newFixture(t cleaner, of insight.Source, assess Assess) *fixture {
	t.Helper()
	f := &fixture{clock: clocktesting.NewFakePassiveClock(start), ledger: ledger.New()}
	loop, err := New(Input{
		Source: of, Clock: f.clock, Health: func() *insight.State { return f.failing }, Assess: assess,
		Recorder: events.NewInMemoryRecorder("test", f.clock),
		Send: func(_ context.Context, message insight.Message) error {
			if f.refused == nil {
				f.sent = append(f.sent, message)
				f.ledger.Apply(message)
			}
			return f.refused
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(loop.context.Queue().ShutDown)
	f.Loop = loop
	return f
}

// queueOf is a sync context that records when the next sync is.
type queueOf struct {
	factory.SyncContext
	workqueue.RateLimitingInterface

	next *time.Duration
}

func (q queueOf) Queue() workqueue.RateLimitingInterface { return q }
func (q queueOf) AddAfter(_ any, delay time.Duration)    { *q.next = delay }

// trySync syncs, and returns the error.
func (f *fixture) trySync() error {
	f.sent, f.next = nil, 0
	return f.syncUntilEnd(context.Background(), queueOf{next: &f.next})
}

// run syncs, and returns what was sent as a line: the names of the subjects, a minus for those that were withdrawn, and the state: ! for
// complete, or the reason.
func (f *fixture) run(t cleaner) string {
	t.Helper()
	if err := f.trySync(); err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, message := range f.sent {
		if message.Source != f.in.Source {
			t.Fatal("the ", f.in.Source, " reports as the ", message.Source)
		}
		for _, report := range message.Reports {
			word := report.Subject.Name
			if len(report.Insights) == 0 {
				word = "-" + word
			}
			words = append(words, word)
		}
		slices.Sort(words)
		if state := message.State; state != nil && state.Complete {
			words = append(words, "!")
		}
		if state := message.State; state != nil && state.Reason != "" {
			words = append(words, state.Reason)
		}
	}
	return strings.Join(words, " ")
}

// at syncs at a time after the start.
func (f *fixture) at(t cleaner, after time.Duration) string {
	t.Helper()
	f.clock.SetTime(start.Add(after))
	return f.run(t)
}

// newInformer returns an informer that does not run.
func newInformer(kind runtime.Object) cache.SharedIndexInformer {
	return cache.NewSharedIndexInformer(&cache.ListWatch{}, kind, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

// newCaches returns informers of kinds that do not run.
func newCaches(all ...*kinds.Kind) Caches {
	informers := map[*kinds.Kind]cache.SharedIndexInformer{}
	for _, kind := range all {
		informers[kind] = newInformer(kind.New())
	}
	return func(kind *kinds.Kind) cache.SharedIndexInformer { return informers[kind] }
}

// put adds or replaces objects as they are cached.
func put(t cleaner, informer cache.SharedIndexInformer, objects ...runtime.Object) {
	t.Helper()
	for _, object := range objects {
		if err := informer.GetStore().Update(cached(object)); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(t cleaner, informer cache.SharedIndexInformer, object any) {
	t.Helper()
	if err := informer.GetStore().Delete(object); err != nil {
		t.Fatal(err)
	}
}

// cached returns a copy of an object as it is cached.
func cached(object runtime.Object) runtime.Object {
	for kind := range kinds.All() {
		if kind.New == nil || reflect.TypeOf(kind.New()) != reflect.TypeOf(object) {
			continue
		}
		if trimmed, err := kind.Trim(object.DeepCopyObject()); err == nil {
			return trimmed.(runtime.Object)
		}
	}
	panic("not a kind that is cached")
}
