package podreader

import (
	"context"
	"maps"
	"reflect"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

const (
	// readInterval is the minimum interval between two reads.
	readInterval = time.Minute
	// failureThreshold is the number of consecutive failed reads of an operator after which the result of the last successful one is
	// dropped.
	failureThreshold = 3
)

// Input is what a Reader is made from.
type Input struct {
	Kube kubernetes.Interface
	// Clock is that of the objects: it tells for how long a pod has been as it is.
	Clock clock.PassiveClock
	// Update returns the update of the cluster: without one no pod is read.
	Update func() ledger.Update
	// Choose returns which of the operators to read, the root causes first, and the nodes whose pods are not counted.
	Choose func(context.Context, []podstate.Wanted) ([]podstate.Wanted, podstate.Away, error)
}

// Reader reads the pods of operators that fail. It is safe for concurrent use.
type Reader struct {
	Input

	requests chan struct{}

	lock      sync.Mutex
	wanted    []podstate.Wanted
	requested time.Time
	// results are replaced and never changed.
	results map[string]*assess.Pods
	// failures are numbers of consecutive failed reads, by operator.
	failures map[string]int
}

// New returns a Reader.
func New(in Input) *Reader {
	return &Reader{Input: in, requests: make(chan struct{}, 1), failures: map[string]int{}}
}

// Pods returns what was last read of the pods of operators, and when to call again, zero without operators. It requests a read if the last one
// was requested at least readInterval ago, and does not wait for it. What was read of other operators is dropped.
func (r *Reader) Pods(wanted []podstate.Wanted, now time.Time) (pods map[string]*assess.Pods, again time.Time) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if update := r.Update(); !update.Known || !update.Unfinished {
		wanted = nil
	}
	r.wanted = wanted
	if len(wanted) == 0 {
		r.results = nil
		clear(r.failures)
		return nil, time.Time{}
	}
	if now.Sub(r.requested) >= readInterval {
		r.requested = now
		select {
		case r.requests <- struct{}{}:
		default: // one is waiting already
		}
	}
	return r.results, r.requested.Add(readInterval)
}

// Run reads until the context is done. It calls changed after results that differ from the previous ones.
func (r *Reader) Run(ctx context.Context, changed func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.requests:
			if r.read(ctx) {
				changed()
			}
		}
	}
}

// read reads the pods of the chosen operators, and returns whether a result differs.
func (r *Reader) read(ctx context.Context) bool {
	r.lock.Lock()
	wanted, before := r.wanted, r.results
	r.lock.Unlock()
	chosen, away, err := r.Choose(ctx, wanted)
	if err != nil {
		if ctx.Err() == nil {
			klog.FromContext(ctx).Info("Unable to choose the operators whose pods are read", "err", err)
		}
		return false
	}
	results := map[string]*assess.Pods{}
	for _, one := range chosen {
		request := Request{Wanted: one, Away: away}
		if known := before[one.Operator]; known != nil {
			request.Previous = known.Worst
		}
		worst, err := Read(ctx, r.Kube, request, r.Clock.Now())
		results[one.Operator] = r.result(ctx, one, &assess.Pods{Worst: worst}, before[one.Operator], err)
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if ctx.Err() != nil || len(r.wanted) == 0 || maps.EqualFunc(results, before, func(a, b *assess.Pods) bool { return reflect.DeepEqual(a, b) }) {
		return false
	}
	r.results = results
	return true
}

// result returns what to report of an operator: the result of a read, or the one before if only a few reads failed.
func (r *Reader) result(ctx context.Context, of podstate.Wanted, read, before *assess.Pods, err error) *assess.Pods {
	r.lock.Lock()
	defer r.lock.Unlock()
	if err == nil {
		delete(r.failures, of.Operator)
		return read
	}
	r.failures[of.Operator]++
	if r.failures[of.Operator] == 1 && ctx.Err() == nil {
		klog.FromContext(ctx).Info("Unable to read the pods of an operator", "operator", of.Operator, "err", err)
	}
	if before != nil && r.failures[of.Operator] < failureThreshold {
		return before
	}
	return &assess.Pods{Unread: of.First()}
}
