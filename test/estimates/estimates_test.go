package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// measured and measuredOnce are measured once for all tests.
var (
	measured     = sync.OnceValue(func() []row { return measure(scenarios()) })
	measuredOnce = sync.OnceValue(func() *measuredRanges { return measureRanges(sequences()) })
)

// TestRanges bounds how often the end of an update is not in its range, and how wide ranges are.
func TestRanges(t *testing.T) {
	all := measuredOnce()
	for at, share := range moments {
		covered, count := all.first.covered[at]+all.later.covered[at], all.first.count[at]+all.later.count[at]
		if got := float64(covered) / float64(count); !(got >= 0.8) {
			t.Errorf("at %d %% the ranges of %.0f %% of %d updates cover the end", share, 100*got, count)
		}
		if share == 25 && !(all.later.width(at) < 0.45) {
			t.Errorf("at %d %%, with records, a range is %.0f %% of what is left", share, 100*all.later.width(at))
		}
	}
}

// TestDocument compares the page with the output of the code.
func TestDocument(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "estimates.md"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(document), "\n"), strings.Split(page(measured(), measuredOnce()), "\n")); diff != "" {
		t.Errorf("docs/estimates.md is not what the code makes: run hack/update-estimates.sh (-document +code):\n%s", diff)
	}
}

// TestErrors bounds the errors: over all that was played, and over every pool that is not small.
func TestErrors(t *testing.T) {
	const quarter = 1
	if shares[quarter] != 25 {
		t.Fatalf("the shares are %v", shares)
	}
	const bound = 0.20
	if got := quantile(together(measured()).errors[quarter], 0.5); !(got < bound) {
		t.Errorf("over all pools the median error at 25 %% is %.3f", got)
	}
	for _, one := range measured() {
		if got := quantile(one.errors[quarter], 0.5); one.Nodes >= 30 && !(got < bound) {
			t.Errorf("%s, %d nodes: the median error at 25 %% is %.3f", one.Times.Name, one.Nodes, got)
		}
	}
}

// TestPlayIsDeterministic: else the page would never stay.
func TestPlayIsDeterministic(t *testing.T) {
	scenario := Scenario{Nodes: 5, MaxUnavailable: 2, Times: times()[1]}
	first := Play(scenario, 7)
	if diff := cmp.Diff(first, Play(scenario, 7)); diff != "" {
		t.Errorf("(-first +again):\n%s", diff)
	}
	if cmp.Equal(first, Play(scenario, 8)) {
		t.Error("another seed plays the same")
	}
	for at, moment := range first {
		if moment.Done != at+1 || at > 0 && moment.At.Before(first[at-1].At) {
			t.Errorf("moment %d is %+v", at, moment)
		}
	}
	if last := first[len(first)-1]; last.Done != scenario.Nodes || !last.Estimate.IsZero() {
		t.Errorf("the end is %+v", last)
	}
}

func TestDoneAt(t *testing.T) {
	for _, test := range []struct{ share, nodes, want int }{{10, 3, 1}, {75, 3, 2}, {25, 6, 1}, {50, 6, 3}, {25, 60, 15}} {
		if got := doneAt(test.share, test.nodes); got != test.want {
			t.Errorf("%d %% of %d are %d, want %d", test.share, test.nodes, got, test.want)
		}
	}
}

func TestQuantile(t *testing.T) {
	for _, test := range []struct{ share, want float64 }{{0.5, 3}, {0.9, 5}, {0.2, 1}} {
		if got := quantile([]float64{1, 2, 3, 4, 5}, test.share); got != test.want {
			t.Errorf("%v: %v, want %v", test.share, got, test.want)
		}
	}
}

func TestListTimes(t *testing.T) {
	slow := times()[1]
	if slow.Slow == 0 || !strings.Contains(listTimes(), "- long drains: 8 minutes (0.8) to drain,") {
		t.Errorf("%s", listTimes())
	}
	if slow.SlowTo-slow.SlowFrom < time.Minute {
		t.Error("slow drains don't differ")
	}
}
