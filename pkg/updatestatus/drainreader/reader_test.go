package drainreader

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// bench is a Reader that runs, and the API server that it reads from.
type bench struct {
	*Reader

	t       *testing.T
	changed chan struct{}
	// wanted are the nodes that are read.
	wanted []string

	lock sync.Mutex
	// answers are the responses of the API server by path: an object, text, or a status code. Others are not found.
	answers map[string]any
	asked   map[string]int
	queries []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	b.run(t, &rest.Config{Host: server.URL, QPS: -1})
	return b
}

// run has the Reader run until the end of the test.
func (b *bench) run(t *testing.T, config *rest.Config) {
	t.Helper()
	b.t, b.changed, b.answers, b.asked = t, make(chan struct{}, 10), map[string]any{}, map[string]int{}
	b.Reader = New(kubernetes.NewForConfigOrDie(config))
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { b.Run(ctx, func() { b.changed <- struct{}{} }) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
}

// ServeHTTP is part of http.Handler.
func (b *bench) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.asked[request.URL.Path]++
	b.queries = append(b.queries, request.URL.RawQuery)
	answer, found := b.answers[request.URL.Path]
	w.Header().Set("Content-Type", "application/json")
	switch answer := answer.(type) {
	case int:
		w.WriteHeader(answer)
		return
	case string:
		_, _ = w.Write([]byte(answer))
		return
	}
	if !found {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		b.t.Error(err)
	}
}

func (b *bench) answer(path string, object any) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.answers[path] = object
}

func (b *bench) requests() map[string]int {
	b.lock.Lock()
	defer b.lock.Unlock()
	return maps.Clone(b.asked)
}

// blockers wants a node, and returns what was last read of it and when to call again.
func (b *bench) blockers(node string, now time.Time) (*drain.Blockers, time.Time) {
	if !slices.Contains(b.wanted, node) {
		b.wanted = append(b.wanted, node)
	}
	read, again := b.Blockers(b.wanted, now)
	return read[node], again
}

// forget wants a node no longer.
func (b *bench) forget(node string, now time.Time) {
	b.wanted = slices.DeleteFunc(b.wanted, func(wanted string) bool { return wanted == node })
	b.Blockers(b.wanted, now)
}

// readNode waits until node a has been read.
func (b *bench) readNode(now time.Time) *drain.Blockers {
	b.t.Helper()
	b.blockers("a", now)
	<-b.changed
	read, again := b.blockers("a", now)
	if !again.Equal(now.Add(time.Minute)) {
		b.t.Errorf("next call at %s", again)
	}
	return read
}

const (
	podsPath    = "/api/v1/pods"
	budgetsPath = "/apis/policy/v1/namespaces/shop/poddisruptionbudgets"
	otherPath   = "/apis/policy/v1/namespaces/other/poddisruptionbudgets"
)

func pods(list ...*corev1.Pod) *corev1.PodList {
	made := &corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}}
	for _, pod := range list {
		made.Items = append(made.Items, *pod)
	}
	return made
}

