package timeline

import "time"

const day = 24 * time.Hour

// steps are how far apart the ticks of an axis can be.
var steps = []time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day, 2 * day, 7 * day, 14 * day, 28 * day,
}

// Ticks returns the moments that are marked on the axis: round ones in UTC, at most as many as there is place for, and none if that
// is none.
func (t *Timeline) Ticks(most int) []time.Time {
	if most < 1 {
		return nil
	}
	step := steps[0]
	for at := 0; at < len(steps) && t.End.Sub(t.Start)/step >= time.Duration(most); at++ {
		step = steps[at]
	}
	for t.End.Sub(t.Start)/step >= time.Duration(most) {
		step *= 2
	}
	var ticks []time.Time
	// Truncate counts from the year 1, so that steps of days start at midnight.
	for at := t.Start.UTC().Truncate(step); !at.After(t.End); at = at.Add(step) {
		if !at.Before(t.Start) {
			ticks = append(ticks, at)
		}
	}
	return ticks
}
