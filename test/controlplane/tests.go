package controlplane

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
)

// RunTests runs the tests of a package on one control plane, and stops it afterwards, also when the tests are
// interrupted. It returns the exit status. Tests that share it call Reset when they are done:
//
//	var plane *controlplane.ControlPlane
//
//	func TestMain(m *testing.M) {
//		os.Exit(controlplane.RunTests(m, &plane, controlplane.Options{}))
//	}
func RunTests(tests interface{ Run() int }, shared **ControlPlane, options Options) int {
	started := make(chan *ControlPlane, 1)
	return RunParallelTests(runner(func() int {
		*shared = <-started
		return tests.Run()
	}), started, options)
}

type runner func() int

// Run runs tests.
func (r runner) Run() int { return r() }

// RunParallelTests does the same on as many control planes as the channel has room for. A test takes one from the channel, and puts it
// back when it is done. As many tests run in parallel.
func RunParallelTests(tests interface{ Run() int }, planes chan *ControlPlane, options Options) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	if err := flag.Set("test.parallel", strconv.Itoa(cap(planes))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	all, err := startAll(ctx, cap(planes), options)
	if err == nil {
		status := make(chan int, 1)
		for _, plane := range all {
			planes <- plane
		}
		go func() { status <- tests.Run() }()
		select {
		case result := <-status:
			return max(result, stopAll(all, nil))
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return stopAll(all, err)
}

// startAll starts control planes, also as many as it can if one fails.
func startAll(ctx context.Context, count int, options Options) ([]*ControlPlane, error) {
	var lock sync.Mutex
	var all []*ControlPlane
	var failed error
	var starting sync.WaitGroup
	for range count {
		starting.Go(func() {
			plane, err := Start(ctx, options)
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				failed = err
				return
			}
			all = append(all, plane)
		})
	}
	starting.Wait()
	return all, failed
}

// stopAll stops control planes, and returns the exit status after an error, which may be nil.
func stopAll(all []*ControlPlane, err error) int {
	for _, plane := range all {
		err = errors.Join(err, plane.Stop())
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}
