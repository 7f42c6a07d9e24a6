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

	machineconfigclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"

	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/test/builders"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// bench is a Reader that runs, and the API server that it reads from.
type bench struct {
	*Reader

	t       *testing.T
	changed chan string

	lock sync.Mutex
	// answers are what the API server has, by path. What is not there is not found.
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
	b.t, b.changed, b.answers, b.asked = t, make(chan string, 10), map[string]any{}, map[string]int{}
	b.Reader = New(kubernetes.NewForConfigOrDie(config), machineconfigclient.NewForConfigOrDie(config))
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { b.Run(ctx, func(node string) { b.changed <- node }) })
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

// look looks at a node until it was read.
func (b *bench) look(now time.Time) *assess.Blockers {
	b.t.Helper()
	b.Look("a", now)
	if node := <-b.changed; node != "a" {
		b.t.Errorf("%s has changed", node)
	}
	read, again := b.Look("a", now)
	if !again.Equal(now.Add(time.Minute)) {
		b.t.Errorf("look again at %s", again)
	}
	return read
}

const (
	podsPath    = "/api/v1/pods"
	budgetsPath = "/apis/policy/v1/namespaces/shop/poddisruptionbudgets"
	otherPath   = "/apis/policy/v1/namespaces/other/poddisruptionbudgets"
	toldPath    = "/apis/machineconfiguration.openshift.io/v1/machineconfignodes/a"
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

func names(read *assess.Blockers) (found []string) {
	for _, pod := range read.Pods {
		found = append(found, "pod "+pod.Name)
	}
	for _, budget := range read.Budgets {
		found = append(found, "budget "+budget.Name)
	}
	if read.MachineConfigNode != nil {
		found = append(found, "told")
	}
	if read.Unread != "" {
		found = append(found, read.Unread)
	}
	return found
}

// TestReads: the pods that the drain waits for, the budgets of their namespaces alone and each once, and nothing at all of a
// node that nobody looks for; again not before a minute has passed.
func TestReads(t *testing.T) {
	b := newBench(t)
	b.answer(podsPath, pods(builders.Pod("shop", "db-0"), builders.Pod("shop", "db-1"), builders.Pod("other", "web"),
		builders.Pod("openshift-dns", "dns", builders.OwnedBy("apps/v1", "DaemonSet", "dns"))))
	b.answer(budgetsPath, budgets(builders.Budget("shop", "db", nil)))
	b.answer(otherPath, budgets())
	b.answer(toldPath, builders.MachineConfigNode("a", "new"))
	if asked := b.requests(); len(asked) > 0 {
		t.Errorf("asked for %v before anybody looked", asked)
	}
	want := []string{"pod db-0", "pod db-1", "pod web", "budget db", "told"}
	if diff := cmp.Diff(want, names(b.look(start))); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	for _, after := range []time.Duration{time.Second, 59 * time.Second} {
		if _, again := b.Look("a", start.Add(after)); !again.Equal(start.Add(time.Minute)) {
			t.Errorf("asked anew after %s: look again at %s", after, again)
		}
	}
	once := map[string]int{podsPath: 1, budgetsPath: 1, otherPath: 1, toldPath: 1}
	if diff := cmp.Diff(once, b.requests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if !slices.Contains(b.queries, "fieldSelector=spec.nodeName%3Da&resourceVersion=0") {
		t.Errorf("queries %q", b.queries)
	}
	b.answer(podsPath, pods(builders.Pod("shop", "db-1")))
	if diff := cmp.Diff([]string{"pod db-1", "budget db", "told"}, names(b.look(start.Add(time.Minute)))); diff != "" {
		t.Errorf("read after a minute (-want +got):\n%s", diff)
	}
}

// TestForgets: what was read of a node is gone with the interest in it.
func TestForgets(t *testing.T) {
	b := newBench(t)
	b.answer(podsPath, pods())
	b.look(start)
	b.Forget("a")
	if read, _ := b.Look("a", start.Add(time.Second)); read != nil {
		t.Errorf("read %v", names(read))
	}
}

// TestUnread: an answer that can't be had is told in words that are the same each time; one now and then is passed over, and
// the MachineConfigNode is told all the same.
func TestUnread(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer any
		want   string
	}{
		{"forbidden", http.StatusForbidden, "the controller may not read Pods or PodDisruptionBudgets"},
		{"not valid", "{", "the API server gives no answer"},
		{"an error", &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Reason: "x"}, "the API server gives no answer"},
		{"busy", http.StatusServiceUnavailable, "the API server answers with ServiceUnavailable"},
		{"too large", strings.Repeat(" ", maxAnswer+1), "the answer is too large"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			b.answer(toldPath, builders.MachineConfigNode("a", "new"))
			b.answer(podsPath, test.answer)
			if diff := cmp.Diff([]string{"told", test.want}, names(b.look(start))); diff != "" {
				t.Errorf("pods (-want +got):\n%s", diff)
			}
			b.answer(podsPath, pods(builders.Pod("shop", "db-0")))
			b.answer(budgetsPath, test.answer)
			b.Forget("a")
			if diff := cmp.Diff([]string{"told", test.want}, names(b.look(start.Add(time.Minute)))); diff != "" {
				t.Errorf("budgets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHiccups(t *testing.T) {
	r := New(nil, nil)
	r.Look("a", start)
	good, bad := answer{read: &assess.Blockers{}}, answer{read: &assess.Blockers{Unread: "busy"}, err: errTooLarge}
	for at, step := range []struct {
		answer answer
		news   bool
	}{
		{bad, true},
		{bad, false},
		{good, true},
		{good, false},
		{bad, false},
		{bad, false},
		{good, false},
		{bad, false},
		{bad, false},
		{bad, true},
	} {
		if news := r.keep(t.Context(), "a", step.answer); news != step.news {
			t.Errorf("step %d is news: %t", at, news)
		}
	}
	if r.keep(t.Context(), "forgotten", good) {
		t.Error("a node that is forgotten is news")
	}
}

// TestManyNamespaces: the lists of budgets for a node are bounded.
func TestManyNamespaces(t *testing.T) {
	b := newBench(t)
	var many []*corev1.Pod
	for at := range maxNamespaces + 5 {
		namespace := "ns-" + string(rune('a'+at/26)) + string(rune('a'+at%26))
		many = append(many, builders.Pod(namespace, "pod"))
		b.answer("/apis/policy/v1/namespaces/"+namespace+"/poddisruptionbudgets", budgets())
	}
	b.answer(podsPath, pods(many...))
	b.look(start)
	if asked := b.requests(); len(asked) != maxNamespaces+2 {
		t.Errorf("%d requests", len(asked))
	}
}

// TestMachineConfigNodeNowAndThen: what it said last counts for as long as it fails to be read now and then.
func TestMachineConfigNodeNowAndThen(t *testing.T) {
	r := New(nil, nil)
	r.Look("a", start)
	good := func() answer {
		return answer{read: &assess.Blockers{MachineConfigNode: builders.MachineConfigNode("a", "new")}}
	}
	bad := func() answer { return answer{read: &assess.Blockers{}, told: errTooLarge} }
	for at, step := range []struct {
		answer answer
		news   bool
	}{
		{bad(), true},
		{good(), true},
		{bad(), false},
		{bad(), false},
		{good(), false},
		{bad(), false},
		{bad(), false},
		{bad(), true},
		{good(), true},
	} {
		if news := r.keep(t.Context(), "a", step.answer); news != step.news {
			t.Errorf("step %d is news: %t", at, news)
		}
	}
}
