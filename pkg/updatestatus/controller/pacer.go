package controller

import (
	"time"

	"golang.org/x/time/rate"
)

// The limits of writes. A write costs the API server 0.8 to 1 ms of CPU for each KiB of the object, whatever changed in it.
const (
	// sustainedBytes a second are some 3 % of a core of the API server.
	sustainedBytes = 32 << 10
	// burstBytes let a change after a quiet time be written immediately, and bound what urgent changes may owe.
	burstBytes = 2 << 20
	// credit is how long what urgent changes owe takes to be paid back.
	credit = burstBytes / sustainedBytes * time.Second
)

// pacer limits the bytes that are written.
type pacer struct {
	bytes *rate.Limiter
}

func newPacer() *pacer {
	return &pacer{bytes: rate.NewLimiter(sustainedBytes, burstBytes)}
}

// reserve reserves a write of a size and returns zero, or reserves nothing and returns the delay until it may happen. What is
// urgent is written on credit.
func (p *pacer) reserve(now time.Time, size int, urgent bool) time.Duration {
	reservation := p.bytes.ReserveN(now, min(size, burstBytes))
	delay := reservation.DelayFrom(now)
	if urgent {
		delay -= credit
	}
	if delay <= 0 {
		return 0
	}
	reservation.CancelAt(now)
	return delay
}
