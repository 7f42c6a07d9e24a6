package pace

import (
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// burst is the CPU time that a measurement uses: several time slices, since a thread that has slept gets its first one at once.
const burst = 10 * time.Millisecond

// load measures how busy this machine is, at most once in half an interval, however many tests wait.
var load struct {
	lock     sync.Mutex
	measured time.Time
	stretch  float64
}

// Stretch returns how many times as long as on a quiet machine work takes now: 1 on a quiet machine, 5 if four other threads want the same
// core.
func Stretch() float64 {
	load.lock.Lock()
	defer load.lock.Unlock()
	if load.measured.IsZero() || time.Since(load.measured) > interval/2 {
		load.stretch, load.measured = measure(), time.Now()
	}
	return load.stretch
}

// measure returns the wall time of a burst of CPU time, in bursts.
func measure() float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	started, used := time.Now(), threadTime()
	for threadTime()-used < burst {
	}
	return max(1, float64(time.Since(started))/float64(burst))
}

// threadTime returns the CPU time that this thread has used.
func threadTime() time.Duration {
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used); err != nil {
		panic(err) // POSIX requires this clock
	}
	return time.Duration(used.Nano())
}
