package steady_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
)

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
