package redirect_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/redirect"
)

// TestRefuse: a token stays at the API server that it is for, whatever code a redirect to another one has. A redirect to a path is followed.
func TestRefuse(t *testing.T) {
	var received atomic.Pointer[string]
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		token := request.Header.Get("Authorization")
		received.Store(&token)
	}))
	t.Cleanup(elsewhere.Close)
	code, to := http.StatusFound, ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/moved" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"kind": "Node", "apiVersion": "v1", "metadata": {"name": "moved"}}`))
			return
		}
		http.Redirect(w, request, to, code)
	}))
	t.Cleanup(server.Close)
	client, err := dynamic.NewForConfig(redirect.Refuse(&rest.Config{Host: server.URL, BearerToken: "secret"}))
	if err != nil {
		t.Fatal(err)
	}
	nodes := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "nodes"})
	for _, code = range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		to = strings.Replace(elsewhere.URL, "http://", "http://user:password@", 1) + "/api/v1/nodes/a"
		_, err := nodes.Get(t.Context(), "a", metav1.GetOptions{})
		if err == nil || !strings.Contains(err.Error(), "redirects to "+elsewhere.URL+", which would get the credentials") {
			t.Errorf("%d: error %v", code, err)
		}
		to = "/moved"
		if node, err := nodes.Get(t.Context(), "a", metav1.GetOptions{}); err != nil || node.GetName() != "moved" {
			t.Errorf("%d to a path: %v, error %v", code, node, err)
		}
	}
	if token := received.Load(); token != nil {
		t.Errorf("another server received a request with %q", *token)
	}
}
