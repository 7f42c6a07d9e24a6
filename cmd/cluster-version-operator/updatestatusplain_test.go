package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	operatorv1alpha1 "github.com/openshift/api/operator/v1alpha1"
)

// TestPlainPaths: what the controller of a hosted cluster serves, and that it is no more.
func TestPlainPaths(t *testing.T) {
	handler := plainHandler()
	for path, want := range map[string]struct {
		code int
		body string
	}{
		"/metrics":      {http.StatusOK, "process_cpu_seconds_total"},
		"/healthz":      {http.StatusOK, "ok"},
		"/readyz":       {http.StatusOK, "ok"},
		"/":             {http.StatusNotFound, ""},
		"/debug/pprof/": {http.StatusNotFound, ""},
	} {
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if response.Code != want.code || !strings.Contains(response.Body.String(), want.body) {
			t.Errorf("%s: %d, want %d with %q", path, response.Code, want.code, want.body)
		}
	}
}

// TestServePlain: it serves until the context ends, and an address in use is an error.
func TestServePlain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	address := freeAddress(t)
	if err := servePlain(ctx, cancel, address); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/healthz", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil || string(content) != "ok" {
		t.Errorf("/healthz is %q, %v", content, err)
	}
	const want = "serving metrics and probes at the address of --listen: "
	if err := servePlain(ctx, cancel, address); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the second one got the error %v", err)
	}
}

func TestServeNothing(t *testing.T) {
	if err := servePlain(t.Context(), func() { t.Error("it ended") }, ""); err != nil {
		t.Error(err)
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// TestServeWithoutPort: library-go panics without a port.
func TestServeWithoutPort(t *testing.T) {
	file := &operatorv1alpha1.GenericOperatorConfig{}
	file.ServingInfo.BindAddress = "127.0.0.1:0"
	err := endpoint{file: file}.serve(t.Context(), func() {})
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1:0, has no port: set one with --listen") {
		t.Error(err)
	}
}
