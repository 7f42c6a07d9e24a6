package publish

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/fake"
	"github.com/openshift/cluster-version-operator/test/updatestatus/fakeapi"
)

// TestPut compares the request, and decodes responses.
func TestPut(t *testing.T) {
	type request struct{ Method, Path, Content, Accept, Body string }
	var got request
	response, code := any(nil), http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = request{r.Method, r.URL.Path, r.Header.Get("Content-Type"), r.Header.Get("Accept"), string(body)}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		if err := json.NewEncoder(w).Encode(response); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	client, err := updateclient.NewForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	put := Standalone(client.UpdateV1alpha1().RESTClient()).Statuses.Put

	response = map[string]any{
		"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": map[string]any{"resourceVersion": "8", "managedFields": []any{map[string]any{"manager": "m"}}},
	}
	stored, err := put(t.Context(), "cluster", []byte(`{"status":{}}`))
	if err != nil || stored.ResourceVersion != "8" || len(stored.ManagedFields) > 0 {
		t.Errorf("stored %v, error %v", stored, err)
	}
	want := request{
		http.MethodPut, "/apis/update.openshift.io/v1alpha1/updatestatuses/cluster/status",
		"application/json", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", `{"status":{}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}

	response, code = apierrors.NewConflict(updatev1alpha1.Resource("updatestatuses"), "cluster", errors.New("it was changed")).Status(), http.StatusConflict
	if _, err := put(t.Context(), "cluster", nil); !apierrors.IsConflict(err) {
		t.Errorf("a conflict is %v", err)
	}
	response, code = "no metadata", http.StatusOK
	if _, err := put(t.Context(), "cluster", nil); err == nil {
		t.Error("a response without metadata is accepted")
	}
}

// hanging is an API server that does not respond.
type hanging struct{}

// RoundTrip is part of http.RoundTripper.
func (hanging) RoundTrip(request *http.Request) (*http.Response, error) {
	<-request.Context().Done()
	return nil, request.Context().Err()
}

// TestRequestTimeouts: each request has a timeout of its own.
func TestRequestTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, err := updateclient.NewForConfigAndClient(&rest.Config{Host: "http://api.example.com"}, &http.Client{Transport: hanging{}})
		if err != nil {
			t.Fatal(err)
		}
		store := Standalone(client.UpdateV1alpha1().RESTClient()).Records
		for name, request := range map[string]func(ctx context.Context) error{
			"get":    func(ctx context.Context) error { _, _, err := store.Get(ctx, "a"); return err },
			"list":   func(ctx context.Context) error { _, err := store.List(ctx); return err },
			"create": func(ctx context.Context) error { _, err := store.Create(ctx, "a"); return err },
			"put": func(ctx context.Context) error {
				return store.PutStatus(ctx, &updatev1alpha1.UpdateRecord{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
			},
			"delete": func(ctx context.Context) error { return store.Delete(ctx, "a") },
		} {
			started := time.Now()
			if err := request(t.Context()); !errors.Is(err, context.DeadlineExceeded) || time.Since(started) != requestTimeout {
				t.Errorf("%s: after %s: %v", name, time.Since(started), err)
			}
		}
	})
}

// TestNotServed: an object that can't be created or listed, since its kind is not served, is told from one that is missing.
func TestNotServed(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	client, err := updateclient.NewForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	store := Standalone(client.UpdateV1alpha1().RESTClient()).Summaries
	if _, _, err := store.Get(t.Context(), "cluster"); !apierrors.IsNotFound(err) || errors.Is(err, errNotServed) {
		t.Errorf("get: %v", err)
	}
	if _, err := store.List(t.Context()); !apierrors.IsNotFound(err) || !errors.Is(err, errNotServed) {
		t.Errorf("list: %v", err)
	}
	if _, _, err := store.GetOrCreate(t.Context(), "cluster"); !apierrors.IsNotFound(err) || !errors.Is(err, errNotServed) {
		t.Errorf("create: %v", err)
	}
}

