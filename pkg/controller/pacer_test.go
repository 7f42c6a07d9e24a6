package controller

import (
	"testing"
	"time"
)

// simulate writes as often as the pacer allows for a time, and returns the number of writes and bytes.
func simulate(p *pacer, now time.Time, length time.Duration, size int) (writes, bytes int) {
	for end := now.Add(length); now.Before(end); {
		delay := p.reserve(now, size)
		if delay == 0 {
			writes++
			bytes += size
		}
		now = now.Add(max(delay, time.Nanosecond))
	}
	return writes, bytes
}

func TestPacer(t *testing.T) {
	start := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name             string
		size             int
		length           time.Duration
		writes, maxBytes int
	}{
		{name: "number of small objects", size: 1 << 10, length: 10 * time.Second, writes: 40, maxBytes: 1 << 20},
		{name: "100 operators", size: 104 << 10, length: time.Minute, writes: 17 + 164, maxBytes: 181 * 104 << 10},
		{name: "burst of large objects", size: 600 << 10, length: time.Second, writes: 2, maxBytes: 2 * 600 << 10},
		{name: "bytes of large objects", size: 1 << 20, length: time.Minute, writes: 1 + 14, maxBytes: 3<<19 + 60*240<<10},
		{name: "larger than the burst", size: 5 << 20, length: time.Minute, writes: 1 + 9, maxBytes: 10 * 5 << 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			writes, bytes := simulate(newPacer(), start, test.length, test.size)
			if writes < test.writes-1 || writes > test.writes+1 || bytes > test.maxBytes+test.size {
				t.Errorf("%d writes of %d bytes in all, want %d and at most %d", writes, bytes, test.writes, test.maxBytes)
			}
		})
	}
}

func TestPacerQuietPeriod(t *testing.T) {
	p, now := newPacer(), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	simulate(p, now, time.Minute, 1<<20)
	if delay := p.reserve(now.Add(2*time.Minute), 1<<20); delay != 0 {
		t.Errorf("delay %s", delay)
	}
}

func TestPacerDelay(t *testing.T) {
	p, now := newPacer(), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	p.reserve(now, 1<<10)
	first := p.reserve(now, 1<<10)
	for range 100 {
		if again := p.reserve(now, 1<<10); again != first {
			t.Fatalf("the delay is %s, was %s", again, first)
		}
	}
	if delay := p.reserve(now.Add(first), 1<<10); delay != 0 {
		t.Errorf("delay %s after the delay", delay)
	}
}

func TestPacerNext(t *testing.T) {
	p, now := newPacer(), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for range 5 {
		if delay := p.reserve(now, 1<<20); delay != 0 {
			t.Fatalf("delay %s", delay)
		}
		next := p.next(now, 1<<20)
		if delay := p.reserve(now, 1<<20); delay != next || next == 0 {
			t.Fatalf("delay %s, next was %s", delay, next)
		}
		now = now.Add(next)
	}
}
