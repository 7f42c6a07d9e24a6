package steady_test

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
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/pkg/steady"
)

// server answers what it is told to, one answer after the other.
type server struct {
	mu      sync.Mutex
	answers []any
	asked   []string
}

// requests is how often it was asked.
func (s *server) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

func (s *server) next(asked string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, asked)
	answer := s.answers[0]
	// What is forbidden stays so, if it is the last that was said.
	if err, isError := answer.(error); !isError || !apierrors.IsForbidden(err) || len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	return answer
}

// List is part of steady.Client.
func (s *server) List(_ context.Context, options metav1.ListOptions) (*corev1.NodeList, error) {
	switch answer := s.next("list " + options.LabelSelector + options.Continue).(type) {
	case error:
		return nil, answer
	case *corev1.NodeList:
		return answer, nil
	case late:
		answer.before()
		return answer.NodeList, nil
	default:
		return &corev1.NodeList{}, nil
	}
}

// Watch is part of steady.Client.
func (s *server) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	asked := "watch " + options.ResourceVersion
	if options.SendInitialEvents != nil {
		asked = "watch all"
	}
	switch answer := s.next(asked).(type) {
	case error:
		return nil, answer
	case []watch.Event:
		stream := bringing(answer)
		stream.Stop()
		return stream, nil
	case endless:
		return bringing(answer), nil
	case stall:
		<-ctx.Done()
		return nil, ctx.Err()
	default:
		return watch.NewFake(), nil
	}
}

// endless are events after which a watch stays open.
type endless []watch.Event

func bringing(events []watch.Event) *watch.FakeWatcher {
	stream := watch.NewFakeWithChanSize(len(events), false)
	for _, event := range events {
		stream.Action(event.Type, event.Object)
	}
	return stream
}

// list is an answer with nodes, whose versions follow their names; and one that goes on elsewhere, if next is given.
func list(version, next string, nodes ...string) *corev1.NodeList {
	made := &corev1.NodeList{ListMeta: metav1.ListMeta{ResourceVersion: version, Continue: next}}
	for _, one := range nodes {
		name, version, _ := strings.Cut(one, " ")
		made.Items = append(made.Items, corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: version}})
	}
	return made
}

// stall is no answer at all.
type stall struct{}

// late is a list before which something else happens.
type late struct {
	*corev1.NodeList

	before func()
}

func node(version int) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node", ResourceVersion: strconv.Itoa(version)}}
}

func seen(version int) watch.Event { return watch.Event{Type: watch.Modified, Object: node(version)} }

func fault(err *apierrors.StatusError) watch.Event {
	return watch.Event{Type: watch.Error, Object: &err.ErrStatus}
}

func complete(version int) watch.Event {
	bookmark := node(version)
	bookmark.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	return watch.Event{Type: watch.Bookmark, Object: bookmark}
}

var (
	errAway   = errors.New("connection refused")
	errOdd    = errors.New("unable to decode")
	odd       = apierrors.NewInternalError(errOdd)
	busy      = apierrors.NewTooManyRequests("busy", 1)
	starting  = apierrors.NewServiceUnavailable("starting")
	forbidden = apierrors.NewForbidden(schema.GroupResource{Resource: "nodes"}, "", errAway)
	missing   = apierrors.NewNotFound(schema.GroupResource{Resource: "nodes"}, "")
	gone      = apierrors.NewResourceExpired("too old")
	staysOpen = struct{}{}
)

func label(options *metav1.ListOptions) { options.LabelSelector = "some=label" }

// with returns the ListerWatcher of a server.
func with(from *server, tweak func(*metav1.ListOptions)) cache.ListerWatcherWithContext {
	return cache.ToListerWatcherWithContext(steady.New(from, tweak, nil))
}

