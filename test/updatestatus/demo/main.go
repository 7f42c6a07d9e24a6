package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// interrupted is the exit status after a signal, as shells have it for Ctrl-C.
const interrupted = 130

func main() {
	os.Exit(run(os.Args[1:]))
}

// run returns the exit status.
func run(args []string) int {
	// Clients log connections that end with the control plane.
	klog.SetLogger(logr.Discard())
	// Further signals do not keep the demo from cleaning up.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	announce := context.AfterFunc(ctx, func() { fmt.Fprintln(os.Stderr, "\nStopping everything: this takes a few seconds") })
	// Without anybody who takes it, this signal ends the process on the spot when the reader of a pipe goes away. The
	// write that finds nobody fails all the same, and ends the demo in its own order.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	command := newCommand(&console{file: os.Stdout})
	command.SetArgs(args)
	err := command.ExecuteContext(ctx)
	announce()
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		return interrupted
	default:
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
}
