package updatestatus

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
)

// onePool is an API server with one MachineConfigPool, which can be spoilt: its CRD takes any number for maxUnavailable, and the
// client's type does not. It needs no network.
type onePool struct {
	mu             sync.Mutex
	maxUnavailable int
	// changed is closed when the pool changes, which ends watches.
	changed chan struct{}
}

// change gives the pool another maxUnavailable.
func (p *onePool) change(maxUnavailable int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.changed)
	p.changed = make(chan struct{})
	p.maxUnavailable = maxUnavailable
}

// RoundTrip is part of http.RoundTripper.
func (p *onePool) RoundTrip(request *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var body io.Reader
	switch query := request.URL.Query(); {
	case query.Get("watch") == "":
		body = strings.NewReader(`{"kind": "MachineConfigPoolList", "apiVersion": "machineconfiguration.openshift.io/v1",
			"metadata": {"resourceVersion": "9"}, "items": [` + p.pool("") + `]}`)
	case query.Get("sendInitialEvents") == "true":
		body = p.stream("ADDED", p.pool(""), "BOOKMARK", p.pool(`"k8s.io/initial-events-end": "true"`))
	case query.Get("resourceVersion") == fmt.Sprint(p.maxUnavailable):
		body = p.stream()
	default:
		body = p.stream("MODIFIED", p.pool(""))
	}
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(body),
		Request:    request,
	}, nil
}

// pool is the pool in JSON. What it allows is its version as well.
func (p *onePool) pool(annotations string) string {
	return fmt.Sprintf(`{"kind": "MachineConfigPool", "apiVersion": "machineconfiguration.openshift.io/v1",
		"metadata": {"name": "worker", "resourceVersion": "%d", "annotations": {%s}}, "spec": {"maxUnavailable": %d}}`,
		p.maxUnavailable, annotations, p.maxUnavailable)
}

// stream is a watch that brings events, each a type and an object, and goes on until there is another.
func (p *onePool) stream(events ...string) io.Reader {
	var brought strings.Builder
	for event := range slices.Chunk(events, 2) {
		fmt.Fprintf(&brought, `{"type": %q, "object": %s}`, event[0], event[1])
	}
	return io.MultiReader(strings.NewReader(brought.String()), until(p.changed))
}

// until is read until a channel is closed, and is empty.
type until <-chan struct{}

// Read is part of io.Reader.
func (u until) Read([]byte) (int, error) {
	<-u
	return 0, io.EOF
}

// TestCanNotBeDecoded: what the API server has and a client can't decode is not seen, and the source says so until it is.
func TestCanNotBeDecoded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		server := &onePool{maxUnavailable: 1, changed: make(chan struct{})}
		config := &rest.Config{Host: "http://cluster", Transport: server}
		clients, err := newClients(t.Context(), &controllercmd.ControllerContext{KubeConfig: config, ProtoKubeConfig: config})
		if err != nil {
			t.Fatal(err)
		}
		// What the gate itself lists is there all the time.
		b := newBench(t)
		informers, err := newInformers(clients, b.troubles)
		if err != nil {
			t.Fatal(err)
		}
		pools := informers.machineConfigPools
		var running sync.WaitGroup
		running.Go(func() { runAll(ctx, b.run, pools.RunWithContext) })
		look := func(step string, maxUnavailable int, last string) {
			t.Helper()
			time.Sleep(time.Minute) // in the bubble
			synctest.Wait()
			if noted := b.noted(); len(noted) == 0 || noted[len(noted)-1] != last {
				t.Errorf("%s: %v, want %s in the end", step, noted, last)
			}
			pool, _, err := pools.GetStore().GetByKey("worker")
			if err != nil || pool == nil {
				t.Fatalf("%s: %v, %v", step, pool, err)
			}
			if got := pool.(*machineconfigv1.MachineConfigPool).Spec.MaxUnavailable.IntValue(); got != maxUnavailable {
				t.Errorf("%s: %d may be unavailable, want %d", step, got, maxUnavailable)
			}
		}
		look("at first", 1, "opened")
		server.change(3000000000)
		look("spoilt", 1, "said CannotListMachineConfigPools")
		server.change(2)
		look("repaired", 2, "resynced")
		stop()
		server.change(0)
		running.Wait()
	})
}
