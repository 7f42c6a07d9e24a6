package steady_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/openshift/cluster-version-operator/pkg/steady"
)

// reflected is a store that a reflector of client-go keeps, and what was told of its troubles.
type reflected struct {
	cache.Store
	*cache.Reflector

	mu   sync.Mutex
	told []error
}

func (r *reflected) tell(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = append(r.told, err)
}

// trouble is what was told last, nil if nothing was.
func (r *reflected) trouble() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.told) == 0 {
		return nil
	}
	return r.told[len(r.told)-1]
}

func reflect(from steady.Client[*corev1.NodeList]) *reflected {
	made := &reflected{Store: cache.NewStore(cache.MetaNamespaceKeyFunc)}
	watched := steady.New(from, nil, made.tell)
	made.Reflector = cache.NewReflector(watched, &corev1.Node{}, made.Store, 0)
	return made
}

// run runs the reflector while something else is done.
func (r *reflected) run(t *testing.T, meanwhile func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { r.RunWithContext(ctx) })
	meanwhile()
	stop()
	running.Wait()
}

// TestInitialEventCanNotBeDecoded: the reflector lists instead, for as long as that does not help either, and who watches knows.
func TestInitialEventCanNotBeDecoded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := &server{answers: slices.Concat([]any{[]watch.Event{seen(3), fault(odd)}}, slices.Repeat([]any{errOdd}, 30),
			[]any{list("9", "", "one 8"), staysOpen})}
		r := reflect(from)
		r.run(t, func() {
			time.Sleep(40 * time.Second) // in the bubble
			synctest.Wait()
			if from.requests() > 30 || !errors.Is(r.trouble(), errOdd) || len(r.ListKeys()) > 0 {
				t.Errorf("%d requests, told %v, knows %v", from.requests(), r.trouble(), r.ListKeys())
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if keys := r.ListKeys(); len(keys) != 1 || r.trouble() != nil {
				t.Errorf("told %v, knows %v", r.trouble(), keys)
			}
		})
	})
}

// TestInitialEventsBreak: a reflector begins at once anew when initial events break.
func TestInitialEventsBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := &server{answers: append(slices.Repeat([]any{[]watch.Event{seen(3)}}, 50), endless{seen(3), complete(7)})}
		r := reflect(from)
		r.run(t, func() {
			time.Sleep(time.Minute) // in the bubble
			synctest.Wait()
			if from.requests() > 31 || r.trouble() == nil {
				t.Errorf("%d requests in a minute, told %v", from.requests(), r.trouble())
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if keys := r.ListKeys(); len(keys) != 1 || r.trouble() != nil {
				t.Errorf("told %v, knows %v", r.trouble(), keys)
			}
		})
	})
}

// unwatchable is a server of which nothing may be watched.
type unwatchable struct{}

// List is part of steady.Client.
func (unwatchable) List(context.Context, metav1.ListOptions) (*corev1.NodeList, error) {
	return list("4", "", "one 1"), nil
}

// Watch is part of steady.Client.
func (unwatchable) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return nil, forbidden
}

// TestMayListButNotWatch: a reflector that may only list sees nothing of what comes after, however often it lists.
func TestMayListButNotWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reflect(unwatchable{})
		for range 3 {
			if err := r.ListAndWatchWithContext(t.Context()); !apierrors.IsForbidden(err) {
				t.Errorf("error %v", err)
			}
		}
		if len(r.told) == 0 || slices.ContainsFunc(r.told, func(err error) bool { return !apierrors.IsForbidden(err) }) {
			t.Errorf("told %v", r.told)
		}
		if len(r.ListKeys()) != 1 {
			t.Errorf("knows %v", r.ListKeys())
		}
	})
}
