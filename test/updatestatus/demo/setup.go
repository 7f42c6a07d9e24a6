package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

const (
	// stopTimeout is how long the controller may take to end.
	stopTimeout = 20 * time.Second
	// logLines is how many lines of the log of the controller are shown after an error.
	logLines = 30
)

// setup is a control plane and what belongs to it, in one folder.
type setup struct {
	console *console
	// folder holds all files, of the control plane, the controller and the commands that are run.
	folder     string
	plane      *controlplane.ControlPlane
	kubeconfig string
	controller *harness.Process
}

// withControlPlane starts a control plane, calls use and removes everything.
func withControlPlane(ctx context.Context, console *console, options controlplane.Options, use func(*setup) error) (err error) {
	folder, err := os.MkdirTemp("", "update-status-demo-")
	if err != nil {
		return fmt.Errorf("making a folder for everything that the demo writes: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	// All that is started from here on, in this process and others, leaves its files there.
	if err := os.Setenv("TMPDIR", folder); err != nil {
		return fmt.Errorf("naming the folder for temporary files: %w", err)
	}
	began := time.Now()
	console.say("Starting etcd and kube-apiserver with the CRDs of OpenShift, and installing manifests/ ...")
	plane, err := controlplane.Start(ctx, options)
	if err != nil {
		return fmt.Errorf("starting the control plane: %w", err)
	}
	defer func() { err = errors.Join(err, plane.Stop()) }()
	console.say("  ready after %s", time.Since(began).Round(time.Second/10))

	made := &setup{console: console, folder: folder, plane: plane}
	if made.kubeconfig, err = plane.AdminKubeconfig(); err != nil {
		return fmt.Errorf("writing a kubeconfig: %w", err)
	}
	return use(made)
}

// withController runs the controller as its ServiceAccount; see withProcess.
func (s *setup) withController(ctx context.Context, use func(context.Context) error) error {
	// There is no monitoring whose alerts could be read, and each page would end with that.
	return s.withProcess(ctx, harness.ProcessOptions{Flags: []string{"--alerts-url="}}, use)
}

// withProcess runs the controller, calls use and stops the controller. The context of use ends when the controller does.
func (s *setup) withProcess(ctx context.Context, options harness.ProcessOptions, use func(context.Context) error) error {
	s.console.say("Starting the controller as its ServiceAccount ...")
	file, err := os.Create(s.logPath())
	if err != nil {
		return fmt.Errorf("creating the controller's log: %w", err)
	}
	defer file.Close()
	options.Logs = file
	if s.controller, err = harness.StartProcess(ctx, s.plane, options); err != nil {
		return fmt.Errorf("starting the controller: %w", err)
	}
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-s.controller.Ended():
			cancel(errEndedEarly)
		case <-running.Done():
		}
	}()
	err = errors.Join(use(running), context.Cause(running))
	// Before it fills with how the controller ends.
	log := s.logTail()
	err = errors.Join(err, s.stopController())
	switch {
	case ctx.Err() != nil:
		// After a signal, the error of what it interrupted is dropped.
		return context.Cause(ctx)
	case s.console.err != nil:
		return s.console.err
	case err != nil:
		return fmt.Errorf("%w\nThe end of the controller's log:\n%s", err, log)
	default:
		return nil
	}
}

var errEndedEarly = errors.New("the controller ended before the demo did")

// stopController terminates the controller, and kills it if it does not end.
func (s *setup) stopController() error {
	overdue := time.AfterFunc(stopTimeout, func() {
		// A process that is gone needs no signal.
		_ = s.controller.Signal(syscall.SIGKILL)
	})
	defer overdue.Stop()
	return s.controller.Stop()
}

func (s *setup) logPath() string {
	return filepath.Join(s.folder, "controller.log")
}

func (s *setup) logTail() string {
	content, err := os.ReadFile(s.logPath())
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(string(bytes.TrimSpace(content)), "\n")
	return strings.Join(lines[max(len(lines)-logLines, 0):], "\n")
}
