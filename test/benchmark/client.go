package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// calls is how often the client is called to take its time.
const calls = 7

// measureClient calls the built client.
func measureClient(ctx context.Context, plane *controlplane.ControlPlane) (report.Client, error) {
	kubeconfig, err := plane.AdminKubeconfig()
	if err != nil {
		return report.Client{}, fmt.Errorf("writing a kubeconfig: %w", err)
	}
	var took []float64
	for range calls {
		began := time.Now()
		if err := callClient(ctx, "--kubeconfig", kubeconfig); err != nil {
			return report.Client{}, err
		}
		took = append(took, time.Since(began).Seconds())
	}
	counted, err := newCounter(plane.Admin())
	if err != nil {
		return report.Client{}, err
	}
	server := httptest.NewServer(counted)
	defer server.Close()
	if err := callClient(ctx, "--server", server.URL); err != nil {
		return report.Client{}, err
	}
	return report.Client{
		Seconds: median(took), Requests: int(counted.requests.Load()), Read: int(counted.bytes.Load()),
	}, nil
}

func callClient(ctx context.Context, args ...string) error {
	client, err := harness.Binary("oc-update-status")
	if err != nil {
		return fmt.Errorf("looking for the client: %w", err)
	}
	command := exec.CommandContext(ctx, client, args...)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("calling the client: %w\n%s", err, output)
	}
	return nil
}

// counter is a way to the API server that counts requests and the bytes of what is answered.
type counter struct {
	http.Handler

	requests, bytes atomic.Int64
}

func newCounter(admin *rest.Config) (*counter, error) {
	target, err := url.Parse(admin.Host)
	if err != nil {
		return nil, fmt.Errorf("reading the address of the API server: %w", err)
	}
	transport, err := rest.TransportFor(admin)
	if err != nil {
		return nil, fmt.Errorf("making a way to the API server: %w", err)
	}
	made := &counter{}
	made.Handler = &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(request *httputil.ProxyRequest) {
			made.requests.Add(1)
			request.SetURL(target)
		},
		ModifyResponse: func(response *http.Response) error {
			response.Body = &countedBody{response.Body, &made.bytes}
			return nil
		},
	}
	return made, nil
}

type countedBody struct {
	io.ReadCloser

	bytes *atomic.Int64
}

// Read is part of io.Reader.
func (b *countedBody) Read(content []byte) (int, error) {
	count, err := b.ReadCloser.Read(content)
	b.bytes.Add(int64(count))
	return count, err
}
