package faults

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// Start starts the controller.
func (w *World) Start(ctx context.Context) (err error) {
	w.current, err = w.startController(ctx)
	return err
}

// startController starts a controller beside others.
func (w *World) startController(ctx context.Context) (controller running, err error) {
	if w.scenario.OwnClock {
		account, errAccount := w.Plane.As(ctx, controlplane.ServiceAccount)
		if errAccount != nil {
			return nil, errAccount
		}
		controller, err = harness.StartInProcessAs(context.WithoutCancel(ctx), w.Proxy.Through(account), clockAhead{by: &w.ahead}, updatestatus.Options{})
	} else {
		// Without monitoring, a long update would have an insight about it.
		flags := append([]string{"--alerts-url="}, w.scenario.Flags...)
		if w.scenario.Config != nil {
			path := w.folder + "/config.yaml"
			// A controller that runs would end if it saw the file while it is written again.
			if _, missing := os.Stat(path); missing != nil {
				err = os.WriteFile(path, []byte(w.scenario.Config()), 0o600)
			}
			flags = append(flags, "--config", path)
		}
		if err == nil {
			controller, err = harness.StartProcess(ctx, w.Plane, harness.ProcessOptions{Logs: w.Log, Flags: flags, Kubeconfig: w.kubeconfig})
		}
	}
	if err != nil {
		return nil, fmt.Errorf("starting the controller: %w", err)
	}
	w.started = append(w.started, controller)
	return controller, nil
}

// stop terminates a controller gracefully. A process that was just started does not handle signals before it serves.
func (w *World) stop(ctx context.Context, controller running) error {
	err := w.waitUntilServing(ctx, controller)
	if err == nil {
		err = controller.Stop()
	}
	if err != nil {
		return fmt.Errorf("ending the controller: %w", err)
	}
	return nil
}

// waitUntilServing waits until a controller serves, if it is a process of its own.
func (w *World) waitUntilServing(ctx context.Context, controller running) error {
	process, ok := controller.(*harness.Process)
	if !ok {
		return nil
	}
	return w.await(ctx, "the controller to serve", func(ctx context.Context) (bool, error) {
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", process.Address())
		if err != nil {
			return false, checkRunning(controller)
		}
		return true, connection.Close()
	})
}

// Restart kills the controller and starts it again.
func (w *World) Restart(ctx context.Context) error {
	if err := kill(w.current); err != nil {
		return err
	}
	return w.Start(ctx)
}

// kill kills a controller, or ends it if it is within this process.
func kill(controller running) error {
	process, ok := controller.(*harness.Process)
	if !ok {
		return controller.Stop()
	}
	if err := process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("killing the controller: %w", err)
	}
	<-process.Ended()
	return nil
}

// awaitEnd waits until the controller has ended.
func (w *World) awaitEnd(ctx context.Context, limit time.Duration) error {
	ctx, cancel := pace.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-w.current.Ended():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the controller has not ended: %w", context.Cause(ctx))
	}
}

// checkRunning returns an error if a controller has ended.
func checkRunning(controller running) error {
	select {
	case <-controller.Ended():
		return errors.New("the controller has ended")
	default:
		return nil
	}
}
