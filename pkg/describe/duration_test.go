package describe

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

func TestDurations(t *testing.T) {
	for _, tc := range []struct {
		duration                    time.Duration
		wantShort, wantRounded, cut string
	}{
		{duration: -time.Hour, wantShort: "now", wantRounded: "now", cut: "now"},
		{duration: 999 * time.Millisecond, wantShort: "now", wantRounded: "now", cut: "now"},
		{duration: time.Second, wantShort: "1s", wantRounded: "1s", cut: "1s"},
		{duration: 59*time.Second + 999*time.Millisecond, wantShort: "59s", wantRounded: "59s", cut: "59s"},
		{duration: 2 * time.Minute, wantShort: "2m", wantRounded: "2m", cut: "2m"},
		{duration: 89 * time.Second, wantShort: "1m29s", wantRounded: "1m29s", cut: "1m"},
		{duration: 10*time.Minute - time.Millisecond, wantShort: "9m59s", wantRounded: "9m59s", cut: "9m"},
		{duration: 10 * time.Minute, wantShort: "10m", wantRounded: "10m", cut: "10m"},
		{duration: 14*time.Minute + 29*time.Second, wantShort: "14m29s", wantRounded: "14m", cut: "14m"},
		{duration: 14*time.Minute + 30*time.Second, wantShort: "14m30s", wantRounded: "15m", cut: "14m"},
		{duration: 59*time.Minute + 59*time.Second, wantShort: "59m59s", wantRounded: "1h", cut: "59m"},
		{duration: time.Hour + 5*time.Second, wantShort: "1h0m5s", wantRounded: "1h", cut: "1h"},
		{duration: 24*time.Hour + 8*time.Minute + 54*time.Second, wantShort: "24h8m54s", wantRounded: "24h9m", cut: "24h8m"},
		{duration: 20 * time.Hour, wantShort: "20h", wantRounded: "20h", cut: "20h"},
		{duration: 30 * time.Minute, wantShort: "30m", wantRounded: "30m", cut: "30m"},
	} {
		t.Run(tc.duration.String(), func(t *testing.T) {
			if got := short(tc.duration); got != tc.wantShort {
				t.Errorf("short: got %s, want %s", got, tc.wantShort)
			}
			if got := rounded(tc.duration); got != tc.wantRounded {
				t.Errorf("rounded: got %s, want %s", got, tc.wantRounded)
			}
			if got := cut(tc.duration); got != tc.cut {
				t.Errorf("cut: got %s, want %s", got, tc.cut)
			}
		})
	}
}

func TestSince(t *testing.T) {
	start := metav1.NewTime(lookedAt.Add(-70 * time.Second))
	for name, tc := range map[string]struct {
		start *metav1.Time
		want  string
	}{
		"known":   {start: &start, want: "1m10s"},
		"unknown": {start: nil, want: "-"},
		"zero":    {start: &metav1.Time{}, want: "-"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := since(tc.start, lookedAt); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// TestDurationOf covers what is said of the time that the update has taken and will take. It started an hour ago.
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
			name: "complete, though it is not known whether the control plane is updating",
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
			if got := durationOf(version, lookedAt); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func at(offset time.Duration) *metav1.Time {
	moment := metav1.NewTime(lookedAt.Add(offset))
	return &moment
}
