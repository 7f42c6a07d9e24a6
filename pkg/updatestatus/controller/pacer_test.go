package controller

import (
	"testing"
	"time"
)

// simulate writes as often as the pacer allows for a time, and returns the number of writes.
func simulate(p *pacer, now time.Time, length time.Duration, size int, urgent bool) (writes int) {
	for end := now.Add(length); now.Before(end); {
		delay := p.reserve(now, size, urgent)
		if delay == 0 {
			writes++
		}
		now = now.Add(max(delay, time.Nanosecond))
	}
	return writes
}

// TestPacer counts the writes of objects in a time: those of the burst, those of the credit, and those at 32 KiB a second.
func TestPacer(t *testing.T) {
	start := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name   string
		size   int
		length time.Duration
		urgent bool
		want   int
	}{
		{name: "a small cluster", size: 64 << 10, length: time.Minute, want: 32 + 30},
		{name: "250 nodes", size: 256 << 10, length: 10 * time.Minute, want: 8 + 75},
		{name: "the largest object", size: 1 << 20, length: 10 * time.Minute, want: 2 + 19},
		{name: "larger than the burst", size: 5 << 20, length: 10 * time.Minute, want: 1 + 10},
		{name: "urgent changes", size: 256 << 10, length: 10 * time.Minute, urgent: true, want: 8 + 8 + 75},
		{name: "urgent changes larger than the burst", size: 5 << 20, length: 10 * time.Minute, urgent: true, want: 1 + 1 + 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := simulate(newPacer(), start, test.length, test.size, test.urgent); got < test.want-1 || got > test.want+1 {
				t.Errorf("%d writes, want %d", got, test.want)
			}
		})
	}
}

// TestPacerCredit checks that an urgent change is written where another one waits, and that the other one waits for longer then.
func TestPacerCredit(t *testing.T) {
	p, now := newPacer(), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	simulate(p, now, time.Nanosecond, burstBytes, false)
	if delay := p.reserve(now, 64<<10, false); delay != 2*time.Second {
		t.Errorf("delay %s", delay)
	}
	if delay := p.reserve(now, 64<<10, true); delay != 0 {
		t.Errorf("delay %s of an urgent change", delay)
	}
	if delay := p.reserve(now, 64<<10, false); delay != 4*time.Second {
		t.Errorf("delay %s after an urgent change", delay)
	}
	for range 31 {
		if delay := p.reserve(now, 64<<10, true); delay != 0 {
			t.Fatalf("delay %s of an urgent change", delay)
		}
	}
	if delay := p.reserve(now, 64<<10, true); delay != 2*time.Second {
		t.Errorf("delay %s of an urgent change without credit", delay)
	}
}

func TestPacerQuietPeriod(t *testing.T) {
	p, now := newPacer(), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	simulate(p, now, time.Minute, 1<<20, true)
	if delay := p.reserve(now.Add(3*time.Minute), 1<<20, false); delay != 0 {
		t.Errorf("delay %s", delay)
	}
}

func TestPacerDelay(t *testing.T) {
	p, now := newPacer(), time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	p.reserve(now, burstBytes, false)
	first := p.reserve(now, 1<<10, false)
	for range 100 {
		if again := p.reserve(now, 1<<10, false); again != first {
			t.Fatalf("the delay is %s, was %s", again, first)
		}
	}
	if delay := p.reserve(now.Add(first), 1<<10, false); delay != 0 {
		t.Errorf("delay %s after the delay", delay)
	}
}