func budgets(list ...*policyv1.PodDisruptionBudget) *policyv1.PodDisruptionBudgetList {
	made := &policyv1.PodDisruptionBudgetList{TypeMeta: metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudgetList"}}
	for _, budget := range list {
		made.Items = append(made.Items, *budget)
	}
	return made
}

func names(read *drain.Blockers) (found []string) {
	for _, pod := range read.Pods {
		found = append(found, "pod "+pod.Name)
	}
	for _, budget := range read.Budgets {
		found = append(found, "budget "+budget.Name)
	}
	if read.Unread != "" {
		found = append(found, read.Unread)
	}
	return found
}

// TestRequests expects nothing before the first call, one request for each kind and namespace then, and the next ones after
// a minute.
func TestRequests(t *testing.T) {
	b := newBench(t)
	b.answer(podsPath, pods(builders.Pod("shop", "db-0"), builders.Pod("shop", "db-1"), builders.Pod("other", "web"),
		builders.Pod("openshift-dns", "dns", builders.OwnedBy("apps/v1", "DaemonSet", "dns"))))
	b.answer(budgetsPath, budgets(builders.Budget("shop", "db", nil)))
	b.answer(otherPath, budgets())
	if asked := b.requests(); len(asked) > 0 {
		t.Errorf("requests before the first call: %v", asked)
	}
	want := []string{"pod db-0", "pod db-1", "pod web", "budget db"}
	if diff := cmp.Diff(want, names(b.readNode(start))); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	for _, after := range []time.Duration{time.Second, 59 * time.Second} {
		if _, again := b.blockers("a", start.Add(after)); !again.Equal(start.Add(time.Minute)) {
			t.Errorf("requested again after %s: next call at %s", after, again)
		}
	}
	once := map[string]int{podsPath: 1, budgetsPath: 1, otherPath: 1}
	if diff := cmp.Diff(once, b.requests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if !slices.Contains(b.queries, "fieldSelector=spec.nodeName%3Da&resourceVersion=0") {
		t.Errorf("queries %q", b.queries)
	}
	b.answer(podsPath, pods(builders.Pod("shop", "db-1")))
	if diff := cmp.Diff([]string{"pod db-1", "budget db"}, names(b.readNode(start.Add(time.Minute)))); diff != "" {
		t.Errorf("read after a minute (-want +got):\n%s", diff)
	}
}

func TestForget(t *testing.T) {
	b := newBench(t)
	b.answer(podsPath, pods())
	b.readNode(start)
	b.forget("a", start)
	if read, _ := b.blockers("a", start.Add(time.Second)); read != nil {
		t.Errorf("read %v", names(read))
	}
}

// TestUnreadReasons expects the same words for similar errors.
func TestUnreadReasons(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer any
		want   string
	}{
		{name: "forbidden", answer: http.StatusForbidden, want: "the controller is not allowed to read Pods or PodDisruptionBudgets"},
		{name: "invalid", answer: "{", want: "no valid response from the API server"},
		{name: "another kind", answer: &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Reason: "x"}, want: "no valid response from the API server"},
		{name: "unavailable", answer: http.StatusServiceUnavailable, want: "the API server returned ServiceUnavailable"},
		{name: "too large", answer: strings.Repeat(" ", maxResponse+1), want: "the response is too large"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			b.answer(podsPath, test.answer)
			if diff := cmp.Diff([]string{test.want}, names(b.readNode(start))); diff != "" {
				t.Errorf("pods (-want +got):\n%s", diff)
			}
			b.answer(podsPath, pods(builders.Pod("shop", "db-0")))
			b.answer(budgetsPath, test.answer)
			b.forget("a", start)
			if diff := cmp.Diff([]string{test.want}, names(b.readNode(start.Add(time.Minute)))); diff != "" {
				t.Errorf("budgets (-want +got):\n%s", diff)
			}
		})
	}
}

// TestReadFailures drops the last result after three failures in a row.
func TestReadFailures(t *testing.T) {
	r := New(nil)
	r.Blockers([]string{"a"}, start)
	good, bad := readResult{blockers: &drain.Blockers{}}, readResult{blockers: &drain.Blockers{Unread: "busy"}, err: errTooLarge}
	for at, step := range []struct {
		result  readResult
		changed bool
	}{
		{result: bad, changed: true},
		{result: bad, changed: false},
		{result: good, changed: true},
		{result: good, changed: false},
		{result: bad, changed: false},
		{result: bad, changed: false},
		{result: good, changed: false},
		{result: bad, changed: false},
		{result: bad, changed: false},
		{result: bad, changed: true},
	} {
		if changed := r.record(t.Context(), "a", step.result); changed != step.changed {
			t.Errorf("step %d: changed %t, want %t", at, changed, step.changed)
		}
	}
	if r.record(t.Context(), "forgotten", good) {
		t.Error("a forgotten node has changed")
	}
}

// TestNamespacesAreBounded uses a node with pods in more than maxNamespaces.
func TestNamespacesAreBounded(t *testing.T) {
	b := newBench(t)
	var many []*corev1.Pod
	for at := range maxNamespaces + 5 {
		namespace := "ns-" + string(rune('a'+at/26)) + string(rune('a'+at%26))
		many = append(many, builders.Pod(namespace, "pod"))
		b.answer("/apis/policy/v1/namespaces/"+namespace+"/poddisruptionbudgets", budgets())
	}
	b.answer(podsPath, pods(many...))
	b.readNode(start)
	if asked := b.requests(); len(asked) != maxNamespaces+1 {
		t.Errorf("%d requests", len(asked))
	}
}
