package describe

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// precise is the duration up to which seconds matter.
const precise = 10 * time.Minute

// short writes a duration to the second. What is shorter than a second, or lies ahead since clocks differ, is now.
func short(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return insight.Duration(d)
}

// rounded writes a duration to the second as long as seconds matter, then to the nearest minute.
func rounded(d time.Duration) string {
	if d.Truncate(time.Second) < precise {
		return short(d)
	}
	return short(d.Round(time.Minute))
}

// cut writes the whole minutes of a duration.
func cut(d time.Duration) string {
	if d < time.Minute {
		return short(d)
	}
	return short(d.Truncate(time.Minute))
}

// since writes how long ago something began.
func since(start *metav1.Time, now time.Time) string {
	if start.IsZero() {
		return "-"
	}
	return short(now.Sub(start.Time))
}
