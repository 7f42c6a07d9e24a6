package faults

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"

	"k8s.io/apimachinery/pkg/util/wait"

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
	w.replace(process)
	return nil
}

// replace makes another process the controller.
func (w *World) replace(process running) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.process = process
	w.starts++
}

func (w *World) startController(ctx context.Context) (running, error) {
	if w.scenario.OwnClock {
		account, err := w.Plane.As(ctx, controlplane.ServiceAccount)
		if err != nil {
			return nil, err
		}
		return harness.StartInProcessAs(context.WithoutCancel(ctx), w.Proxy.Through(account), clockAhead{by: &w.ahead}, updatestatus.Options{})
	}
	flags := append(withoutMonitoring(), w.scenario.Flags...)
	if w.scenario.Config != "" {
		path := w.folder + "/config.yaml"
		if err := os.WriteFile(path, []byte(w.scenario.Config), 0o600); err != nil {
			return nil, fmt.Errorf("writing the configuration: %w", err)
		}
		flags = append(flags, "--config", path)
	}
	return harness.StartProcess(ctx, w.Plane, harness.ProcessOptions{
		Logs: &w.logs, Flags: flags, Kubeconfig: w.kubeconfig,
	})
}

// withoutMonitoring are flags for a cluster without monitoring: during a long update the object would say so.
func withoutMonitoring() []string {
	return []string{"--alerts-url="}
}

// current returns the controller that was started last.
func (w *World) current() running {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.process
}

// Stop terminates the controller gracefully. A process that was just started does not handle signals yet.
func (w *World) Stop() error {
	if err := w.waitUntilServing(); err != nil {
		return err
	}
	if err := w.current().Stop(); err != nil {
		return fmt.Errorf("the controller ended with an error: %w", err)
	}
	return nil
}

// waitUntilServing waits until the controller, if it is a process of its own, serves: it handles signals then.
func (w *World) waitUntilServing() error {
	process, ok := w.current().(*harness.Process)
	if !ok {
		return nil
	}
	err := wait.PollUntilContextTimeout(context.Background(), pollInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", process.Address())
		if err != nil {
			return false, w.checkRunning()
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

// checkRunning returns an error if the controller has ended.
func (w *World) checkRunning() error {
	select {
	case <-w.current().Ended():
		return errors.New("the controller has ended")
	default:
		return nil
	}
}
