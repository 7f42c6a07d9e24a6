package controller

import "time"

// leastWait is the least that is waited for what is due: clocks are not exact.
const leastWait = time.Second

// isDue is whether the status is another one by now although no source has said anything.
func (c *Controller) isDue() bool {
	due := c.builder.NextCheck()
	return !due.IsZero() && !c.clock.Now().Before(due)
}

// untilDue is how long that takes, zero if it never happens.
func (c *Controller) untilDue() time.Duration {
	due := c.builder.NextCheck()
	if due.IsZero() {
		return 0
	}
	return max(due.Sub(c.clock.Now()), leastWait)
}
