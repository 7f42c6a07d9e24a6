package harness

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/operator/events"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

// InProcess is a controller within the process.
type InProcess struct {
	stop     context.CancelFunc
	ended    chan struct{}
	err      error
	requests *requests
}

// StartInProcess starts the controller, without leader election. The clock is that of everything that is observed. Without
// an address for alerts it requests none.
func StartInProcess(ctx context.Context, plane *controlplane.ControlPlane, clock clock.Clock, options updatestatus.Options) (*InProcess, error) {
	config, err := plane.As(ctx, controlplane.ServiceAccount)
	if err != nil {
		return nil, err
	}
	return StartInProcessAs(ctx, config, clock, options)
}

// StartInProcessAs is StartInProcess with another client configuration, which is changed.
func StartInProcessAs(ctx context.Context, config *rest.Config, clock clock.Clock, options updatestatus.Options) (*InProcess, error) {
	made := &InProcess{ended: make(chan struct{}), requests: &requests{answers: map[int][]string{}}}
	config.Wrap(made.requests.record)
	proto := rest.CopyConfig(config)
	proto.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	proto.ContentType = "application/vnd.kubernetes.protobuf"
	kube, err := kubernetes.NewForConfig(proto)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	ctx, made.stop = context.WithCancel(ctx)
	go func() {
		defer close(made.ended)
		made.err = updatestatus.Run(ctx, &controllercmd.ControllerContext{
			Clock:             clock,
			KubeConfig:        config,
			ProtoKubeConfig:   proto,
			EventRecorder:     events.NewRecorder(kube.CoreV1().Events(controlplane.Namespace), "test", nil, clock),
			OperatorNamespace: controlplane.Namespace,
		}, options)
	}()
	return made, nil
}

// Stop stops the controller as a signal does, and returns its error.
func (c *InProcess) Stop() error {
	c.stop()
	<-c.ended
	return c.err
}

// Ended is closed when the controller has ended.
func (c *InProcess) Ended() <-chan struct{} {
	return c.ended
}

// Refused returns the requests whose responses had one of these codes, as "METHOD path".
func (c *InProcess) Refused(codes ...int) (refused []string) {
	c.requests.lock.Lock()
	defer c.requests.lock.Unlock()
	for _, code := range codes {
		refused = append(refused, c.requests.answers[code]...)
	}
	return refused
}

// Requests returns all requests with a response, as "METHOD path".
func (c *InProcess) Requests() []string {
	c.requests.lock.Lock()
	defer c.requests.lock.Unlock()
	return slices.Concat(slices.Collect(maps.Values(c.requests.answers))...)
}

// requests record the responses of the API server.
type requests struct {
	lock    sync.Mutex
	answers map[int][]string
}

func (r *requests) record(next http.RoundTripper) http.RoundTripper {
	return roundTripper{RoundTripper: next, requests: r}
}

type roundTripper struct {
	http.RoundTripper

	requests *requests
}

// RoundTrip implements http.RoundTripper.
func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.RoundTripper.RoundTrip(request)
	if err != nil {
		return response, err
	}
	r.requests.lock.Lock()
	defer r.requests.lock.Unlock()
	code := response.StatusCode
	r.requests.answers[code] = append(r.requests.answers[code], request.Method+" "+request.URL.Path)
	return response, nil
}

// WrappedRoundTripper returns the transport below, for client-go.
func (r roundTripper) WrappedRoundTripper() http.RoundTripper { return r.RoundTripper }
