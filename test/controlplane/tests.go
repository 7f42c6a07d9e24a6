package controlplane

import (
	"context"
	"fmt"
	"os"
	"os/signal"
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	plane, err := Start(ctx, options)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	*shared = plane
	status := make(chan int, 1)
	go func() { status <- tests.Run() }()

	result := 1
	select {
	case result = <-status:
	case <-ctx.Done():
	}
	if err := plane.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return result
}