func TestList(t *testing.T) {
	for _, tc := range []struct {
		name    string
		answers []any
		within  time.Duration
		is      func(error) bool
	}{
		{name: "an answer", answers: []any{staysOpen}},
		{name: "away for a while", answers: []any{errAway, busy, starting, errAway, errAway, errAway, errAway, errAway, staysOpen}, within: 16 * time.Second},
		{name: "forbidden", answers: []any{errAway, forbidden}, within: 10 * time.Second, is: apierrors.IsForbidden},
		{name: "forbidden at its start", answers: []any{errAway, forbidden, forbidden, errAway, forbidden, staysOpen}, within: 5 * time.Second},
		{name: "too old", answers: []any{gone}, is: apierrors.IsResourceExpired},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				from := &server{answers: tc.answers}
				began := time.Now()
				_, err := with(from, label).ListWithContext(t.Context(), metav1.ListOptions{})
				if (err != nil) != (tc.is != nil) || err != nil && !tc.is(err) {
					t.Errorf("error %v", err)
				}
				if took := time.Since(began); took > tc.within {
					t.Errorf("took %s", took)
				}
				if len(from.answers) > 1 || from.asked[0] != "list some=label" {
					t.Errorf("asked %v, %d answers left", from.asked, len(from.answers))
				}
			})
		})
	}
}

// TestTrouble: who watches knows nothing of tries that fail, unless told; nor that all is well again, which a list is not enough
// for.
func TestTrouble(t *testing.T) {
	initial := metav1.ListOptions{SendInitialEvents: ptr.To(true), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}
	broken := errors.New("the watch ended before it had told all that there is")
	for _, tc := range []struct {
		name    string
		list    bool
		options metav1.ListOptions
		answers []any
		// told is without repetitions.
		told []error
	}{
		{name: "a list", list: true, answers: []any{errAway, busy, staysOpen}, told: []error{errAway, busy}},
		{name: "a list that may not be", list: true, answers: []any{errAway, forbidden}, told: []error{errAway, forbidden}},
		{name: "a list of what is not there", list: true, answers: []any{missing}, told: []error{missing}},
		{name: "a watch", answers: []any{errAway, busy, staysOpen}, told: []error{errAway, busy, nil}},
		// What is forbidden passes for a while, and then the reflector waits.
		{name: "a watch that may not be", answers: []any{errAway, forbidden}, told: []error{errAway, forbidden}},
		{name: "a watch that is too old", answers: []any{gone}, told: []error{gone}},
		{name: "a watch that ends as too old", answers: []any{[]watch.Event{fault(gone)}}, told: []error{nil, gone}},
		{name: "a watch that may not go on", options: metav1.ListOptions{ResourceVersion: "4"}, answers: []any{[]watch.Event{seen(5)}, forbidden}, told: []error{nil, forbidden}},
		{
			name: "initial events", options: initial,
			answers: []any{errAway, endless{seen(3), complete(7)}}, told: []error{errAway, nil},
		},
		{name: "initial events that break", options: initial, answers: []any{[]watch.Event{seen(3)}}, told: []error{broken}},
		{
			name: "initial events that can't be decoded", options: initial,
			answers: []any{[]watch.Event{seen(3), fault(odd)}}, told: []error{odd},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				var told []string
				watched := cache.ToListerWatcherWithContext(steady.New(&server{answers: tc.answers}, nil, func(err error) {
					told = append(told, fmt.Sprint(err))
				}))
				if tc.list {
					_, _ = watched.ListWithContext(ctx, tc.options)
				} else if stream, err := watched.WatchWithContext(ctx, tc.options); err == nil {
					eventsOf(stream)
				}
				var want []string
				for _, err := range tc.told {
					want = append(want, fmt.Sprint(err))
				}
				if diff := cmp.Diff(want, slices.Compact(told)); diff != "" {
					t.Errorf("told (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestNobodyWaits: that nobody wants an answer any more is no trouble.
func TestNobodyWaits(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	watched := cache.ToListerWatcherWithContext(steady.New(&server{answers: []any{stall{}, forbidden}}, nil, func(err error) {
		t.Errorf("told %v", err)
	}))
	if _, err := watched.WatchWithContext(ctx, metav1.ListOptions{}); err == nil {
		t.Error("a watch has begun")
	}
	if _, err := watched.ListWithContext(ctx, metav1.ListOptions{}); err == nil {
		t.Error("a list was answered")
	}
}

// eventsOf returns what a watch brings until it ends: types, with names and versions or codes.
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

// TestContextEnds: nobody waits for an API server any more.
func TestContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
		defer cancel()
		from := &server{answers: []any{errAway, errAway, errAway, errAway, errAway}}
		lister := with(from, nil)
		if _, err := lister.ListWithContext(ctx, metav1.ListOptions{}); !errors.Is(err, errAway) {
			t.Errorf("error %v", err)
		}
	})
}
