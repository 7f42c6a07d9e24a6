package steady_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

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
