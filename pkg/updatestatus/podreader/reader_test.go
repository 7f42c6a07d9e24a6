package podreader

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// bench is a Reader that runs, and the API server that it reads from.
type bench struct {
	*Reader

	t       *testing.T
	changed chan struct{}
	clock   *clocktesting.FakePassiveClock

	lock      sync.Mutex
	update    ledger.Update
	chooseErr error
	// rows are cells of pods by namespace, pageSize how many the server sends at once, and pods those in full by name.
	rows     map[string][]string
	pageSize int
	pods     map[string]*corev1.Pod
	isDenied bool
	queries  []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{
		t: t, changed: make(chan struct{}, 10), clock: clocktesting.NewFakePassiveClock(start), pageSize: 100,
		update: ledger.Update{Known: true, Unfinished: true}, rows: map[string][]string{}, pods: map[string]*corev1.Pod{},
	}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	b.Reader = New(Input{
		Kube:  kubernetes.NewForConfigOrDie(&rest.Config{Host: server.URL, QPS: -1}),
		Clock: b.clock, Update: func() ledger.Update { return b.update }, Choose: b.choose,
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { b.Run(ctx, func() { b.changed <- struct{}{} }) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return b
}

func (b *bench) choose(_ context.Context, wanted []podstate.Wanted) ([]podstate.Wanted, podstate.Away, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return wanted[:min(1, len(wanted))], podstate.Away{"away": "worker"}, b.chooseErr
}

// ServeHTTP is part of http.Handler.
func (b *bench) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	b.lock.Lock()
	defer b.lock.Unlock()
	query := request.URL.Query()
	b.queries = append(b.queries, request.URL.Path+" "+request.URL.RawQuery)
	w.Header().Set("Content-Type", "application/json")
	namespace := strings.Split(request.URL.Path, "/")[4]
	switch {
	case b.isDenied:
		w.WriteHeader(http.StatusForbidden)
	case strings.Contains(request.Header.Get("Accept"), "as=Table"):
		if query.Get("includeObject") != "None" {
			b.t.Error("a table with objects")
		}
		_ = json.NewEncoder(w).Encode(b.table(namespace, query.Get("continue")))
	default:
		list := corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}}
		for name, pod := range b.pods {
			if query.Get("fieldSelector") == "metadata.name="+name || query.Get("labelSelector") != "" && query.Get("labelSelector") == "app="+pod.Labels["app"] ||
				query.Get("labelSelector") == podstate.RetrievalSelector {
				list.Items = append(list.Items, *pod)
			}
		}
		_ = json.NewEncoder(w).Encode(list)
	}
}

// table returns a page of rows.
func (b *bench) table(namespace, after string) metav1.Table {
	table := metav1.Table{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "Table"}}
	for _, column := range []string{"Name", "Ready", "Status", "Restarts", "Age", "IP", "Node"} {
		table.ColumnDefinitions = append(table.ColumnDefinitions, metav1.TableColumnDefinition{Name: column})
	}
	rows := b.rows[namespace]
	if after != "" {
		rows = rows[b.pageSize:]
	} else if len(rows) > b.pageSize {
		rows, table.Continue = rows[:b.pageSize], "more"
	}
	for _, row := range rows {
		cells := strings.Fields(row)
		table.Rows = append(table.Rows, metav1.TableRow{Cells: []any{cells[0], cells[1], cells[2], 0, cells[3], "<none>", cells[4]}})
	}
	return table
}

// set changes what the API server has.
func (b *bench) set(change func()) {
	b.lock.Lock()
	defer b.lock.Unlock()
	change()
}

// asked returns the requests since the last call.
func (b *bench) asked() []string {
	b.lock.Lock()
	defer b.lock.Unlock()
	asked := b.queries
	b.queries = nil
	return asked
}

// add adds a pod, of which a container waits.
func (b *bench) add(name, reason string, since time.Duration) {
	b.set(func() {
		b.rows["openshift-etcd"] = append(b.rows["openshift-etcd"], name+" 0/1 "+reason+" 1h a")
		b.pods[name] = &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "openshift-etcd", Name: name, Labels: map[string]string{"app": name}},
			Spec:       corev1.PodSpec{NodeName: "a"},
			Status: corev1.PodStatus{
				Phase:             corev1.PodPending,
				Conditions:        []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(start.Add(-since))}},
				ContainerStatuses: []corev1.ContainerStatus{{Name: "main", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}}},
			},
		}
	})
}

var etcd = []podstate.Wanted{{Operator: "etcd", Namespaces: []string{"openshift-etcd"}}, {Operator: "dns", Namespaces: []string{"openshift-dns"}}}

// worst returns the name of a worst pod, "-" if there is none, and the namespace that could not be read.
func worst(pods map[string]*assess.Pods, operator string) string {
	switch of := pods[operator]; {
	case of == nil:
		return "not read"
	case of.Unread != "":
		return "unread " + of.Unread
	case of.Worst == nil:
		return "-"
	default:
		return of.Worst.Name
	}
}

// readAt requests a read and waits until its result is there.
func (b *bench) readAt(now time.Time) string {
	b.t.Helper()
	b.clock.SetTime(now)
	b.Pods(etcd, now)
	<-b.changed
	pods, again := b.Pods(etcd, now)
	if again != now.Add(time.Minute) {
		b.t.Errorf("again at %v", again)
	}
	return worst(pods, "etcd")
}

