package drainreader

import (
	"context"
	"reflect"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/workqueue"

	machineconfigclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

const (
	// readEvery is how often a node is read at most, and the PodDisruptionBudgets of a namespace for all nodes together.
	readEvery = time.Minute
	// workers bound the requests at a time: a pool of a large cluster may drain hundreds of nodes at once.
	workers = 4
	// hiccups is how many times in a row a node must fail to be read before what was read last counts no more.
	hiccups = 3
)

// Reader reads what keeps nodes from being drained. It is safe for concurrent use.
type Reader struct {
	kube          kubernetes.Interface
	machineConfig machineconfigclient.Interface
	queue         workqueue.TypedInterface[string]

	lock  sync.Mutex
	known map[string]*known
	// budgets are those of namespaces that were read for the nodes that are known, by namespace.
	budgets map[string]*sharedBudgets
}

// known is what is known of a node that is looked for.
type known struct {
	// asked is when it was last asked for.
	asked time.Time
	// read is what was read, nil if nothing was yet. It is replaced and never changed.
	read *assess.Blockers
	// failures is how many reads in a row have failed, and said what was logged of the last of them.
	failures int
	said     string
	// untold is how many times in a row the MachineConfigNode could not be read.
	untold int
}

// New returns a Reader. The Pods and PodDisruptionBudgets are read as the client's configuration has it, best as protobuf.
func New(kube kubernetes.Interface, machineConfig machineconfigclient.Interface) *Reader {
	return &Reader{
		kube: kube, machineConfig: machineConfig,
		queue: workqueue.NewTyped[string](),
		known: map[string]*known{}, budgets: map[string]*sharedBudgets{},
	}
}

// Look returns what was read of a node last, nil if nothing was yet, and when to look again. It has the node read if that
// was not done for a while.
func (r *Reader) Look(node string, now time.Time) (*assess.Blockers, time.Time) {
	r.lock.Lock()
	defer r.lock.Unlock()
	entry, found := r.known[node]
	if !found {
		entry = &known{}
		r.known[node] = entry
	}
	if !found || now.Sub(entry.asked) >= readEvery {
		entry.asked = now
		r.queue.Add(node)
	}
	return entry.read, entry.asked.Add(readEvery)
}

// Forget drops what is known of a node, and with the last node what was read for all of them.
func (r *Reader) Forget(node string) {
	r.lock.Lock()
	defer r.lock.Unlock()
	delete(r.known, node)
	if len(r.known) == 0 {
		clear(r.budgets)
	}
}

// Run reads nodes until the context ends, and tells of each of which something else was read than before.
func (r *Reader) Run(ctx context.Context, changed func(node string)) {
	stop := context.AfterFunc(ctx, r.queue.ShutDown)
	defer stop()
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for {
				node, ended := r.queue.Get()
				if ended {
					return
				}
				asked, wanted := r.wanted(node)
				if wanted && r.keep(ctx, node, r.read(ctx, node, asked)) {
					changed(node)
				}
				r.queue.Done(node)
			}
		})
	}
	working.Wait()
}

// wanted returns when a node was asked for, if it still is.
func (r *Reader) wanted(node string) (asked time.Time, is bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	entry := r.known[node]
	if entry == nil {
		return time.Time{}, false
	}
	return entry.asked, true
}

// keep takes what was read, and returns whether it is news. A read that fails now and then is none.
func (r *Reader) keep(ctx context.Context, node string, answer answer) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	entry := r.known[node]
	if entry == nil || ctx.Err() != nil {
		return false
	}
	entry.tell(ctx, node, answer.err)
	if answer.err == nil {
		entry.failures = 0
	} else {
		entry.failures++
	}
	if 0 < entry.failures && entry.failures < hiccups && entry.read != nil {
		return false
	}
	entry.keepTold(answer)
	if reflect.DeepEqual(entry.read, answer.read) {
		return false
	}
	entry.read = answer.read
	return true
}

// keepTold takes over what the MachineConfigNode said last, if it could not be read now and then. What was read is nobody
// else's yet.
func (k *known) keepTold(answer answer) {
	if answer.told == nil {
		k.untold = 0
		return
	}
	k.untold++
	if k.untold < hiccups && k.read != nil {
		answer.read.MachineConfigNode = k.read.MachineConfigNode
	}
}
