package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

// writeEndlessly is the handler that calls writeUntilClosed.
func writeEndlessly(w http.ResponseWriter, _ *http.Request) { writeUntilClosed(w) }

// writeUntilClosed writes a JSON string until the client closes the connection, or has read far too much: 1 GiB. It returns how many
// bytes it has written.
func writeUntilClosed(w http.ResponseWriter) int64 {
	w.Header().Set("Content-Type", "application/json")
	_, err := io.WriteString(w, `{"kind": "`)
	written := int64(0)
	for chunk := bytes.Repeat([]byte("a"), 1<<20); err == nil && written < 1<<30; written += int64(len(chunk)) {
		_, err = w.Write(chunk)
	}
	return written
}

const tooLarge = "the API server sends more than 256 MiB at a time"

// runEndless runs the command with an API server that never ends a response to paths with a prefix, of which it may read a little more than
// a bound. It returns the warnings and the error.
func runEndless(t *testing.T, endless string, bound int64) string {
	t.Helper()
	const buffers = 64 << 20 // of the network: what is sent and not yet read, of both ends
	others := handlerOf(map[string]response{clusterVersionPath: objectResponse(t, content(t, recordedCluster+"-cv.yaml"))})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, endless) {
			if written := writeUntilClosed(w); written > min(bound, maxResponses)+buffers {
				t.Errorf("%s: %d MiB were read", r.URL.Path, written>>20)
			}
			return
		}
		others(w, r)
	}))
	t.Cleanup(server.Close)
	streams, _, _, errOut := genericiooptions.NewTestIOStreams()
	o := newOptions(nil, streams)
	o.patience, o.requestTimeout = time.Hour, time.Hour
	from, err := newCluster(bounded(&rest.Config{Host: server.URL}, bound), target{}, o.clock)
	if err != nil {
		t.Fatal(err)
	}
	o.source = from
	return fmt.Sprintln(o.Run(t.Context())) + errOut.String()
}

// TestEndlessResponses checks that an API server that never ends a response is an error or a warning, and that no more of it is
// read than a bound allows, and what the network buffers.
func TestEndlessResponses(t *testing.T) {
	for endless, want := range map[string]string{
		"/":                "reading UpdateStatus/cluster: " + tooLarge,
		clusterVersionPath: "its ClusterVersion can't be read to assess it on the spot: " + tooLarge,
		"/api/v1/nodes":    "unable to read Nodes: " + tooLarge + "\n",
	} {
		if got := runEndless(t, endless, 1<<20); !strings.Contains(got, want) {
			t.Errorf("%s: error and warnings lack %q:\n%s", endless, want, got)
		}
	}
}

// TestLongEndlessResponse checks what the bound of the command is.
func TestLongEndlessResponse(t *testing.T) {
	if got := runEndless(t, "/api/v1/nodes", math.MaxInt64); !strings.Contains(got, tooLarge) {
		t.Errorf("error and warnings lack %q:\n%s", tooLarge, got)
	}
}

// TestBounded checks that the bound is that of all responses that are read at the same time, and that it is not for watches.
func TestBounded(t *testing.T) {
	const bound = 1 << 20
	half := `{"apiVersion": "v1", "kind": "NodeList", "metadata": {"continue": "` + strings.Repeat("a", bound*2/3) + `"}, "items": []}`
	held, release := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, half)
		if r.URL.Path == "/held" {
			w.(http.Flusher).Flush()
			close(held)
			<-release
		}
	}))
	t.Cleanup(server.Close)
	config := bounded(&rest.Config{Host: server.URL}, bound)
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	list := func(step string, want error) {
		t.Helper()
		if _, err := client.Resource(kinds.Nodes.Served()).List(t.Context(), metav1.ListOptions{}); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", step, err, want)
		}
	}
	list("one", nil)
	list("another after it", nil)

	raw, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	request := func(path string) *http.Response {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := raw.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	unfinished := request("/held")
	<-held
	if _, err := io.ReadFull(unfinished.Body, make([]byte, len(half))); err != nil {
		t.Error(err)
	}
	list("one while another is read", errResponsesTooLarge)
	watching := request("/api/v1/nodes?watch=true")
	if _, err := io.Copy(io.Discard, watching.Body); err != nil {
		t.Errorf("a watch: %v", err)
	}
	_ = watching.Body.Close()
	close(release)
	_ = unfinished.Body.Close()
	list("one after all", nil)
}
