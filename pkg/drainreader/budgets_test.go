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
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/test/builders"
)

// lookAt looks at nodes until each was read.
func (b *bench) lookAt(now time.Time, nodes ...string) {
	b.t.Helper()
	for _, node := range nodes {
		b.Look(node, now)
	}
	waiting := sets.New(nodes...)
	for waiting.Len() > 0 {
		waiting.Delete(<-b.changed)
	}
}

// namespacesKept are those whose budgets are in memory.
func (b *bench) namespacesKept() []string {
	b.Reader.lock.Lock()
	defer b.Reader.lock.Unlock()
	return slices.Sorted(maps.Keys(b.budgets))
}

func (b *bench) wantKept(when string, want ...string) {
	b.t.Helper()
	if diff := cmp.Diff(want, b.namespacesKept()); diff != "" {
		b.t.Errorf("namespaces in memory %s (-want +got):\n%s", when, diff)
	}
}

// TestNodesShareBudgets: many nodes with pods in the same namespaces cost one list of budgets a namespace and period, each
// period brings them anew, and none is kept when nobody needs it.
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
		b.lookAt(now, "a")
		b.lookAt(now.Add(readEvery-time.Second), many...)
		for _, node := range append(many, "a") {
			got, _ := b.Look(node, now)
			if diff := cmp.Diff([]string{"pod " + pod, "pod web", "budget " + budget}, names(got)); diff != "" {
				t.Errorf("read of %s (-want +got):\n%s", node, diff)
			}
		}
	}
	b.answer(otherPath, budgets())
	for period := 1; period <= 3; period++ {
		read(start.Add(time.Duration(period)*readEvery), fmt.Sprintf("db-%d", period), fmt.Sprintf("budget-%d", period))
		asked := b.requests()
		got := map[string]int{podsPath: asked[podsPath], budgetsPath: asked[budgetsPath], otherPath: asked[otherPath]}
		want := map[string]int{podsPath: 10 * period, budgetsPath: period, otherPath: period}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("requests after %d periods (-want +got):\n%s", period, diff)
		}
	}
	b.wantKept("with two namespaces", "other", "shop")
	b.answer(podsPath, pods(builders.Pod("shop", "db-0")))
	b.lookAt(start.Add(5*readEvery), "a")
	b.wantKept("with one that is left", "shop")
	for _, node := range many {
		b.Forget(node)
	}
	b.wantKept("with one node", "shop")
	b.Forget("a")
	b.wantKept("without nodes")
	if _, err := b.budgetsOf(t.Context(), "shop", start.Add(5*readEvery)); err != nil {
		t.Error(err)
	}
	b.wantKept("after a read that was underway")
}

// TestErrorsAreNotShared: the next node asks again.
func TestErrorsAreNotShared(t *testing.T) {
	b := newBench(t)
	b.answer(podsPath, pods(builders.Pod("shop", "db-0")))
	b.answer(budgetsPath, http.StatusServiceUnavailable)
	b.lookAt(start, "a")
	b.answer(budgetsPath, budgets(builders.Budget("shop", "db", nil)))
	b.lookAt(start, "b")
	read, _ := b.Look("b", start)
	if diff := cmp.Diff([]string{"pod db-0", "budget db"}, names(read)); diff != "" {
		t.Errorf("read of another node (-want +got):\n%s", diff)
	}
	if asked := b.requests()[budgetsPath]; asked != 2 {
		t.Errorf("%d lists of budgets", asked)
	}
}

// slowBudgets is a bench in a bubble, whose API server answers lists of budgets when it is let.
func slowBudgets(t *testing.T) (b *bench, let chan struct{}) {
	t.Helper()
	b, let = &bench{}, make(chan struct{})
	b.run(t, &rest.Config{Host: "http://api.example.com", QPS: -1, Transport: roundTripper(func(request *http.Request) (*http.Response, error) {
		recorder := httptest.NewRecorder()
		b.ServeHTTP(recorder, request)
		if request.URL.Path == budgetsPath {
			select {
			case <-let:
			case <-request.Context().Done():
				return nil, request.Context().Err()
			}
		}
		return recorder.Result(), nil
	})})
	b.answer(podsPath, pods(builders.Pod("shop", "db-0")))
	b.answer(budgetsPath, budgets(builders.Budget("shop", "db", nil)))
	return b, let
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip is part of http.RoundTripper.
func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	return r(request)
}

// TestWorkersShareARequest: who needs budgets that are just being read waits for them.
func TestWorkersShareARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, let := slowBudgets(t)
		nodes := []string{"a", "b", "c", "d"}
		for _, node := range nodes {
			b.Look(node, start)
		}
		synctest.Wait()
		if asked := b.requests(); asked[podsPath] != workers || asked[budgetsPath] != 1 {
			t.Errorf("requests of %d workers at once: %v", workers, asked)
		}
		close(let)
		b.lookAt(start, nodes...)
		for _, node := range nodes {
			read, _ := b.Look(node, start)
			if diff := cmp.Diff([]string{"pod db-0", "budget db"}, names(read)); diff != "" {
				t.Errorf("read of %s (-want +got):\n%s", node, diff)
			}
		}
		if asked := b.requests()[budgetsPath]; asked != 1 {
			t.Errorf("%d lists of budgets", asked)
		}
	})
}

// TestWaitingForAnotherNodeIsBounded: a node's time is over when it is over, whoever else still waits for an answer.
func TestWaitingForAnotherNodeIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := slowBudgets(t)
		b.Look("a", start)
		synctest.Wait()
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := b.budgetsOf(ctx, "shop", start)
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
			t.Errorf("waited for %s: %v", took, err)
		}
	})
}
