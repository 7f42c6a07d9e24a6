package controller

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
)

// reads returns how often the object was read, and forgets it.
func (b *bench) reads() int {
	count := 0
	for _, action := range b.client.Actions() {
		if action.GetVerb() == "get" {
			count++
		}
	}
	b.client.ClearActions()
	return count
}

// TestReadsOnlyWhatOthersHaveWritten: the content of the object does not come back with the controller's own writes.
func TestReadsOnlyWhatOthersHaveWritten(t *testing.T) {
	b := settled(t)
	object := b.look()
	pass := func() {
		t.Helper()
		b.clock.SetTime(b.clock.Now().Add(time.Hour))
		b.client.ClearActions()
		b.keep(0)
	}
	for _, text := range []string{"two", "three"} {
		b.say(message("a", text))
		pass()
		b.clock.SetTime(b.clock.Now().Add(time.Hour))
		b.keep(0) // the cache is behind
		if read := b.reads(); read != 0 {
			t.Errorf("read %d times for an own write", read)
		}
		object = b.look()
		built := b.built.Load()
		pass()
		if read := b.reads(); read != 0 || b.built.Load() != built {
			t.Errorf("the own write was looked at: read %d times", read)
		}
	}

	object.Labels = map[string]string{"some": "label"}
	object.ResourceVersion = "77"
	if err := b.client.Tracker().Update(updateStatuses, object, ""); err != nil {
		t.Fatal(err)
	}
	b.look()
	pass()
	if read := b.reads(); read != 1 {
		t.Errorf("read %d times what somebody else wrote", read)
	}
}

// TestReadsAfterAConflict: the cache may be behind what somebody else wrote.
func TestReadsAfterAConflict(t *testing.T) {
	b := settled(t)
	seen := b.look()
	conflicts := true
	b.client.PrependReactor("update", "updatestatuses", func(clienttesting.Action) (bool, runtime.Object, error) {
		if !conflicts {
			return false, nil, nil
		}
		conflicts = false
		return true, nil, apierrors.NewConflict(updatev1alpha1.Resource("updatestatuses"), "cluster", errors.New("changed"))
	})
	others := seen.DeepCopy()
	others.ResourceVersion = "77"
	if err := b.client.Tracker().Update(updateStatuses, others, ""); err != nil {
		t.Fatal(err)
	}
	b.say(message("a", "two"))
	if _, err := b.Controller.keep(t.Context()); !apierrors.IsConflict(err) {
		t.Fatalf("error %v", err)
	}
	b.clock.SetTime(b.clock.Now().Add(time.Minute))
	var sent string
	b.client.PrependReactor("update", "updatestatuses", func(action clienttesting.Action) (bool, runtime.Object, error) {
		sent = action.(clienttesting.UpdateAction).GetObject().(*updatev1alpha1.UpdateStatus).ResourceVersion
		return false, nil, nil
	})
	b.keep(0)
	if sent != "77" {
		t.Errorf("written from version %s", sent)
	}
}

// TestPutStatus is what goes over the wire, and what comes back.
func TestPutStatus(t *testing.T) {
	type request struct{ Method, Path, Content, Accept, Body string }
	var got request
	answer, code := any(nil), http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = request{r.Method, r.URL.Path, r.Header.Get("Content-Type"), r.Header.Get("Accept"), string(body)}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	client, err := updateclient.NewForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	put := NewPutStatus(client.UpdateV1alpha1().RESTClient())

	answer = map[string]any{
		"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": map[string]any{"resourceVersion": "8"},
	}
	written, err := put(t.Context(), "cluster", []byte(`{"status":{}}`))
	if err != nil || written.ResourceVersion != "8" {
		t.Errorf("wrote %v, error %v", written, err)
	}
	want := request{
		http.MethodPut, "/apis/update.openshift.io/v1alpha1/updatestatuses/cluster/status",
		"application/json", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", `{"status":{}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}

	answer, code = apierrors.NewConflict(updatev1alpha1.Resource("updatestatuses"), "cluster", errors.New("it was changed")).Status(), http.StatusConflict
	if _, err := put(t.Context(), "cluster", nil); !apierrors.IsConflict(err) {
		t.Errorf("a conflict is %v", err)
	}
	answer, code = "no metadata", http.StatusOK
	if _, err := put(t.Context(), "cluster", nil); err == nil {
		t.Error("an answer that is no metadata is taken")
	}
}

// TestNoAnswer: an API server that takes a request and does not answer it is asked again.
func TestNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := &object{put: func(ctx context.Context, _ string, _ []byte) (*metav1.PartialObjectMetadata, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		began := time.Now()
		err := silent.write(t.Context(), &updatev1alpha1.UpdateStatus{}, content{})
		if waited := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || waited != answerTimeout {
			t.Errorf("after %s: %v", waited, err)
		}
	})
}
