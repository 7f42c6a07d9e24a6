package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

// run returns the exit status.
func run(args []string) int {
	// Clients log connections that end with the control plane.
	klog.SetLogger(logr.Discard())
	ctx, stop := untilSignal(context.Background())
	defer stop()

	command := newCommand(&console{file: os.Stdout})
	command.SetArgs(args)
	err := command.ExecuteContext(ctx)
	var stopped interruption
	if errors.As(context.Cause(ctx), &stopped) && err != nil {
		return 128 + int(stopped.signal)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	return 0
}

// interruption is the end after a signal.
type interruption struct {
	signal syscall.Signal
}

// Error implements error.
func (i interruption) Error() string {
	return "stopped by signal: " + i.signal.String()
}

// untilSignal returns a context that ends with a signal. Further signals do not keep the demo from cleaning up.
func untilSignal(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	// Without anybody who takes it, this signal ends the process on the spot when the reader of a pipe goes away. The
	// write that finds nobody fails all the same, and ends the demo in its own order.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		for received := range signals {
			if number, ok := received.(syscall.Signal); ok && ctx.Err() == nil {
				fmt.Fprintln(os.Stderr, "\nStopping everything: this takes a few seconds")
				cancel(interruption{signal: number})
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}
