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

// TestWatch: a watch goes on where it was broken, until it is refused.
func TestWatch(t *testing.T) {
	for _, tc := range []struct {
		name    string
		initial bool
		answers []any
		events  []string
		asked   []string
	}{
		{
			name:    "ended and gone on with",
			answers: []any{[]watch.Event{seen(5), seen(6)}, []watch.Event{seen(7)}, errAway, busy, []watch.Event{seen(8), fault(gone), seen(9)}},
			events:  []string{"MODIFIED node 5", "MODIFIED node 6", "MODIFIED node 7", "MODIFIED node 8", "ERROR 410"},
			asked:   []string{"watch 4", "watch 6", "watch 7", "watch 7", "watch 7"},
		},
		{
			name:    "not begun",
			answers: []any{[]watch.Event{seen(5)}, stall{}, stall{}, []watch.Event{seen(6), fault(gone)}},
			events:  []string{"MODIFIED node 5", "MODIFIED node 6", "ERROR 410"},
			asked:   []string{"watch 4", "watch 5", "watch 5", "watch 5"},
		},
		{
			name:    "broken with an error that passes",
			answers: []any{[]watch.Event{seen(5), fault(busy)}, []watch.Event{seen(6), fault(apierrors.NewInternalError(errAway))}, forbidden},
			events:  []string{"MODIFIED node 5", "MODIFIED node 6", "ERROR 403"},
			asked:   []string{"watch 4", "watch 5", "watch 6"},
		},
		{
			name:    "initial events, then broken",
			initial: true,
			answers: []any{[]watch.Event{seen(3), seen(2), complete(7)}, []watch.Event{seen(8)}, forbidden},
			events:  []string{"MODIFIED node 3", "MODIFIED node 2", "BOOKMARK node 7", "MODIFIED node 8", "ERROR 403"},
			asked:   []string{"watch all", "watch 7", "watch 8"},
		},
		{
			name:    "broken among the initial events",
			initial: true,
			answers: []any{[]watch.Event{seen(3), seen(2)}},
			events:  []string{"MODIFIED node 3", "MODIFIED node 2"},
			asked:   []string{"watch all"},
		},
		{
			name:    "an initial event that can't be decoded",
			initial: true,
			answers: []any{[]watch.Event{seen(3), fault(odd)}},
			events:  []string{"MODIFIED node 3", "ERROR 500"},
			asked:   []string{"watch all"},
		},
		{
			name:    "the same error again and again",
			answers: append([]any{[]watch.Event{seen(5), fault(odd)}}, slices.Repeat([]any{[]watch.Event{fault(odd)}}, 5)...),
			events:  []string{"MODIFIED node 5", "ERROR 500"},
			asked:   []string{"watch 4", "watch 5"},
		},
		{
			name: "an error now and then",
			answers: append(slices.Repeat([]any{
				[]watch.Event{fault(odd)}, []watch.Event{fault(busy)}, []watch.Event{}, []watch.Event{fault(odd)}, []watch.Event{seen(4), fault(odd)},
			}, 3), forbidden),
			events: []string{"MODIFIED node 4", "MODIFIED node 4", "MODIFIED node 4", "ERROR 403"},
			asked:  []string{"watch 4"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				from := &server{answers: tc.answers}
				options := metav1.ListOptions{ResourceVersion: "4"}
				if tc.initial {
					options = metav1.ListOptions{SendInitialEvents: ptr.To(true), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}
				}
				stream, err := with(from, nil).WatchWithContext(t.Context(), options)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tc.events, eventsOf(stream)); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(slices.Compact(tc.asked), slices.Compact(from.asked)); diff != "" {
					t.Errorf("asked (-want +got):\n%s", diff)
				}
				if len(from.answers) > 1 {
					t.Errorf("%d answers left", len(from.answers))
				}
			})
		})
	}
}

