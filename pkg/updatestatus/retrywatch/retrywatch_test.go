package retrywatch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/retrywatch"
)

// fakeServer gives scripted answers, one after the other. The last answer, if it is an error, stays.
type fakeServer struct {
	mu       sync.Mutex
	answers  []any
	requests []string
	// late is the last lateStream.
	late *watch.FakeWatcher
}

func (f *fakeServer) next(request string) any {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, request)
	answer := f.answers[0]
	if _, isError := answer.(error); !isError || len(f.answers) > 1 {
		f.answers = f.answers[1:]
	}
	return answer
}

func (f *fakeServer) requested() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.requests)
}

// ListWithContext is part of cache.ListerWatcherWithContext.
func (f *fakeServer) ListWithContext(_ context.Context, options metav1.ListOptions) (runtime.Object, error) {
	request := "list"
	if options.Limit == 1 {
		request = "list 1"
	}
	switch answer := f.next(request).(type) {
	case error:
		return nil, answer
	case *corev1.NodeList:
		return answer, nil
	default:
		return &corev1.NodeList{}, nil
	}
}

// WatchWithContext is part of cache.ListerWatcherWithContext.
func (f *fakeServer) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	request := "watch " + options.ResourceVersion
	if options.SendInitialEvents != nil {
		request = "watch all"
	}
	switch answer := f.next(request).(type) {
	case error:
		return nil, answer
	case brokenStream:
		stream := streamOf(answer)
		stream.Stop()
		return stream, nil
	case openStream:
		return streamOf(answer), nil
	case hourStream:
		stream := watch.NewRaceFreeFake()
		for _, event := range answer {
			stream.Action(event.Type, event.Object)
		}
		for minute := range 59 {
			time.AfterFunc(time.Duration(minute+1)*time.Minute, func() { stream.Action(watch.Bookmark, node("", minute)) })
		}
		time.AfterFunc(time.Hour, stream.Stop)
		return stream, nil
	case stall:
		<-ctx.Done()
		return nil, ctx.Err()
	case lateStream:
		<-ctx.Done()
		f.late = watch.NewFake()
		return f.late, nil
	default:
		return watch.NewFake(), nil
	}
}

// Streams of events: one ends after them, the others stay open, for an hour with bookmarks or for ever. stall never answers, and lateStream
// answers after the request was given up.
type (
	brokenStream []watch.Event
	openStream   []watch.Event
	hourStream   []watch.Event
	stall        struct{}
	lateStream   struct{}
)

func streamOf(events []watch.Event) *watch.FakeWatcher {
	stream := watch.NewFakeWithChanSize(len(events), false)
	for _, event := range events {
		stream.Action(event.Type, event.Object)
	}
	return stream
}

func node(name string, version int) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: strconv.Itoa(version)}}
}

func modified(version int) watch.Event {
	return watch.Event{Type: watch.Modified, Object: node("node", version)}
}

func failed(err *apierrors.StatusError) watch.Event {
	return watch.Event{Type: watch.Error, Object: &err.ErrStatus}
}

func initialEventsEnd(version int) watch.Event {
	bookmark := node("", version)
	bookmark.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	return watch.Event{Type: watch.Bookmark, Object: bookmark}
}

func nodeList(version string, nodes ...corev1.Node) *corev1.NodeList {
	return &corev1.NodeList{ListMeta: metav1.ListMeta{ResourceVersion: version}, Items: nodes}
}

var (
	errAway        = errors.New("connection refused")
	errUndecodable = errors.New("can't be decoded")
	undecodable    = &apierrors.StatusError{
		ErrStatus: *apierrors.NewClientErrorReporter(500, "GET", "ClientWatchDecoding").AsObject(errUndecodable).(*metav1.Status),
	}
	busy         = apierrors.NewTooManyRequests("busy", 1)
	starting     = apierrors.NewServiceUnavailable("starting")
	forbidden    = apierrors.NewForbidden(schema.GroupResource{Resource: "nodes"}, "", errAway)
	unauthorized = apierrors.NewUnauthorized("who is it")
	missing      = apierrors.NewNotFound(schema.GroupResource{Resource: "nodes"}, "")
	gone         = apierrors.NewResourceExpired("too old")

	initial = metav1.ListOptions{SendInitialEvents: ptr.To(true), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}
)

