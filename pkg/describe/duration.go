package describe

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// toTheSecond is the duration up to which seconds are shown.
const toTheSecond = 10 * time.Minute

// short returns a duration to the second. Less than a second, or a time in the future as clocks differ, is "now".
func short(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return insight.Duration(d)
}

// rounded returns a duration to the second below ten minutes, else to the nearest minute.
func rounded(d time.Duration) string {
	if d.Truncate(time.Second) < toTheSecond {
		return short(d)
	}
	return short(d.Round(time.Minute))
}

// wholeMinutes returns a duration without its seconds.
func wholeMinutes(d time.Duration) string {
	if d < time.Minute {
		return short(d)
	}
	return short(d.Truncate(time.Minute))
}

// since returns the duration from a start time to now.
func since(start *metav1.Time, now time.Time) string {
	if start.IsZero() {
		return "-"
	}
	return short(now.Sub(start.Time))
}
