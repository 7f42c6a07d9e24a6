package source

import (
	"maps"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
)

// drainsPatience is how long the first report waits for the blockers of long drains to be read: their insights in the object would be
// withdrawn otherwise, and reported again a moment later.
const drainsPatience = 15 * time.Second

// Drains requests to read what blocks the drains of nodes, and returns what was last read of each, nil before the first read, and when to
// call it again.
type Drains func(nodes []string, now time.Time) (map[string]*drain.Blockers, time.Time)

// longDrains is what was read of the drains that take long.
type longDrains struct {
	// last is what Drains returned last.
	last map[string]*drain.Blockers
	// firstAt is when nodes were first assessed, and hasReported whether that was reported.
	firstAt     time.Time
	hasReported bool
}

// read returns when to read again, and whether what blocks the drains of nodes differs from before.
func (d *longDrains) read(drains Drains, nodes []string, now time.Time) (again time.Time, isChanged bool) {
	if d.firstAt.IsZero() {
		d.firstAt = now
	}
	blockers, again := drains(nodes, now)
	isChanged = !maps.Equal(blockers, d.last)
	d.last = blockers
	return again, isChanged
}

// patienceEnds returns until when the first report waits, zero if it does not.
func (d *longDrains) patienceEnds(now time.Time) time.Time {
	if end := d.firstAt.Add(drainsPatience); !d.hasReported && d.isAwaited() && now.Before(end) {
		return end
	}
	d.hasReported = true
	return time.Time{}
}

// isAwaited returns whether the blockers of a drain have not been read yet.
func (d *longDrains) isAwaited() bool {
	for _, read := range d.last {
		if read == nil {
			return true
		}
	}
	return false
}
