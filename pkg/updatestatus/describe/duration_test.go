package describe

import (
	"cmp"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

func TestDurations(t *testing.T) {
	for _, tc := range []struct {
		duration time.Duration
		short    string
		rounded  string
		minutes  string
		days     string // short in the text for terminals
	}{
		{duration: -time.Hour, short: "now", rounded: "now", minutes: "now"},
		{duration: 999 * time.Millisecond, short: "now", rounded: "now", minutes: "now"},
		{duration: time.Second, short: "1s", rounded: "1s", minutes: "1s"},
		{duration: 59*time.Second + 999*time.Millisecond, short: "59s", rounded: "59s", minutes: "59s"},
		{duration: 2 * time.Minute, short: "2m", rounded: "2m", minutes: "2m"},
		{duration: 89 * time.Second, short: "1m29s", rounded: "1m29s", minutes: "1m"},
		{duration: 10*time.Minute - time.Millisecond, short: "9m59s", rounded: "9m59s", minutes: "9m"},
		{duration: 10 * time.Minute, short: "10m", rounded: "10m", minutes: "10m"},
		{duration: 14*time.Minute + 29*time.Second, short: "14m29s", rounded: "14m", minutes: "14m"},
		{duration: 14*time.Minute + 30*time.Second, short: "14m30s", rounded: "15m", minutes: "14m"},
		{duration: 59*time.Minute + 59*time.Second, short: "59m59s", rounded: "1h", minutes: "59m"},
		{duration: time.Hour + 5*time.Second, short: "1h0m5s", rounded: "1h", minutes: "1h"},
		{duration: 24*time.Hour + 8*time.Minute + 54*time.Second, short: "24h8m54s", rounded: "24h9m", minutes: "24h8m", days: "1d"},
		{duration: 2305*time.Hour + 5*time.Minute, short: "2305h5m", rounded: "2305h5m", minutes: "2305h5m", days: "96d1h"},
		{duration: 20 * time.Hour, short: "20h", rounded: "20h", minutes: "20h"},
		{duration: 30 * time.Minute, short: "30m", rounded: "30m", minutes: "30m"},
	} {
		t.Run(tc.duration.String(), func(t *testing.T) {
			if got, want := (clock{days: true}).short(tc.duration), cmp.Or(tc.days, tc.short); got != want {
				t.Errorf("with days: got %s, want %s", got, want)
			}
			c := clock{}
			if got := c.short(tc.duration); got != tc.short {
				t.Errorf("short: got %s, want %s", got, tc.short)
			}
			if got := c.rounded(tc.duration); got != tc.rounded {
				t.Errorf("rounded: got %s, want %s", got, tc.rounded)
			}
			if got := c.wholeMinutes(tc.duration); got != tc.minutes {
				t.Errorf("wholeMinutes: got %s, want %s", got, tc.minutes)
			}
		})
	}
}

func TestSince(t *testing.T) {
	start := metav1.NewTime(testNow.Add(-70 * time.Second))
	for name, tc := range map[string]struct {
		start *metav1.Time
		want  string
	}{
		"known":   {start: &start, want: "1m10s"},
		"unknown": {start: nil, want: "-"},
		"zero":    {start: &metav1.Time{}, want: "-"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (clock{now: testNow}).since(tc.start); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// TestDurationOf is about an update that started an hour ago.
func TestDurationOf(t *testing.T) {
	for _, tc := range []struct {
		name     string
		estimate time.Duration
		change   func(*updatev1alpha1.ClusterVersionInsight)
		want     string
	}{
		{name: "hours remain", estimate: 72*time.Minute + 31*time.Second, want: "1h (Est. Time Remaining: 1h13m)"},
		{name: "ten minutes remain", estimate: 10 * time.Minute, want: "1h (Est. Time Remaining: 10m)"},
		{name: "less than ten minutes remain", estimate: 10*time.Minute - time.Second, want: "1h (Est. Time Remaining: <10m)"},
		{name: "the estimate has just passed", estimate: -time.Second, want: "1h (Est. Time Remaining: <10m)"},
		{name: "ten minutes past the estimate", estimate: -10 * time.Minute, want: "1h (Est. Time Remaining: <10m)"},
		{name: "long past the estimate", estimate: -10*time.Minute - time.Second, want: "1h (Est. Time Remaining: N/A; estimate duration was 49m)"},
		{
			name:     "an estimate from before the start",
			estimate: -2 * time.Hour,
			want:     "1h (Est. Time Remaining: N/A; estimate duration was now)",
		},
		{
			name: "no estimate",
			change: func(version *updatev1alpha1.ClusterVersionInsight) {
				version.EstimatedCompletedAt = nil
			},
			want: "1h (Est. Time Remaining: N/A)",
		},
		{
			name: "the start is not known",
			change: func(version *updatev1alpha1.ClusterVersionInsight) {
				version.StartedAt = nil
			},
			want: "unknown",
		},
		{
			name: "complete",
			change: func(version *updatev1alpha1.ClusterVersionInsight) {
				version.CompletedAt = at(-90 * time.Second)
			},
			want: "59m",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			version := &updatev1alpha1.ClusterVersionInsight{StartedAt: at(-time.Hour), EstimatedCompletedAt: at(tc.estimate)}
			if tc.change != nil {
				tc.change(version)
			}
			if got := (clock{now: testNow}).durationOf(version, true); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func at(offset time.Duration) *metav1.Time {
	t := metav1.NewTime(testNow.Add(offset))
	return &t
}
