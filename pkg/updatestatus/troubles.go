package updatestatus

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// troubles are what informers meet that have to try again and again. They see nothing meanwhile, and nobody else can know: the
// rest of the API server may answer.
type troubles struct {
	mu     sync.Mutex
	errors map[schema.GroupVersionResource]error
	// told are who wants to know when there is trouble.
	told []chan<- struct{}
}

func newTroubles() *troubles {
	return &troubles{errors: map[schema.GroupVersionResource]error{}}
}

// of returns who is told by the informer of a resource: an error when a try has failed, nil when one has not.
func (t *troubles) of(what resource) func(error) {
	return func(err error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if err == nil {
			delete(t.errors, what.GroupVersionResource)
			return
		}
		t.errors[what.GroupVersionResource] = err
		for _, told := range t.told {
			notify(told)
		}
	}
}

// with returns what the informer of a resource has met last, nil if it sees.
func (t *troubles) with(what resource) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.errors[what.GroupVersionResource]
}

// tell notifies a channel of trouble.
func (t *troubles) tell(told chan<- struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.told = append(t.told, told)
}

func notify(told chan<- struct{}) {
	select {
	case told <- struct{}{}:
	default: // one is waiting already
	}
}
