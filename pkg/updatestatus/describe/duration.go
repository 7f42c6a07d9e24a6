package describe

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// toTheSecond is the duration up to which seconds are shown.
const toTheSecond = 10 * time.Minute

const day = 24 * time.Hour

// clock writes durations as of a time.
type clock struct {
	now time.Time
	// days is set if long durations have days, which the classic text does not.
	days bool
}

// short returns a duration to the second, or to the hour from a day on. Less than a second, or a time in the future as clocks
// differ, is "now".
func (c clock) short(d time.Duration) string {
	switch {
	case d < time.Second:
		return "now"
	case c.days && d >= day && d%day < time.Hour:
		return fmt.Sprintf("%dd", d/day)
	case c.days && d >= day:
		return fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
	default:
		return insight.Duration(d)
	}
}

// rounded returns a duration to the second below ten minutes, else to the nearest minute.
func (c clock) rounded(d time.Duration) string {
	if d.Truncate(time.Second) < toTheSecond {
		return c.short(d)
	}
	return c.short(d.Round(time.Minute))
}

// wholeMinutes returns a duration without its seconds.
func (c clock) wholeMinutes(d time.Duration) string {
	if d < time.Minute {
		return c.short(d)
	}
	return c.short(d.Truncate(time.Minute))
}

// since returns the duration from a start time to now.
func (c clock) since(start *metav1.Time) string {
	if start.IsZero() {
		return "-"
	}
	return c.short(c.now.Sub(start.Time))
}

// Rounded returns for how long something has lasted, as texts have it: to the second below ten minutes, else to the nearest minute.
func Rounded(d time.Duration) string {
	if d < time.Second {
		return Duration(d)
	}
	return clock{days: true}.rounded(d)
}

// Duration returns how long something took, for other forms than the classic text: to the second, with days.
func Duration(d time.Duration) string {
	if d < time.Second {
		return "<1s"
	}
	return clock{days: true}.short(d)
}