func TestReader(t *testing.T) {
	b := newBench(t)
	b.add("young", "ContainerCreating", time.Minute)
	b.add("stuck", "ContainerCreating", time.Hour)
	b.set(func() {
		b.pageSize = 1
		b.rows["openshift-etcd"] = append(b.rows["openshift-etcd"][:2:2], "lost 0/1 ErrImagePull 1h away")
		b.pageSize = 2
	})
	if got := b.readAt(start); got != "stuck" {
		t.Errorf("read %s", got)
	}
	asked := b.asked()
	if len(asked) != 4 || !strings.Contains(asked[1], "continue=more") || !strings.Contains(asked[2], "young") || !strings.Contains(asked[3], "stuck") {
		t.Errorf("asked %q", asked)
	}
	if pods, _ := b.Pods(etcd, start.Add(59*time.Second)); worst(pods, "dns") != "not read" || len(b.asked()) > 0 {
		t.Error("read within a minute, or an operator that was not chosen")
	}
	b.add("broken", "ErrImagePull", time.Second)
	if got := b.readAt(start.Add(time.Minute)); got != "broken" {
		t.Errorf("read %s", got)
	}
	b.set(func() { clear(b.rows) })
	if got := b.readAt(start.Add(2 * time.Minute)); got != "-" {
		t.Errorf("read %s", got)
	}
}

// TestReplaced: of a pod that has failed, those of the same labels are read.
func TestReplaced(t *testing.T) {
	b := newBench(t)
	b.add("installer-7-a", "Error", time.Hour)
	b.set(func() { b.pods["installer-7-a"].Status.Phase = corev1.PodFailed })
	if got := b.readAt(start); got != "installer-7-a" {
		t.Errorf("read %s", got)
	}
	b.set(func() {
		retry := b.pods["installer-7-a"].DeepCopy()
		owner := []metav1.OwnerReference{{UID: "revision-7"}}
		retry.Name, retry.CreationTimestamp, retry.Status.Phase, retry.OwnerReferences = "retry", metav1.NewTime(start), corev1.PodSucceeded, owner
		b.pods["retry"], b.pods["installer-7-a"].OwnerReferences = retry, owner
	})
	if got := b.readAt(start.Add(time.Minute)); got != "-" {
		t.Errorf("read %s", got)
	}
}

// TestFailures: a few failed reads change nothing, more make the pods unknown, and a read of which nothing was known before does so at once.
func TestFailures(t *testing.T) {
	b := newBench(t)
	b.add("broken", "ErrImagePull", time.Minute)
	b.readAt(start)
	b.set(func() { b.isDenied = true })
	for failed := range failureThreshold - 1 {
		b.read(t.Context())
		if pods, _ := b.Pods(etcd, start); worst(pods, "etcd") != "broken" {
			t.Errorf("after %d failures: %s", failed+1, worst(pods, "etcd"))
		}
	}
	b.read(t.Context())
	if pods, _ := b.Pods(etcd, start); worst(pods, "etcd") != "unread openshift-etcd" {
		t.Errorf("after some failures: %s", worst(pods, "etcd"))
	}
	b.Pods(nil, start)
	if got := b.readAt(start.Add(time.Minute)); got != "unread openshift-etcd" {
		t.Errorf("at first: %s", got)
	}
}

// TestNothingToRead: without an update, an operator or a choice no pod is read.
func TestNothingToRead(t *testing.T) {
	for name, set := range map[string]func(*bench){
		"no update":             func(b *bench) { b.update.Unfinished = false },
		"the update is unknown": func(b *bench) { b.update.Known = false },
	} {
		b := newBench(t)
		set(b)
		if pods, again := b.Pods(etcd, start); pods != nil || !again.IsZero() || len(b.requests) > 0 {
			t.Errorf("%s: %v, again at %v", name, pods, again)
		}
	}
	b := newBench(t)
	b.set(func() { b.chooseErr = errors.New("no report") })
	b.wanted = etcd
	if b.read(t.Context()) || len(b.asked()) > 0 {
		t.Error("read without a choice")
	}
	b.set(func() { b.chooseErr = nil })
	b.wanted = nil
	if b.read(t.Context()) {
		t.Error("a result of operators that are not wanted any more")
	}
}

func TestRetrieval(t *testing.T) {
	b := newBench(t)
	b.add("version-4.20.2-a", "ErrImagePull", time.Minute)
	b.set(func() {
		b.pods["version-4.20.2-a"].Namespace = podstate.VersionNamespace
		b.pods["version-4.20.2-a"].Labels = map[string]string{"k8s-app": "retrieve-openshift-release"}
	})
	request := Request{Wanted: podstate.Wanted{Operator: podstate.ReleaseRetrieval}}
	if got, err := Read(t.Context(), b.Kube, request, start); err != nil || got == nil || got.State != "ErrImagePull" || got.Name != "" {
		t.Errorf("%+v, %v", got, err)
	}
	b.set(func() { b.isDenied = true })
	if got, err := Read(t.Context(), b.Kube, request, start); err == nil {
		t.Errorf("%+v", got)
	}
}
