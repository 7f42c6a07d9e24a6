package snapshot

import (
	"errors"
	"strings"
	"time"
)

// timestampFile is the file of a must-gather with the start and the end of gathering, a line each, as Go prints a time:
// 2026-11-03 17:40:11.12 +0000 UTC m=+0.12. An interrupted gathering leaves it without the end.
const timestampFile = "timestamp"

// timestampLayout is the layout of its times, without the reading of the monotonic clock.
const timestampLayout = "2006-01-02 15:04:05.999999999 -0700 MST"

var (
	errNoEnd        = errors.New("the gathering did not end")
	errNoTimestamps = errors.New("skipped: no gather timestamps")
)

// readTimestamp reads the times of gathering. Several images have a file each: the last end counts.
func (c *collector) readTimestamp(file string, content []byte) {
	var times []time.Time
	for line := range strings.Lines(string(content)) {
		wall, _, _ := strings.Cut(strings.TrimSpace(line), " m=")
		if wall == "" {
			continue
		}
		at, err := time.Parse(timestampLayout, wall)
		if err != nil {
			c.problem(file, 0, errNoTimestamps)
			return
		}
		times = append(times, at)
	}
	switch len(times) {
	case 0:
		c.problem(file, 0, errNoTimestamps)
	case 1:
		c.problem(file, 0, errNoEnd)
	default:
		if c.gatheredFrom.IsZero() || times[0].Before(c.gatheredFrom) {
			c.gatheredFrom = times[0]
		}
		if end := times[len(times)-1]; end.After(c.gathered) {
			c.gathered = end
		}
	}
}
