package drainreader

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// readNodes waits until nodes have been read.
func (b *bench) readNodes(now time.Time, nodes ...string) {
	b.t.Helper()
	for _, node := range nodes {
		b.blockers(node, now)
	}
	for range nodes {
		<-b.changed
	}
}

// cachedNamespaces are those whose budgets are in memory.
func (b *bench) cachedNamespaces() []string {
	b.Reader.lock.Lock()
	defer b.Reader.lock.Unlock()
	return slices.Sorted(maps.Keys(b.budgets))
}

func (b *bench) wantCached(when string, want ...string) {
	b.t.Helper()
	if diff := cmp.Diff(want, b.cachedNamespaces()); diff != "" {
		b.t.Errorf("namespaces in memory %s (-want +got):\n%s", when, diff)
	}
}

// TestNodesShareBudgets expects one list of budgets for each namespace and interval, however many nodes have pods there, and
// none in memory that is no longer needed.
func TestNodesShareBudgets(t *testing.T) {
	b := newBench(t)
	var many []string
	for at := range 9 {
		many = append(many, fmt.Sprintf("node-%d", at))
	}
	read := func(now time.Time, pod, budget string) {
		t.Helper()
		b.answer(podsPath, pods(builders.Pod("shop", pod), builders.Pod("other", "web")))
		b.answer(budgetsPath, budgets(builders.Budget("shop", budget, nil)))
		b.readNodes(now, "a")
		b.readNodes(now.Add(readInterval-time.Second), many...)
		for _, node := range append(many, "a") {
			got, _ := b.blockers(node, now)
			if diff := cmp.Diff([]string{"pod " + pod, "pod web", "budget " + budget}, names(got)); diff != "" {
				t.Errorf("read of %s (-want +got):\n%s", node, diff)
			}
		}
	}
	b.answer(otherPath, budgets())
	for period := 1; period <= 3; period++ {
		read(start.Add(time.Duration(period)*readInterval), fmt.Sprintf("db-%d", period), fmt.Sprintf("budget-%d", period))
		asked := b.requests()
		got := map[string]int{podsPath: asked[podsPath], budgetsPath: asked[budgetsPath], otherPath: asked[otherPath]}
		want := map[string]int{podsPath: 10 * period, budgetsPath: period, otherPath: period}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("requests after %d periods (-want +got):\n%s", period, diff)
		}
	}
	b.wantCached("with two namespaces", "other", "shop")
	b.answer(podsPath, pods(builders.Pod("shop", "db-0")))
	b.readNodes(start.Add(5*readInterval), "a")
	b.wantCached("with one namespace", "shop")
	for _, node := range many {
		b.forget(node, start.Add(5*readInterval))
	}
	b.wantCached("with one node", "shop")
	b.forget("a", start.Add(5*readInterval))
	b.wantCached("without nodes")
	if _, err := b.budgetsOf(t.Context(), "shop", start.Add(5*readInterval)); err != nil {
		t.Error(err)
	}
	b.wantCached("after a read that was in progress")
}

// TestBudgetErrorsAreNotShared expects another request for the next node.
func TestBudgetErrorsAreNotShared(t *testing.T) {
	b := newBench(t)
	b.answer(podsPath, pods(builders.Pod("shop", "db-0")))
	b.answer(budgetsPath, http.StatusServiceUnavailable)
	b.readNodes(start, "a")
	b.answer(budgetsPath, budgets(builders.Budget("shop", "db", nil)))
	b.readNodes(start, "b")
	read, _ := b.blockers("b", start)
	if diff := cmp.Diff([]string{"pod db-0", "budget db"}, names(read)); diff != "" {
		t.Errorf("read of another node (-want +got):\n%s", diff)
	}
	if asked := b.requests()[budgetsPath]; asked != 2 {
		t.Errorf("%d lists of budgets", asked)
	}
}

// slowBudgets is a bench in a bubble, whose API server responds to lists of budgets when respond is closed.
func slowBudgets(t *testing.T) (b *bench, respond chan struct{}) {
	t.Helper()
	b, respond = &bench{}, make(chan struct{})
	b.run(t, &rest.Config{Host: "http://api.example.com", QPS: -1, Transport: roundTripper(func(request *http.Request) (*http.Response, error) {
		recorder := httptest.NewRecorder()
		b.ServeHTTP(recorder, request)
		if request.URL.Path == budgetsPath {
			select {
			case <-respond:
			case <-request.Context().Done():
				return nil, request.Context().Err()
			}
		}
		return recorder.Result(), nil
	})})
	b.answer(podsPath, pods(builders.Pod("shop", "db-0")))
	b.answer(budgetsPath, budgets(builders.Budget("shop", "db", nil)))
	return b, respond
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip is part of http.RoundTripper.
func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	return r(request)
}

// TestConcurrentRequests expects one list of budgets for all workers.
func TestConcurrentRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, respond := slowBudgets(t)
		nodes := []string{"a", "b", "c", "d"}
		for _, node := range nodes {
			b.blockers(node, start)
		}
		synctest.Wait()
		if asked := b.requests(); asked[podsPath] != workers || asked[budgetsPath] != 1 {
			t.Errorf("requests of %d workers at once: %v", workers, asked)
		}
		close(respond)
		b.readNodes(start, nodes...)
		for _, node := range nodes {
			read, _ := b.blockers(node, start)
			if diff := cmp.Diff([]string{"pod db-0", "budget db"}, names(read)); diff != "" {
				t.Errorf("read of %s (-want +got):\n%s", node, diff)
			}
		}
		if asked := b.requests()[budgetsPath]; asked != 1 {
			t.Errorf("%d lists of budgets", asked)
		}
	})
}

// TestWaitEndsWithContext waits for a request of another node that gets no response.
func TestWaitEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := slowBudgets(t)
		b.blockers("a", start)
		synctest.Wait()
		started := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := b.budgetsOf(ctx, "shop", start)
		if took := time.Since(started); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
			t.Errorf("waited for %s: %v", took, err)
		}
	})
}