// TestGap: what was missed while a watch could not be taken up is told as if it had been watched.
func TestGap(t *testing.T) {
	first := list("4", "", "stays 1", "changes 2", "goes 3")
	deletion := watch.Event{Type: watch.Deleted, Object: &list("6", "", "goes 6").Items[0]}
	for _, tc := range []struct {
		name    string
		answers []any
		events  []string
		asked   []string
	}{
		{
			name:    "objects have changed, come and gone",
			answers: []any{first, gone, list("9", "", "stays 1", "changes 8", "comes 7"), []watch.Event{seen(10), fault(gone)}, forbidden},
			events:  []string{"MODIFIED changes 8", "MODIFIED comes 7", "DELETED goes 9", "BOOKMARK  9", "MODIFIED node 10", "ERROR 403"},
			asked:   []string{"list ", "watch 4", "list ", "watch 9", "list "},
		},
		{
			name:    "nothing was missed",
			answers: []any{first, gone, first, []watch.Event{}, forbidden},
			events:  []string{"BOOKMARK  4", "ERROR 403"},
			asked:   []string{"list ", "watch 4", "list ", "watch 4"},
		},
		{
			name:    "what was watched is known",
			answers: []any{first, []watch.Event{seen(5), deletion, fault(gone)}, list("9", "", "stays 1", "changes 2", "node 5"), forbidden},
			events:  []string{"MODIFIED node 5", "DELETED goes 6", "BOOKMARK  9", "ERROR 403"},
			asked:   []string{"list ", "watch 4", "list ", "watch 9"},
		},
		{
			name:    "a list of pages",
			answers: []any{first, gone, list("9", "more", "stays 1", "changes 2"), errAway, list("9", "", "goes 3", "comes 8"), forbidden},
			events:  []string{"MODIFIED comes 8", "BOOKMARK  9", "ERROR 403"},
			asked:   []string{"list ", "watch 4", "list ", "list more", "watch 9"},
		},
		{
			name:    "a list of which the rest is too old",
			answers: []any{first, gone, list("9", "more", "stays 1", "goes 3"), gone, list("11", "", "stays 1", "changes 10"), forbidden},
			events:  []string{"MODIFIED changes 10", "DELETED goes 11", "BOOKMARK  11", "ERROR 403"},
			asked:   []string{"list ", "watch 4", "list ", "list more", "list ", "watch 11"},
		},
		{
			name:    "a watch that is too old at once",
			answers: []any{first, gone, first, gone, list("9", "", "stays 1", "changes 8", "goes 3"), forbidden},
			events:  []string{"BOOKMARK  4", "MODIFIED changes 8", "BOOKMARK  9", "ERROR 403"},
			asked:   []string{"list ", "watch 4", "list ", "watch 4", "list ", "watch 9"},
		},
		{
			name:    "all is gone",
			answers: []any{list("4", "", "goes 3"), gone, list("9", ""), forbidden},
			events:  []string{"DELETED goes 9", "BOOKMARK  9", "ERROR 403"},
			asked:   []string{"list ", "watch 4", "list ", "watch 9"},
		},
		{
			name:    "there never was anything",
			answers: []any{list("4", ""), gone, list("9", ""), forbidden},
			events:  []string{"ERROR 403"},
			asked:   []string{"list ", "watch 4", "list ", "watch 9"},
		},
		{
			name: "an event that can't be decoded",
			answers: slices.Concat([]any{first}, slices.Repeat([]any{[]watch.Event{fault(odd)}}, 5),
				[]any{list("9", "", "stays 1", "changes 8", "goes 3"), forbidden}),
			events: []string{"MODIFIED changes 8", "BOOKMARK  9", "ERROR 403"},
			asked:  []string{"list ", "watch 4", "list ", "watch 9"},
		},
		{
			name: "an object that can't be decoded for a while",
			answers: slices.Concat([]any{first}, slices.Repeat([]any{[]watch.Event{fault(odd)}}, 5), slices.Repeat([]any{errOdd}, 20),
				[]any{list("9", "", "stays 1", "changes 8", "goes 3"), forbidden}),
			events: []string{"MODIFIED changes 8", "BOOKMARK  9", "ERROR 403"},
			asked:  []string{"list ", "watch 4", "list ", "watch 9"},
		},
		{
			name:    "nothing may be listed any more",
			answers: []any{first, gone, forbidden},
			events:  []string{"ERROR 403"},
			asked:   []string{"list ", "watch 4", "list "},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				from := &server{answers: tc.answers}
				lister := with(from, nil)
				listed, err := lister.ListWithContext(t.Context(), metav1.ListOptions{})
				if err != nil {
					t.Fatal(err)
				}
				// The first watch begins, and is broken: it can't be taken up.
				from.answers = append([]any{[]watch.Event{}}, from.answers...)
				options := metav1.ListOptions{ResourceVersion: listed.(*corev1.NodeList).ResourceVersion}
				stream, err := lister.WatchWithContext(t.Context(), options)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tc.events, eventsOf(stream)); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(tc.asked, slices.Compact(from.asked)); diff != "" {
					t.Errorf("asked (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestGapEnds: what is missed is told until nobody wants to know, in the middle of a list. The race detector looks on.
func TestGapEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		next := late{NodeList: list("9", "", "comes 8"), before: stop}
		from := &server{answers: []any{list("4", "", "one 1"), []watch.Event{}, gone, list("9", "more", "one 7"), next}}
		lister := with(from, nil)
		if _, err := lister.ListWithContext(ctx, metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
		stream, err := lister.WatchWithContext(ctx, metav1.ListOptions{ResourceVersion: "4"})
		if err != nil {
			t.Fatal(err)
		}
		// The next page is listed while nobody takes what the first has brought.
		<-ctx.Done()
		if events := eventsOf(stream); len(events) > 1 {
			t.Errorf("brought %v", events)
		}
	})
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

// TestWatchEnds: who stops a watch gets no more of it, and leaves nothing behind.
func TestWatchEnds(t *testing.T) {
	for name, answers := range map[string][]any{
		"while it is open":              {staysOpen},
		"while somebody should take":    {[]watch.Event{seen(5)}},
		"while it waits to be taken up": {[]watch.Event{}, errAway, errAway, errAway, errAway, errAway, errAway},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stream, err := with(&server{answers: answers}, nil).WatchWithContext(t.Context(), metav1.ListOptions{ResourceVersion: "4"})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				stream.Stop()
				synctest.Wait()
				if event, open := <-stream.ResultChan(); open {
					t.Errorf("brought %v", event)
				}
			})
		})
	}
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
