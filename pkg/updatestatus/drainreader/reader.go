package drainreader

import (
	"context"
	"reflect"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/workqueue"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
)

const (
	// readInterval is the minimum interval between two reads of a node, and of the PodDisruptionBudgets of a namespace.
	readInterval = time.Minute
	// workers bounds the concurrent requests: a pool of a large cluster may drain hundreds of nodes at a time.
	workers = 4
	// failureThreshold is the number of consecutive failed reads after which the result of the last successful one is dropped.
	failureThreshold = 3
)

// Reader reads the objects that may block drains. It is safe for concurrent use.
type Reader struct {
	kube  kubernetes.Interface
	queue workqueue.TypedInterface[string]

	lock  sync.Mutex
	nodes map[string]*nodeEntry
	// budgets are the PodDisruptionBudgets that were read for nodes, by namespace.
	budgets map[string]*sharedBudgets
}

// nodeEntry is the state of a node that is being read.
type nodeEntry struct {
	// requested is when a read was last requested.
	requested time.Time
	// blockers are the result of the last read, nil before the first one. They are replaced and never changed.
	blockers *drain.Blockers
	// failures counts the consecutive failed reads, and loggedReason is the reason that was logged for the last of them.
	failures     failures
	loggedReason string
}

// New returns a Reader. The encoding of Pods and PodDisruptionBudgets is that of the client; protobuf is the fastest.
func New(kube kubernetes.Interface) *Reader {
	return &Reader{
		kube:  kube,
		queue: workqueue.NewTyped[string](),
		nodes: map[string]*nodeEntry{}, budgets: map[string]*sharedBudgets{},
	}
}

// Blockers returns what was last read for each of some nodes, nil before the first read, and when to call again, zero without nodes. It
// requests a read of those whose last one was requested at least readInterval ago, and does not wait for it. What was read for other
// nodes is dropped, and with the last node the shared PodDisruptionBudgets.
func (r *Reader) Blockers(nodes []string, now time.Time) (blockers map[string]*drain.Blockers, again time.Time) {
	r.lock.Lock()
	defer r.lock.Unlock()
	blockers = make(map[string]*drain.Blockers, len(nodes))
	for _, node := range nodes {
		entry := r.request(node, now)
		blockers[node] = entry.blockers
		if next := entry.requested.Add(readInterval); again.IsZero() || next.Before(again) {
			again = next
		}
	}
	for node := range r.nodes {
		if _, wanted := blockers[node]; !wanted {
			delete(r.nodes, node)
		}
	}
	if len(r.nodes) == 0 {
		clear(r.budgets)
	}
	return blockers, again
}

// request returns the entry of a node, and requests a read of it if it is time to.
func (r *Reader) request(node string, now time.Time) *nodeEntry {
	entry, found := r.nodes[node]
	if !found {
		entry = &nodeEntry{}
		r.nodes[node] = entry
	}
	if !found || now.Sub(entry.requested) >= readInterval {
		entry.requested = now
		r.queue.Add(node)
	}
	return entry
}

// Run reads nodes until the context is done. It calls changed after each result that differs from the previous one.
func (r *Reader) Run(ctx context.Context, changed func()) {
	stop := context.AfterFunc(ctx, r.queue.ShutDown)
	defer stop()
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for {
				node, shutdown := r.queue.Get()
				if shutdown {
					return
				}
				requested, known := r.requested(node)
				if known && r.record(ctx, node, r.read(ctx, node, requested)) {
					changed()
				}
				r.queue.Done(node)
			}
		})
	}
	running.Wait()
}

// requested returns when a read of a node was requested, and false if the node has been forgotten since.
func (r *Reader) requested(node string) (time.Time, bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	entry := r.nodes[node]
	if entry == nil {
		return time.Time{}, false
	}
	return entry.requested, true
}

// record stores the result of a read, and returns whether it differs from the previous one. A few failures in a row change
// nothing.
func (r *Reader) record(ctx context.Context, node string, result readResult) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	entry := r.nodes[node]
	if entry == nil || ctx.Err() != nil {
		return false
	}
	entry.logFailure(ctx, node, result.err)
	if entry.failures.tolerate(result.err) && entry.blockers != nil {
		return false
	}
	if reflect.DeepEqual(entry.blockers, result.blockers) {
		return false
	}
	entry.blockers = result.blockers
	return true
}

// failures is a number of consecutive failures.
type failures int

// tolerate counts an attempt, and returns whether it failed but there are fewer than failureThreshold failures.
func (f *failures) tolerate(err error) bool {
	if err == nil {
		*f = 0
		return false
	}
	*f++
	return *f < failureThreshold
}