// observations are the results that an observer received.
type observations struct {
	mu   sync.Mutex
	errs []error
}

func (o *observations) observe(_ context.Context, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.errs = append(o.errs, err)
}

// last returns the last result, nil if there was none.
func (o *observations) last() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.errs) == 0 {
		return nil
	}
	return o.errs[len(o.errs)-1]
}

// distinct returns the results as text, without repetitions.
func (o *observations) distinct() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var text []string
	for _, err := range o.errs {
		text = append(text, fmt.Sprint(err))
	}
	return slices.Compact(text)
}

// eventsOf returns the events of a watch until it ends: types, with names and versions or codes.
func eventsOf(stream watch.Interface) (events []string) {
	for event := range stream.ResultChan() {
		switch object := event.Object.(type) {
		case *corev1.Node:
			events = append(events, strings.Join([]string{string(event.Type), object.Name, object.ResourceVersion}, " "))
		case *metav1.Status:
			events = append(events, string(event.Type)+" "+strconv.Itoa(int(object.Code)))
		}
	}
	return events
}

// TestWatch: a watch is retried from its last resourceVersion. What the API server refuses ends it, so that the reflector
// lists, as does an event that can't be decoded.
func TestWatch(t *testing.T) {
	for _, tc := range []struct {
		name     string
		options  metav1.ListOptions
		answers  []any
		events   []string
		requests []string
		observed []error
	}{
		{
			name: "ends and is resumed",
			answers: []any{
				brokenStream{modified(5), modified(6)},
				brokenStream{modified(7)},
				errAway, busy, starting,
				nodeList("7"),
				brokenStream{modified(8), failed(gone)},
			},
			events:   []string{"MODIFIED node 5", "MODIFIED node 6", "MODIFIED node 7", "MODIFIED node 8", "ERROR 410"},
			requests: []string{"watch 4", "watch 6", "watch 7", "list 1", "list 1", "list 1", "watch 7"},
			observed: []error{nil, errAway, busy, starting, nil, gone},
		},
		{
			name:     "etcd is restored from a backup while the API server is away",
			answers:  []any{brokenStream{modified(7)}, errAway, nodeList("6")},
			events:   []string{"MODIFIED node 7", "ERROR 410"},
			requests: []string{"watch 4", "watch 7", "list 1"},
			observed: []error{nil, errAway},
		},
		{
			name:     "a list without a resourceVersion",
			answers:  []any{brokenStream{modified(7)}, errAway, nodeList("")},
			events:   []string{"MODIFIED node 7", "ERROR 410"},
			requests: []string{"watch 4", "watch 7", "list 1"},
			observed: []error{nil, errAway},
		},
		{
			name:     "not served any more after the API server was away",
			answers:  []any{brokenStream{modified(7)}, errAway, missing},
			events:   []string{"MODIFIED node 7", "ERROR 410"},
			requests: []string{"watch 4", "watch 7", "list 1"},
			observed: []error{nil, errAway, missing},
		},
		{
			name:     "not answered",
			answers:  []any{brokenStream{modified(5)}, stall{}, nodeList("5"), stall{}, nodeList("5"), brokenStream{modified(6), failed(gone)}},
			events:   []string{"MODIFIED node 5", "MODIFIED node 6", "ERROR 410"},
			requests: []string{"watch 4", "watch 5", "list 1", "watch 5", "list 1", "watch 5"},
			observed: []error{nil, context.Canceled, nil, gone},
		},
		{
			name:     "a watch that is opened too late",
			answers:  []any{brokenStream{modified(5)}, lateStream{}, nodeList("5"), brokenStream{modified(6), failed(gone)}},
			events:   []string{"MODIFIED node 5", "MODIFIED node 6", "ERROR 410"},
			requests: []string{"watch 4", "watch 5", "list 1", "watch 5"},
			observed: []error{nil, context.DeadlineExceeded, nil, gone},
		},
		{
			name:     "too old",
			answers:  []any{gone},
			events:   []string{"ERROR 410"},
			requests: []string{"watch 4"},
			observed: []error{gone},
		},
		{
			name:     "forbidden for a while",
			answers:  []any{brokenStream{modified(5)}, forbidden, forbidden, unauthorized, nodeList("5"), brokenStream{modified(6), failed(gone)}},
			events:   []string{"MODIFIED node 5", "MODIFIED node 6", "ERROR 410"},
			requests: []string{"watch 4", "watch 5", "list 1", "list 1", "list 1", "watch 5"},
			observed: []error{nil, forbidden, unauthorized, nil, gone},
		},
		{
			name:     "not served any more",
			answers:  []any{brokenStream{modified(5)}, missing},
			events:   []string{"MODIFIED node 5", "ERROR 410"},
			requests: []string{"watch 4", "watch 5"},
			observed: []error{nil, missing},
		},
		{
			name:     "an event that can't be decoded",
			answers:  []any{brokenStream{modified(5), failed(undecodable)}, brokenStream{failed(undecodable)}, brokenStream{failed(undecodable)}},
			events:   []string{"MODIFIED node 5", "ERROR 410"},
			requests: []string{"watch 4", "watch 5", "watch 5"},
			observed: []error{nil, undecodable, nil, undecodable, nil, undecodable},
		},
		{
			name: "connections that break in the middle of an event",
			answers: []any{
				brokenStream{failed(undecodable)},
				brokenStream{failed(undecodable)},
				brokenStream{modified(5), failed(undecodable)},
				brokenStream{failed(undecodable)},
				brokenStream{modified(6), failed(gone)},
			},
			events:   []string{"MODIFIED node 5", "MODIFIED node 6", "ERROR 410"},
			requests: []string{"watch 4", "watch 4", "watch 4", "watch 5", "watch 5"},
			observed: []error{nil, undecodable, nil, undecodable, nil, undecodable, nil, undecodable, nil, gone},
		},
		{
			name:     "initial events",
			options:  initial,
			answers:  []any{brokenStream{modified(3), modified(2), initialEventsEnd(7), modified(8)}},
			events:   []string{"MODIFIED node 3", "MODIFIED node 2", "BOOKMARK  7", "MODIFIED node 8"},
			requests: []string{"watch all"},
			observed: []error{nil},
		},
		{
			name:     "a connection that breaks after the initial events",
			options:  initial,
			answers:  []any{brokenStream{modified(3), initialEventsEnd(7), modified(8), failed(undecodable)}},
			events:   []string{"MODIFIED node 3", "BOOKMARK  7", "MODIFIED node 8"},
			requests: []string{"watch all"},
			observed: []error{nil, undecodable},
		},
		{
			name:     "too old after the initial events",
			options:  initial,
			answers:  []any{brokenStream{initialEventsEnd(7), failed(gone)}},
			events:   []string{"BOOKMARK  7", "ERROR 410"},
			requests: []string{"watch all"},
			observed: []error{nil, gone},
		},
		{
			name:     "a bookmark among the initial events",
			options:  initial,
			answers:  []any{brokenStream{modified(3), {Type: watch.Bookmark, Object: node("", 3)}, failed(undecodable)}},
			events:   []string{"MODIFIED node 3", "BOOKMARK  3", "ERROR 500"},
			requests: []string{"watch all"},
			observed: []error{undecodable},
		},
		{
			name:     "initial events that can't be decoded",
			options:  initial,
			answers:  []any{brokenStream{modified(3), failed(undecodable)}},
			events:   []string{"MODIFIED node 3", "ERROR 500"},
			requests: []string{"watch all"},
			observed: []error{undecodable},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, observed := &fakeServer{answers: tc.answers}, &observations{}
				options := tc.options
				if options.SendInitialEvents == nil {
					options.ResourceVersion = "4"
				}
				stream, err := retrywatch.New(server, observed.observe).WatchWithContext(t.Context(), options)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tc.events, eventsOf(stream)); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(tc.requests, server.requested()); diff != "" {
					t.Errorf("requests (-want +got):\n%s", diff)
				}
				var want []string
				for _, err := range tc.observed {
					want = append(want, fmt.Sprint(err))
				}
				if diff := cmp.Diff(want, observed.distinct()); diff != "" {
					t.Errorf("observed (-want +got):\n%s", diff)
				}
				if server.late != nil && !server.late.IsStopped() {
					t.Error("the watch that was opened too late is not stopped")
				}
			})
		})
	}
}

