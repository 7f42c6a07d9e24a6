package controller

import (
	"time"

	"golang.org/x/time/rate"
)

// How much may be written. Bytes are what a write costs: the API server validates and etcd stores all of the object each
// time. After a quiet time a change is written at once; under load a large cluster costs no more bytes a second than a small one.
const (
	sustainedBytes = 240 << 10 // a second
	burstBytes     = 3 << 19
	writesASecond  = 4
	// freeBytes of each write are not counted: the object of a small cluster with many operators (100 KiB) waits a sixth less
	// for its turn, one of 1 MiB a sixtieth.
	freeBytes = 16 << 10
)

// pacer says when the next write may happen.
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

// reserve takes a write of a size from the budget and returns zero, or takes nothing and returns how long to wait.
func (p *pacer) reserve(now time.Time, size int) time.Duration {
	wait, cancel := p.take(now, size)
	if wait > 0 {
		cancel()
	}
	return wait
}

// next returns after which time the next write of a size may happen.
func (p *pacer) next(now time.Time, size int) time.Duration {
	wait, cancel := p.take(now, size)
	cancel()
	return wait
}

func (p *pacer) take(now time.Time, size int) (wait time.Duration, cancel func()) {
	bytes, writes := p.bytes.ReserveN(now, min(max(0, size-freeBytes), burstBytes)), p.writes.ReserveN(now, 1)
	return max(bytes.DelayFrom(now), writes.DelayFrom(now)), func() {
		bytes.CancelAt(now)
		writes.CancelAt(now)
	}
}
