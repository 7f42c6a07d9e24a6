package steady_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
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
	answers []any
	asked   []string
}

func (s *server) next(asked string) any {
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
	switch answer := s.next("list " + options.LabelSelector).(type) {
	case error:
		return nil, answer
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
		stream := watch.NewFakeWithChanSize(len(answer), false)
		for _, event := range answer {
			stream.Action(event.Type, event.Object)
		}
		stream.Stop()
		return stream, nil
	case stall:
		<-ctx.Done()
		return nil, ctx.Err()
	default:
		return watch.NewFake(), nil
	}
}

// stall is no answer at all.
type stall struct{}

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
	busy      = apierrors.NewTooManyRequests("busy", 1)
	starting  = apierrors.NewServiceUnavailable("starting")
	forbidden = apierrors.NewForbidden(schema.GroupResource{Resource: "nodes"}, "", errAway)
	gone      = apierrors.NewResourceExpired("too old")
	staysOpen = struct{}{}
)

func label(options *metav1.ListOptions) { options.LabelSelector = "some=label" }

// with returns the ListerWatcher of a server.
func with(from *server, tweak func(*metav1.ListOptions)) cache.ListerWatcherWithContext {
	return cache.ToListerWatcherWithContext(steady.New(from, tweak))
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
			events:  []string{"MODIFIED 5", "MODIFIED 6", "MODIFIED 7", "MODIFIED 8", "ERROR 410"},
			asked:   []string{"watch 4", "watch 6", "watch 7", "watch 7", "watch 7"},
		},
		{
			name:    "not begun",
			answers: []any{[]watch.Event{seen(5)}, stall{}, stall{}, []watch.Event{seen(6), fault(gone)}},
			events:  []string{"MODIFIED 5", "MODIFIED 6", "ERROR 410"},
			asked:   []string{"watch 4", "watch 5", "watch 5", "watch 5"},
		},
		{
			name:    "broken with an error that passes",
			answers: []any{[]watch.Event{seen(5), fault(busy)}, []watch.Event{seen(6), fault(apierrors.NewInternalError(errAway))}, forbidden},
			events:  []string{"MODIFIED 5", "MODIFIED 6", "ERROR 403"},
			asked:   []string{"watch 4", "watch 5", "watch 6"},
		},
		{
			name:    "initial events, then broken",
			initial: true,
			answers: []any{[]watch.Event{seen(3), seen(2), complete(7)}, []watch.Event{seen(8)}, gone},
			events:  []string{"MODIFIED 3", "MODIFIED 2", "BOOKMARK 7", "MODIFIED 8", "ERROR 410"},
			asked:   []string{"watch all", "watch 7", "watch 8"},
		},
		{
			name:    "broken among the initial events",
			initial: true,
			answers: []any{[]watch.Event{seen(3), seen(2)}},
			events:  []string{"MODIFIED 3", "MODIFIED 2"},
			asked:   []string{"watch all"},
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
				var events []string
				for event := range stream.ResultChan() {
					switch object := event.Object.(type) {
					case *corev1.Node:
						events = append(events, string(event.Type)+" "+object.ResourceVersion)
					case *metav1.Status:
						events = append(events, string(event.Type)+" "+strconv.Itoa(int(object.Code)))
					}
				}
				if diff := cmp.Diff(tc.events, events); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(slices.Compact(tc.asked), slices.Compact(from.asked)); diff != "" {
					t.Errorf("asked (-want +got):\n%s", diff)
				}
			})
		})
	}
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