// TestRetriesEverySecond: an API server that is away for minutes costs a second after it is back.
func TestRetriesEverySecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const outage = 300
		server := &fakeServer{answers: slices.Concat(slices.Repeat([]any{errAway}, outage), []any{nodeList("4"), openStream{modified(5)}})}
		stream, err := retrywatch.New(server, (&observations{}).observe).WatchWithContext(t.Context(), metav1.ListOptions{ResourceVersion: "4"})
		if err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		<-stream.ResultChan()
		if took := time.Since(started); took != outage*time.Second {
			t.Errorf("took %s", took)
		}
		stream.Stop()
		synctest.Wait()
	})
}

// TestWatchTimeout checks that a watch which the API server does not accept costs 8 s.
func TestWatchTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{answers: []any{stall{}, nodeList("4"), openStream{modified(5)}}}
		stream, err := retrywatch.New(server, (&observations{}).observe).WatchWithContext(t.Context(), metav1.ListOptions{ResourceVersion: "4"})
		if err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		<-stream.ResultChan()
		if took := time.Since(started); took != 8*time.Second {
			t.Errorf("took %s", took)
		}
		stream.Stop()
		synctest.Wait()
	})
}

// TestFailedRequests: each failed request is observed, but for those that are cancelled.
func TestFailedRequests(t *testing.T) {
	server, observed := &fakeServer{answers: []any{missing, &corev1.NodeList{}, errAway}}, &observations{}
	from := retrywatch.New(server, observed.observe)
	if _, err := from.ListWithContext(t.Context(), metav1.ListOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("error %v", err)
	}
	if _, err := from.ListWithContext(t.Context(), metav1.ListOptions{}); err != nil {
		t.Error(err)
	}
	// A reflector would wait for a refused connection whether its context ends or not.
	if _, err := from.WatchWithContext(t.Context(), initial); !apierrors.IsServiceUnavailable(err) {
		t.Errorf("error %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := from.WatchWithContext(cancelled, initial); err == nil {
		t.Error("a watch was opened")
	}
	if _, err := from.ListWithContext(cancelled, metav1.ListOptions{}); err == nil {
		t.Error("a list was answered")
	}
	if diff := cmp.Diff([]string{missing.Error(), errAway.Error()}, observed.distinct()); diff != "" || len(observed.errs) != 2 {
		t.Errorf("observed %v (-want +got):\n%s", observed.errs, diff)
	}
}

// TestStop: a watch that is stopped ends, and leaves nothing behind.
func TestStop(t *testing.T) {
	for name, answers := range map[string][]any{
		"while it is open":        {struct{}{}},
		"before an event is read": {openStream{modified(5), modified(6)}},
		"between two retries":     {brokenStream{}, errAway},
		"while it is opened":      {stall{}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stream, err := retrywatch.New(&fakeServer{answers: answers}, (&observations{}).observe).
					WatchWithContext(t.Context(), metav1.ListOptions{ResourceVersion: "4"})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				stream.Stop()
				synctest.Wait()
				for event := range stream.ResultChan() {
					t.Errorf("event %v", event)
				}
			})
		})
	}
}
