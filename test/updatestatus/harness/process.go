package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

// Process is the built binary, running.
type Process struct {
	command *exec.Cmd
	started time.Time
	address string
	ended   chan struct{}
	err     error
}

// ProcessOptions are the options of a process.
type ProcessOptions struct {
	// Logs receive the standard error of the process.
	Logs io.Writer
	// Flags are flags in addition to those about the cluster.
	Flags []string
	// Environment are variables, as NAME=VALUE, in addition to those of the test.
	Environment []string
	// Kubeconfig is a file that says which cluster it is, and who the controller is there; by default the control plane's
	// and its ServiceAccount.
	Kubeconfig string
}

// StartProcess runs bin/cluster-version-operator update-status-controller as its ServiceAccount.
func StartProcess(ctx context.Context, plane *controlplane.ControlPlane, options ProcessOptions) (*Process, error) {
	kubeconfig := options.Kubeconfig
	if kubeconfig == "" {
		var err error
		if kubeconfig, err = plane.Kubeconfig(ctx, controlplane.ServiceAccount); err != nil {
			return nil, err
		}
	}
	address, err := FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	arguments := append([]string{
		"update-status-controller", "--kubeconfig", kubeconfig, "--namespace", controlplane.Namespace, "--listen", address,
	}, options.Flags...)
	process, err := startProcess(ctx, command{
		name: "cluster-version-operator", arguments: arguments, environment: append(os.Environ(), options.Environment...), logs: options.Logs,
	})
	if err != nil {
		return nil, err
	}
	process.address = address
	return process, nil
}

// command is what to run. Its name is looked up in bin/, which stands for the /usr/bin of the image.
type command struct {
	name                   string
	arguments, environment []string
	logs                   io.Writer
}

func startProcess(ctx context.Context, what command) (*Process, error) {
	binary, err := Binary(what.name)
	if err != nil {
		return nil, err
	}
	process := &Process{
		command: exec.CommandContext(context.WithoutCancel(ctx), binary, what.arguments...),
		ended:   make(chan struct{}),
	}
	process.command.Env = what.environment
	process.command.Stderr = what.logs
	// A terminal's Ctrl-C is for the parent alone, which stops the controller itself.
	process.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	process.started = time.Now()
	if err := process.command.Start(); err != nil {
		return nil, fmt.Errorf("starting the controller: %w", err)
	}
	go func() {
		defer close(process.ended)
		process.err = process.command.Wait()
	}()
	return process, nil
}

// Binary returns the path of a binary of make build, or an error that says to run it.
func Binary(name string) (path string, err error) {
	root, err := repository.Root()
	if err != nil {
		return "", err
	}
	path = filepath.Join(root, "bin", name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s is not built, run make build: %w", name, err)
	}
	return path, nil
}

// FreeAddress returns an address for the controller's metrics and health. Port 0, for any that is free, is not for it to
// choose: library-go takes it for no port at all.
func FreeAddress(ctx context.Context) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	return address, nil
}

// Signal sends a signal.
func (p *Process) Signal(signal os.Signal) error {
	return p.command.Process.Signal(signal)
}

// Address returns where the process serves its metrics and health, over TLS unless it is for a hosted cluster: host:port. It does so soon
// after its start.
func (p *Process) Address() string {
	return p.address
}

// Started returns when the process was started: its pod, with a key of its own, was made before.
func (p *Process) Started() time.Time {
	return p.started
}

// Ended is closed when the process has ended.
func (p *Process) Ended() <-chan struct{} {
	return p.ended
}

// Stop terminates the process, and returns its error: nil for exit status 0.
func (p *Process) Stop() error {
	if err := p.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping the controller: %w", err)
	}
	<-p.ended
	return p.err
}

// Kill ends the process, unless it has ended, and waits for its end.
func (p *Process) Kill() {
	_ = p.Signal(os.Kill)
	<-p.ended
}

// PID returns the process id.
func (p *Process) PID() int {
	return p.command.Process.Pid
}
