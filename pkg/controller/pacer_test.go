package controller

import (
	"testing"
	"time"
)

// play lets a controller that always has something to say write for a time, and returns how many writes and bytes that
// makes.
func play(p *pacer, now time.Time, length time.Duration, size int) (writes, bytes int) {
	for end := now.Add(length); now.Before(end); {
		wait := p.reserve(now, size)
		if wait == 0 {
			writes++
			bytes += size
		}
		now = now.Add(max(wait, time.Nanosecond))
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
		{"small objects by their number", 1 << 10, 10 * time.Second, 40, 1 << 20},
		{"those of 100 operators", 104 << 10, time.Minute, 17 + 164, 181 * 104 << 10},
		{"large objects in a burst", 600 << 10, time.Second, 2, 2 * 600 << 10},
		{"large objects by their bytes", 1 << 20, time.Minute, 1 + 14, 3<<19 + 60*240<<10},
		{"larger than the burst all the same", 5 << 20, time.Minute, 1 + 9, 10 * 5 << 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			writes, bytes := play(newPacer(), start, test.length, test.size)
			if writes < test.writes-1 || writes > test.writes+1 || bytes > test.maxBytes+test.size {
				t.Errorf("%d writes of %d bytes in all, want %d and at most %d", writes, bytes, test.writes, test.maxBytes)
			}
		})
	}
}

func TestPacerWritesAtOnceAfterAQuietTime(t *testing.T) {
	p, now := newPacer(), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	play(p, now, time.Minute, 1<<20)
	if wait := p.reserve(now.Add(2*time.Minute), 1<<20); wait != 0 {
		t.Errorf("waits for %s", wait)
	}
}

func TestPacerTakesNothingForAWriteThatWaits(t *testing.T) {
	p, now := newPacer(), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	p.reserve(now, 1<<10)
	first := p.reserve(now, 1<<10)
	for range 100 {
		if again := p.reserve(now, 1<<10); again != first {
			t.Fatalf("asking again made the wait %s, was %s", again, first)
		}
	}
	if wait := p.reserve(now.Add(first), 1<<10); wait != 0 {
		t.Errorf("waits for another %s after the wait", wait)
	}
}

func TestPacerTellsWhenTheNextMayBe(t *testing.T) {
	p, now := newPacer(), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for range 5 {
		if wait := p.reserve(now, 1<<20); wait != 0 {
			t.Fatalf("waits for another %s", wait)
		}
		next := p.next(now, 1<<20)
		if wait := p.reserve(now, 1<<20); wait != next || next == 0 {
			t.Fatalf("waits for %s, told was %s", wait, next)
		}
		now = now.Add(next)
	}
}
