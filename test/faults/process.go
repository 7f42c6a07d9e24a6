package faults

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// Start starts the controller.
func (w *World) Start(ctx context.Context) error {
	process, err := w.startController(ctx)
	if err != nil {
		return fmt.Errorf("starting the controller: %w", err)
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	w.process = process
	w.starts++
	return nil
}

func (w *World) startController(ctx context.Context) (running, error) {
	if w.scenario.Ahead != 0 {
		account, err := w.Plane.As(ctx, controlplane.ServiceAccount)
		if err != nil {
			return nil, err
		}
		return harness.StartInProcessAs(context.WithoutCancel(ctx), w.Way.Through(account), clockAhead{clock.RealClock{}, w.scenario.Ahead}, updatestatus.Options{})
	}
	flags := append(withoutMonitoring(), w.scenario.Flags...)
	if w.scenario.Config != "" {
		path := w.folder + "/config.yaml"
		if err := os.WriteFile(path, []byte(w.scenario.Config), 0o600); err != nil {
			return nil, fmt.Errorf("configuring the controller: %w", err)
		}
		flags = append(flags, "--config", path)
	}
	return harness.StartProcess(ctx, w.Plane, harness.ProcessOptions{
		Logs: &w.said, Flags: flags, Kubeconfig: w.kubeconfig,
	})
}

// withoutMonitoring are flags for a cluster that has none: of an update that takes long the object would say so.
func withoutMonitoring() []string {
	return []string{"--alerts-url="}
}

// clockAhead is a clock that is wrong.
type clockAhead struct {
	clock.RealClock

	by time.Duration
}

// Now is part of clock.PassiveClock.
func (c clockAhead) Now() time.Time { return c.RealClock.Now().Add(c.by) }

// Since is part of clock.PassiveClock.
func (c clockAhead) Since(moment time.Time) time.Duration { return c.Now().Sub(moment) }

// current returns the controller that was started last.
func (w *World) current() running {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.process
}

// Stop ends the controller in good order. One that has just been started does not know yet what to do with a signal.
func (w *World) Stop() error {
	if err := w.awaitServing(); err != nil {
		return err
	}
	if err := w.current().Stop(); err != nil {
		return fmt.Errorf("the controller ended with a fault: %w", err)
	}
	return nil
}

// awaitServing waits until the controller, if it is a process of its own, serves: signals are handled by then.
func (w *World) awaitServing() error {
	process, ok := w.current().(*harness.Process)
	if !ok {
		return nil
	}
	err := wait.PollUntilContextTimeout(context.Background(), polling, settling, true, func(ctx context.Context) (bool, error) {
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", process.Address())
		if err != nil {
			return false, w.isRunning()
		}
		return true, connection.Close()
	})
	if err != nil {
		return fmt.Errorf("waiting for the controller to serve: %w", err)
	}
	return nil
}

// Restart kills the controller and starts it again.
func (w *World) Restart(ctx context.Context) error {
	if err := w.kill(); err != nil {
		return err
	}
	return w.Start(ctx)
}

func (w *World) kill() error {
	process, ok := w.current().(*harness.Process)
	if !ok {
		return nil
	}
	if err := process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("killing the controller: %w", err)
	}
	<-process.Ended()
	return nil
}

// isRunning returns an error if the controller has ended.
func (w *World) isRunning() error {
	select {
	case <-w.current().Ended():
		return errors.New("the controller has ended")
	default:
		return nil
	}
}
