package describe

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// precise is the duration up to which seconds matter.
const precise = 10 * time.Minute

// short writes a duration to the second, without the units at its end that are zero: 2m, 24h8m54s. What is shorter than
// a second, or lies ahead since clocks differ, is now.
func short(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	text := d.Truncate(time.Second).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
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
