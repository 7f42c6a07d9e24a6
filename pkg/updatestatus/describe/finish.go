package describe

import (
	"fmt"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// expected returns when the whole update is expected to be complete, or why that is not known.
func (c clock) expected(s *updatev1alpha1.UpdateStatusSummaryStatus) string {
	if s.Estimate != nil {
		text := c.within(s.Estimate)
		if s.Estimate.Uncertain != "" {
			text += ", uncertain: " + s.Estimate.Uncertain
		}
		return text
	}
	if s.NoEstimate == nil {
		return ""
	}
	why := s.NoEstimate.Message
	if s.ControlPlane != nil && s.ControlPlane.Estimate != nil {
		return fmt.Sprintf("the control plane %s, the rest unknown: %s", c.within(s.ControlPlane.Estimate), why)
	}
	return "unknown: " + why
}

// within returns an estimate, as the end of a sentence.
func (c clock) within(estimate *updatev1alpha1.SummaryEstimate) string {
	earliest, latest := estimate.Earliest.Time, estimate.Latest.Time
	between := fmt.Sprintf("%s to %s", c.timeOfDay(earliest), c.timeOfDay(latest))
	switch late := c.now.Sub(latest).Truncate(time.Minute); {
	case late > 0:
		return fmt.Sprintf("overdue by %s: expected from %s UTC", c.short(late), between)
	case !c.now.Before(latest):
		return fmt.Sprintf("at any time, expected from %s UTC", between)
	case !c.now.Before(earliest):
		return fmt.Sprintf("any time now, within %s (%s UTC)", c.remaining(latest), c.timeOfDay(latest))
	case c.remaining(earliest) == c.remaining(latest):
		return fmt.Sprintf("in about %s (%s UTC)", c.remaining(latest), c.timeOfDay(latest))
	default:
		return fmt.Sprintf("in %s to %s (%s UTC)", c.remaining(earliest), c.remaining(latest), between)
	}
}

// remaining returns the duration until a time, in minutes rounded up.
func (c clock) remaining(until time.Time) string {
	return c.short((until.Sub(c.now) + time.Minute - 1).Truncate(time.Minute))
}

// timeOfDay returns a time of today, or the date too.
func (c clock) timeOfDay(at time.Time) string {
	at = at.UTC()
	if at.Format(time.DateOnly) == c.now.UTC().Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}