// TestObjectsOfOthers: labels, annotations and finalizers that others gave an object are not lost when its status is written, and what is
// written is what is read.
func TestObjectsOfOthers(t *testing.T) {
	clientset := fake.NewSimpleClientset()
	store := Standalone(fakeapi.Client(clientset)).Summaries
	theirs := &updatev1alpha1.UpdateStatusSummary{ObjectMeta: metav1.ObjectMeta{
		Name: "cluster", Labels: map[string]string{"a": "b"}, Annotations: map[string]string{"c": "d"}, Finalizers: []string{"example.com/e"},
	}}
	if _, err := clientset.UpdateV1alpha1().UpdateStatusSummaries().Create(t.Context(), theirs, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	object, isNew, err := store.GetOrCreate(t.Context(), "cluster")
	if err != nil || isNew {
		t.Fatalf("new %t, error %v", isNew, err)
	}
	object.Status.WaitingFor = "pool worker"
	if err := store.PutStatus(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	stored, isWhole, err := store.Get(t.Context(), "cluster")
	if err != nil || !isWhole {
		t.Fatal(err)
	}
	want := theirs.DeepCopy()
	want.Status.WaitingFor = "pool worker"
	if diff := cmp.Diff(want.ObjectMeta, stored.ObjectMeta); diff != "" || stored.Status.WaitingFor != "pool worker" {
		t.Errorf("stored %+v, metadata (-want +got):\n%s", stored.Status, diff)
	}
	if err := store.Delete(t.Context(), "cluster"); err != nil {
		t.Error(err)
	}
	if err := store.Delete(t.Context(), "cluster"); err != nil {
		t.Errorf("an object that is gone: %v", err)
	}
}

// TestUndecodable: of an object that another version stored, with fields of another type, what can be decoded is taken; of several none is
// lost, and those that can't be decoded have no content.
func TestUndecodable(t *testing.T) {
	stored := func(name, status string) string {
		return fmt.Sprintf(`{"kind": "UpdateStatusSummary", "metadata": {"name": %q, "uid": "u", "resourceVersion": "7"}, "status": %s}`, name, status)
	}
	changed := `{"waitingFor": {"pool": "worker"}, "startedAt": "2026-03-02T12:00:00Z", "controlPlane": {"completion": "half"}}`
	response := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, response)
	}))
	defer server.Close()
	client, err := updateclient.NewForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	for name, platform := range map[string]Platform{
		"standalone": Standalone(client.UpdateV1alpha1().RESTClient()),
		"hosted":     Hosted(client.UpdateV1alpha1().RESTClient(), Owner{NamespacedName: types.NamespacedName{Namespace: "clusters", Name: "east"}}, updatev1alpha1.ResourceRef{}),
	} {
		response = stored("a", changed)
		object, isWhole, err := platform.Summaries.Get(t.Context(), "a")
		if err != nil || isWhole || object.ResourceVersion != "7" || object.Status.WaitingFor != "" || object.Status.StartedAt == nil {
			t.Errorf("%s: got %+v, whole %t, error %v", name, object, isWhole, err)
		}
		response = `{"items": [` + stored("a", changed) + `, ` + stored("b", `{"waitingFor": "pool worker"}`) + `]}`
		listed, err := platform.Summaries.List(t.Context())
		if err != nil || len(listed) != 2 || listed[0].Name != "a" || listed[0].Status.StartedAt != nil || listed[1].Status.WaitingFor != "pool worker" {
			t.Errorf("%s: listed %+v, error %v", name, listed, err)
		}
		response = stored("a", `{"conditions": "none", "workerPools": [{"name": "worker"}]}`)
		status, isWhole, err := platform.Statuses.Get(t.Context(), "a")
		if err != nil || isWhole || status.ResourceVersion != "7" {
			t.Errorf("%s: got %+v, whole %t, error %v", name, status, isWhole, err)
		}
		for _, response = range []string{"no object", `{"metadata": {"uid": 7}}`} {
			if object, _, err := platform.Statuses.Get(t.Context(), "a"); err == nil {
				t.Errorf("%s: %s is %+v", name, response, object)
			}
		}
	}
}
