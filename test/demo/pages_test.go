package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func after(milliseconds int) time.Time {
	return began.Add(time.Duration(milliseconds) * time.Millisecond)
}

func texts(headlines []headline) []string {
	var all []string
	for _, headline := range headlines {
		all = append(all, headline.text)
	}
	return all
}

func TestPagesNext(t *testing.T) {
	all := []headline{{after(100), "a"}, {after(900), "b"}, {after(1050), "c"}, {after(3000), "d"}}
	pages := &pages{}
	for _, step := range []struct {
		now   int
		known int
		want  []string
	}{
		{now: 100, known: 1},
		{now: 900, known: 2},
		{now: 1099, known: 3},
		{now: 1100, known: 3, want: []string{"a", "b", "c"}},
		{now: 1200, known: 3},
		{now: 3500, known: 4},
		{now: 4000, known: 4, want: []string{"d"}},
		{now: 9000, known: 4},
	} {
		if diff := cmp.Diff(step.want, texts(pages.next(all[:step.known], after(step.now)))); diff != "" {
			t.Errorf("after %d ms (-want +got):\n%s", step.now, diff)
		}
	}
}

func TestPagesRest(t *testing.T) {
	all := []headline{{after(100), "a"}, {after(2000), "b"}}
	pages := &pages{}
	pages.next(all[:1], after(1100))
	if diff := cmp.Diff([]string{"b"}, texts(pages.rest(all))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if rest := pages.rest(all); len(rest) > 0 {
		t.Errorf("once more: %v", rest)
	}
}

func TestTitle(t *testing.T) {
	want := `
---- 1:02  The control plane is updated
           No longer: smoke`
	got := title(62*time.Second+900*time.Millisecond, []headline{{text: "The control plane is updated"}, {text: "No longer: smoke"}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClock(t *testing.T) {
	for elapsed, want := range map[time.Duration]string{
		-3 * time.Second:            "0:00",
		0:                           "0:00",
		59999 * time.Millisecond:    "0:59",
		2 * time.Minute:             "2:00",
		time.Hour + 5*time.Second/2: "60:02",
	} {
		if got := clock(elapsed); got != want {
			t.Errorf("%s: got %s, want %s", elapsed, got, want)
		}
	}
}
