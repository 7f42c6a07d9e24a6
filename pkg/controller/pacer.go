package controller

import (
	"time"

	"golang.org/x/time/rate"
)

// The limits of writes. A write costs its bytes: the API server validates and etcd stores the whole object each time. After a
// quiet period a change is written immediately; under load a large cluster writes no more bytes a second than a small one.
const (
	sustainedBytes = 240 << 10 // a second
	burstBytes     = 3 << 19
	writesASecond  = 4
	// freeBytes of each write are not counted: the object of a small cluster with many operators (100 KiB) waits a sixth less,
	// one of 1 MiB a sixtieth.
	freeBytes = 16 << 10
)

// pacer limits writes by their number and their bytes.
type pacer struct {
	bytes  *rate.Limiter
	writes *rate.Limiter
}

func newPacer() *pacer {
	return &pacer{
		bytes:  rate.NewLimiter(sustainedBytes, burstBytes),
		writes: rate.NewLimiter(writesASecond, 1),
	}
}

// reserve reserves a write of a size and returns zero, or reserves nothing and returns the delay until it may happen.
func (p *pacer) reserve(now time.Time, size int) time.Duration {
	delay, cancel := p.take(now, size)
	if delay > 0 {
		cancel()
	}
	return delay
}

// next returns the delay until the next write of a size may happen.
func (p *pacer) next(now time.Time, size int) time.Duration {
	delay, cancel := p.take(now, size)
	cancel()
	return delay
}

func (p *pacer) take(now time.Time, size int) (delay time.Duration, cancel func()) {
	bytes, writes := p.bytes.ReserveN(now, min(max(0, size-freeBytes), burstBytes)), p.writes.ReserveN(now, 1)
	return max(bytes.DelayFrom(now), writes.DelayFrom(now)), func() {
		bytes.CancelAt(now)
		writes.CancelAt(now)
	}
}
