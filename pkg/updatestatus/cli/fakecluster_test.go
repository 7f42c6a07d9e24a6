package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

// fakeCluster is an API server with one UpdateStatus, which can be watched.
type fakeCluster struct {
	*httptest.Server

	lock    sync.Mutex
	object  map[string]any
	version int
	// changed is closed at each change.
	changed chan struct{}
	// isAway makes it refuse all requests.
	isAway bool
	// onWatch is called when the first watch has begun.
	onWatch func()
}

func newFakeCluster(t *testing.T, object string) *fakeCluster {
	t.Helper()
	f := &fakeCluster{changed: make(chan struct{})}
	f.set(t, object)
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Server.CloseClientConnections)
	t.Cleanup(f.Server.Close)
	return f
}

func (f *fakeCluster) config() *rest.Config {
	return &rest.Config{Host: f.URL}
}

// set changes the object.
func (f *fakeCluster) set(t *testing.T, object string) {
	t.Helper()
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(object), &fields); err != nil {
		t.Fatal(err)
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	f.version++
	fields["metadata"] = map[string]any{"name": "cluster", "uid": "1", "resourceVersion": fmt.Sprint(f.version)}
	f.object = fields
	f.wake()
}

// setAway makes the server refuse all requests, also those that go on, or not any more.
func (f *fakeCluster) setAway(isAway bool) {
	f.lock.Lock()
	f.isAway = isAway
	f.wake()
	f.lock.Unlock()
	if isAway {
		f.CloseClientConnections()
	}
}

// wake ends the waiting of watches. The caller holds the lock.
func (f *fakeCluster) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fakeCluster) current() (object map[string]any, changed chan struct{}, isAway bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.object, f.changed, f.isAway
}

func (f *fakeCluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	object, _, isAway := f.current()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case isAway:
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.URL.Path == updateStatusPath:
		_ = json.NewEncoder(w).Encode(object)
	case r.URL.Path == summaryPath:
		text, _ := yaml.YAMLToJSON([]byte(confirmedSummary(time.Now())))
		_, _ = w.Write(text)
	case r.URL.Path != strings.TrimSuffix(updateStatusPath, "/cluster"):
		w.WriteHeader(http.StatusNotFound)
	case r.URL.Query().Get("watch") == "":
		_ = json.NewEncoder(w).Encode(map[string]any{
			"apiVersion": "update.openshift.io/v1alpha1", "kind": "UpdateStatusList",
			"metadata": map[string]any{"resourceVersion": "1"}, "items": []any{object},
		})
	default:
		f.watch(w, r)
	}
}

// watch sends the object, the mark that this was all, and each change.
func (f *fakeCluster) watch(w http.ResponseWriter, r *http.Request) {
	kind := "ADDED"
	for {
		object, changed, isAway := f.current()
		if isAway {
			return
		}
		encoder := json.NewEncoder(w)
		_ = encoder.Encode(map[string]any{"type": kind, "object": object})
		if kind == "ADDED" {
			_ = encoder.Encode(map[string]any{"type": "BOOKMARK", "object": map[string]any{
				"apiVersion": "update.openshift.io/v1alpha1", "kind": "UpdateStatus", "metadata": map[string]any{
					"resourceVersion": "1", "annotations": map[string]any{"k8s.io/initial-events-end": "true"},
				},
			}})
		}
		w.(http.Flusher).Flush()
		if kind == "ADDED" && f.onWatch != nil {
			f.onWatch()
		}
		kind = "MODIFIED"
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}
