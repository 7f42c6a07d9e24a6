package updatestatus

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/operator/events"
)

// apiServer is an http.RoundTripper that answers as an API server does with MachineConfigPools and nothing else. It needs no
// network, so that it works in a bubble of time.
type apiServer struct {
	mu sync.Mutex
	// pools are by name.
	pools   map[string]poolState
	version int
	// refusals are what requests for resources are answered with, by resource, and away whether none is answered.
	refusals map[string]*apierrors.StatusError
	away     bool
	// delays are how long requests for resources take, by resource. They are set before the first request.
	delays map[string]time.Duration
	// changed is closed when anything changes, which ends watches.
	changed chan struct{}
	// requests are the paths and field selectors of all lists.
	requests []string
}

// poolState is a MachineConfigPool since a version: the CRD takes any number for maxUnavailable, the client's type does not.
type poolState struct {
	maxUnavailable, version int
	isDeleted               bool
}

func newAPIServer() *apiServer {
	return &apiServer{pools: map[string]poolState{}, version: 1, changed: make(chan struct{})}
}

// setPool creates or changes a pool.
func (s *apiServer) setPool(name string, maxUnavailable int) {
	s.change(func() { s.pools[name] = poolState{maxUnavailable: maxUnavailable, version: s.version} })
}

// deletePool deletes a pool that can be decoded.
func (s *apiServer) deletePool(name string) {
	s.change(func() { s.pools[name] = poolState{version: s.version, isDeleted: true} })
}

// change changes what the server holds, and ends all watches.
func (s *apiServer) change(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}

// refuse answers requests for resources with errors, and all others with success.
func (s *apiServer) refuse(refusals map[string]*apierrors.StatusError) {
	s.change(func() { s.refusals, s.away = refusals, false })
}

// RoundTrip is part of http.RoundTripper.
func (s *apiServer) RoundTrip(request *http.Request) (*http.Response, error) {
	if delay := s.delays[path.Base(request.URL.Path)]; delay > 0 {
		select {
		case <-time.After(delay): // in the bubble
		case <-request.Context().Done():
			return nil, request.Context().Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away {
		return nil, fmt.Errorf("connection refused")
	}
	resource, query := path.Base(request.URL.Path), request.URL.Query()
	response := &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: request,
	}
	if query.Get("watch") == "" {
		s.requests = append(s.requests, request.URL.Path+" "+query.Get("fieldSelector"))
	}
	switch refusal := s.refusals[resource]; {
	case refusal != nil:
		content, err := json.Marshal(refusal.ErrStatus)
		if err != nil {
			return nil, err
		}
		response.StatusCode, response.Body = int(refusal.ErrStatus.Code), io.NopCloser(strings.NewReader(string(content)))
	case query.Get("watch") == "":
		response.Body = io.NopCloser(strings.NewReader(s.list(request, resource)))
	case query.Get("sendInitialEvents") == "true":
		response.Body = s.stream(append(s.initialEvents(resource), s.bookmark(request, resource))...)
	default:
		since, err := strconv.Atoi(query.Get("resourceVersion"))
		if err != nil {
			return nil, err
		}
		response.Body = s.stream(s.eventsSince(since, resource)...)
	}
	return response, nil
}

func (s *apiServer) list(request *http.Request, resource string) string {
	return fmt.Sprintf(`{%s, "metadata": {"resourceVersion": "%d"}, "items": [%s]}`,
		kindOf(request, resource, "List"), s.version, strings.Join(s.objects(resource), ","))
}

func (s *apiServer) bookmark(request *http.Request, resource string) string {
	return fmt.Sprintf(`{"type": "BOOKMARK", "object": {%s,
		"metadata": {"resourceVersion": "%d", "annotations": {"k8s.io/initial-events-end": "true"}}}}`, kindOf(request, resource, ""), s.version)
}

func (s *apiServer) initialEvents(resource string) (events []string) {
	for _, object := range s.objects(resource) {
		events = append(events, fmt.Sprintf(`{"type": "ADDED", "object": %s}`, object))
	}
	return events
}

func (s *apiServer) eventsSince(version int, resource string) (events []string) {
	if resource != machineConfigPools.Resource() {
		return nil
	}
	names := slices.SortedFunc(maps.Keys(s.pools), func(a, b string) int { return s.pools[a].version - s.pools[b].version })
	for _, name := range names {
		switch pool := s.pools[name]; {
		case pool.version <= version:
		case pool.isDeleted:
			events = append(events, fmt.Sprintf(`{"type": "DELETED", "object": %s}`, pool.object(name)))
		default:
			events = append(events, fmt.Sprintf(`{"type": "MODIFIED", "object": %s}`, pool.object(name)))
		}
	}
	return events
}

func (s *apiServer) objects(resource string) (objects []string) {
	if resource != machineConfigPools.Resource() {
		return nil
	}
	for name, pool := range s.pools {
		if !pool.isDeleted {
			objects = append(objects, pool.object(name))
		}
	}
	return objects
}

func (p poolState) object(name string) string {
	return fmt.Sprintf(`{"kind": "MachineConfigPool", "apiVersion": "machineconfiguration.openshift.io/v1",
		"metadata": {"name": %q, "resourceVersion": "%d"}, "spec": {"maxUnavailable": %d}}`, name, p.version, p.maxUnavailable)
}

// kindOf returns the kind of what is requested.
func kindOf(request *http.Request, resource, suffix string) string {
	if strings.Contains(request.Header.Get("Accept"), "PartialObjectMetadata") {
		return fmt.Sprintf(`"kind": "PartialObjectMetadata%s", "apiVersion": "meta.k8s.io/v1"`, suffix)
	}
	hosted := newHostedResources(hostedName, "clusters-east", true)
	for _, each := range slices.Concat(watchedResources(), resourcesOf(hosted.object, hosted.sources(nil))) {
		if each.Resource() == resource {
			return fmt.Sprintf(`"kind": "%s%s", "apiVersion": %q`, each.Kind.Kind, suffix, each.GroupVersion())
		}
	}
	return ""
}

// stream is the body of a watch that has events and stays open until something changes.
func (s *apiServer) stream(events ...string) io.ReadCloser {
	reader, writer := io.Pipe()
	changed := s.changed
	go func() {
		if _, err := io.WriteString(writer, strings.Join(events, "\n")); err != nil {
			return // the watch was stopped
		}
		<-changed
		_ = writer.Close()
	}()
	return reader
}

// listed returns the sorted paths and field selectors of all lists.
func (s *apiServer) listed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(s.requests)))
}

// contextOf returns what the controller is run with.
func contextOf(server http.RoundTripper) *controllercmd.ControllerContext {
	config := &rest.Config{Host: "http://cluster", Transport: server}
	return &controllercmd.ControllerContext{
		KubeConfig: config, ProtoKubeConfig: config, Clock: clock.RealClock{}, EventRecorder: events.NewInMemoryRecorder("test", clock.RealClock{}),
	}
}

func clientsOf(t *testing.T, server http.RoundTripper) clients {
	t.Helper()
	clients, err := newClients(contextOf(server).KubeConfig)
	if err != nil {
		t.Fatal(err)
	}
	return clients
}

func forbidden(r *resource) *apierrors.StatusError {
	return apierrors.NewForbidden(r.Served().GroupResource(), "", nil)
}

func missing(r *resource) *apierrors.StatusError {
	return apierrors.NewNotFound(r.Served().GroupResource(), "")
}

var unavailable = apierrors.NewServiceUnavailable("restarting")

// watchedResources returns all resources that are watched.
func watchedResources() []*resource {
	return resourcesOf(updateStatuses, sources())
}
