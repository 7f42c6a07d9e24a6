package lag

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPercentile(t *testing.T) {
	var hundred []int
	for lag := range 100 {
		hundred = append(hundred, lag+1)
	}
	for _, tc := range []struct {
		lags    []time.Duration
		percent int
		want    time.Duration
	}{
		{nil, 95, 0},
		{milliseconds(7), 50, 7 * time.Millisecond},
		{milliseconds(1, 2), 50, time.Millisecond},
		{milliseconds(1, 2, 3), 50, 2 * time.Millisecond},
		{milliseconds(1, 2, 3), 95, 3 * time.Millisecond},
		{milliseconds(hundred...), 50, 50 * time.Millisecond},
		{milliseconds(hundred...), 95, 95 * time.Millisecond},
		{milliseconds(hundred...), 100, 100 * time.Millisecond},
	} {
		if got := (Result{Lags: tc.lags}).Percentile(tc.percent); got != tc.want {
			t.Errorf("%d%% of %v: got %s, want %s", tc.percent, tc.lags, got, tc.want)
		}
	}
}

func TestWrite(t *testing.T) {
	var text strings.Builder
	err := Write(&text, []Result{
		{Kind: Nodes, Lags: milliseconds(7, 12, 103), Overtaken: 2, Missing: 1},
		{Kind: Operators},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `            TRANSITIONS   SEEN   OVERTAKEN      P50      P95      MAX
nodes                 6      3           2     12ms    103ms    103ms
operators             0      0           0       0s       0s       0s
Overtaken: 2 changed again before a version of the status had shown them.
Missing: 1 were never shown, though nothing came after them.
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
