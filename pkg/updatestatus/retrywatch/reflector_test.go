package retrywatch_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/retrywatch"
)

// runReflector runs a reflector of client-go while a function runs.
func runReflector(t *testing.T, from cache.ListerWatcherWithContext, observed *observations, meanwhile func(cache.Store)) {
	t.Helper()
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	reflector := cache.NewReflector(retrywatch.New(from, observed.observe), &corev1.Node{}, store, 0)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { reflector.RunWithContext(ctx) })
	meanwhile(store)
	stop()
	running.Wait()
}

// TestWatchIsTooOld: after the restart of an API server, for which each earlier watch is too old, the cache is right within
// ten seconds.
func TestWatchIsTooOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{answers: []any{
			hourStream{modified(3), initialEventsEnd(7)},
			errAway, errAway, errAway, starting, nodeList("7"),
			brokenStream{failed(gone)}, // the restart
			forbidden, forbidden,       // a watch and a list, before the roles are read
			openStream{{Type: watch.Added, Object: node("other", 9)}, initialEventsEnd(10)},
		}}
		observed := &observations{}
		runReflector(t, server, observed, func(store cache.Store) {
			time.Sleep(time.Hour + 4*time.Second + 10*time.Second) // in the bubble
			synctest.Wait()
			if keys := store.ListKeys(); !slices.Equal(keys, []string{"other"}) || observed.last() != nil {
				t.Errorf("cached %v, observed %v, requests %v", keys, observed.distinct(), server.requested())
			}
		})
	})
}

// TestUndecodableObject: the reflector lists for as long as an object can't be decoded, the observer receives why, and the
// cache is right within a minute after it can.
func TestUndecodableObject(t *testing.T) {
	const failingLists = 6 // each with a watch before it
	server := &fakeServer{answers: slices.Concat(
		[]any{openStream{modified(3), initialEventsEnd(4), failed(undecodable)}},
		slices.Repeat([]any{brokenStream{failed(undecodable)}, errUndecodable}, failingLists),
		[]any{brokenStream{failed(undecodable)}, nodeList("9", *node("other", 8)), struct{}{}},
	)}
	synctest.Test(t, func(t *testing.T) {
		observed := &observations{}
		runReflector(t, server, observed, func(store cache.Store) {
			for len(server.requested()) < 2*failingLists {
				time.Sleep(time.Second) // in the bubble
				synctest.Wait()
				if keys := store.ListKeys(); len(keys) > 0 && keys[0] != "node" || len(server.requested()) > 1 && observed.last() == nil {
					t.Fatalf("cached %v, observed %v", keys, observed.distinct())
				}
			}
			time.Sleep(2 * time.Minute) // in the bubble: the last failing list, and the one after
			synctest.Wait()
			if keys := store.ListKeys(); !slices.Equal(keys, []string{"other"}) || observed.last() != nil {
				t.Errorf("cached %v, observed %v", keys, observed.distinct())
			}
		})
	})
}

// unwatchable is a server that lets nodes be listed, and not watched.
type unwatchable struct{}

// ListWithContext is part of cache.ListerWatcherWithContext.
func (unwatchable) ListWithContext(context.Context, metav1.ListOptions) (runtime.Object, error) {
	return nodeList("4", *node("node", 1)), nil
}

// WatchWithContext is part of cache.ListerWatcherWithContext.
func (unwatchable) WatchWithContext(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return nil, forbidden
}

// TestMayListButNotWatch: a reflector that may only list has a stale cache, however often it lists.
func TestMayListButNotWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		observed := &observations{}
		runReflector(t, unwatchable{}, observed, func(store cache.Store) {
			time.Sleep(time.Minute) // in the bubble
			synctest.Wait()
			if len(store.ListKeys()) != 1 {
				t.Errorf("cached %v", store.ListKeys())
			}
			if len(observed.errs) < 4 || slices.ContainsFunc(observed.errs, func(err error) bool { return !apierrors.IsForbidden(err) }) {
				t.Errorf("observed %v", observed.errs)
			}
		})
	})
}

// TestSilence: a watch that is open and brings nothing, not even bookmarks, is followed by another one for all objects after three minutes.
func TestSilence(t *testing.T) {
	all := hourStream{{Type: watch.Added, Object: node("other", 9)}, initialEventsEnd(10)}
	for name, silent := range map[string]openStream{"at first": {}, "later": {modified(3), initialEventsEnd(7)}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, observed := &fakeServer{answers: []any{silent, all}}, &observations{}
				runReflector(t, server, observed, func(store cache.Store) {
					time.Sleep(179 * time.Second) // in the bubble
					synctest.Wait()
					if keys := store.ListKeys(); slices.Contains(keys, "other") {
						t.Errorf("listed early: requests %v", server.requested())
					}
					time.Sleep(30 * time.Minute) // in the bubble
					synctest.Wait()
					if keys := store.ListKeys(); !slices.Equal(keys, []string{"other"}) || observed.last() != nil {
						t.Errorf("cached %v, observed %v, requests %v", keys, observed.distinct(), server.requested())
					}
				})
			})
		})
	}
}

// TestSilentRetries: what other watches brought before counts, if a watch is opened again and again and brings nothing.
func TestSilentRetries(t *testing.T) {
	for name, test := range map[string]struct {
		answers []any
		want    time.Duration
	}{
		"open":             {[]any{openStream{}}, 3 * time.Minute},
		"again and again":  {slices.Repeat([]any{brokenStream{}}, 300), 3 * time.Minute},
		"after an event":   {slices.Concat(slices.Repeat([]any{brokenStream{}}, 60), []any{openStream{modified(5)}}), 4 * time.Minute},
		"after a bookmark": {slices.Concat(slices.Repeat([]any{brokenStream{}}, 60), []any{openStream{{Type: watch.Bookmark, Object: node("", 5)}}}), 4 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stream, err := retrywatch.New(&fakeServer{answers: test.answers}, (&observations{}).observe).
					WatchWithContext(t.Context(), metav1.ListOptions{ResourceVersion: "4"})
				if err != nil {
					t.Fatal(err)
				}
				started := time.Now()
				for event := range stream.ResultChan() {
					if event.Type == watch.Error && !apierrors.IsResourceExpired(apierrors.FromObject(event.Object)) {
						t.Errorf("event %v", event)
					}
				}
				// Each retry takes a second, and whether the last watch ends or is silent is chance.
				if took := time.Since(started); took < test.want || took > test.want+10*time.Second {
					t.Errorf("took %s, want %s", took, test.want)
				}
			})
		})
	}
}
