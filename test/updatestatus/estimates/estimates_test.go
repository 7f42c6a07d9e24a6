package main

import (
	"strings"
	"sync"
	"testing"
)

// fewRanges are those of the updates of one cluster.
var fewRanges = sync.OnceValue(func() *measuredRanges { return measureRanges(sequences()[:1], 1) })

// TestSample measures some of the updates of docs/updatestatus/estimates.md, with wider bounds than hack/updatestatus/update-estimates.sh has for all of them.
func TestSample(t *testing.T) {
	// At each share of progress it has three updates: one of them may end outside its range.
	wider := bounds{covered: 0.6, width: 0.6, pool: 0.35, together: 0.2}
	if err := wider.check(measure(scenarios(), 1), fewRanges()); err != nil {
		t.Error(err)
	}
}

// TestLongSample measures more of them. At each share of progress it has 34 updates: with 80 % of all within their ranges, a sample of that
// size has less than 66 % only once in forty.
func TestLongSample(t *testing.T) {
	wider := bounds{covered: 0.66, width: 0.5, pool: 0.3, together: 0.2}
	if err := wider.check(measure(scenarios(), 4), measureRanges(sequences(), 1)); err != nil {
		t.Error(err)
	}
}

// TestBounds fails each of the bounds.
func TestBounds(t *testing.T) {
	rows, measured := measure(scenarios()[:4], 1), fewRanges()
	for _, test := range []struct {
		bounds bounds
		want   string
	}{
		{bounds{0, 2, 2, 2}, ""},
		{bounds{1.1, 2, 2, 2}, "cover the end"},
		{bounds{0, 0.01, 2, 2}, "of what is left"},
		{bounds{0, 2, 0.001, 2}, "virtual machines, 30 nodes, 1 at a time"},
		{bounds{0, 2, 2, 0.001}, "over all pools"},
	} {
		err := test.bounds.check(rows, measured)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: %v", test.bounds, err)
		}
	}
}
