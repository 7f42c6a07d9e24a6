package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// Component is a process of the control plane.
type Component string

const (
	// APIServer is kube-apiserver.
	APIServer Component = apiServerBinary
	// Etcd is its store.
	Etcd Component = etcdBinary
)

// killed is a component that is to be started again.
type killed struct {
	path      string
	arguments []string
}

const (
	// readyPolling is how often it is looked whether a component is ready, and readyPatience for how long, on a quiet machine.
	readyPolling  = 50 * time.Millisecond
	readyPatience = 40 * time.Second
	// endPolling is how often it is looked whether a process has ended.
	endPolling = 5 * time.Millisecond
)

// Kill ends a component as a crash does, and returns when it has ended and its port is free. Nothing is lost that it has
// stored.
func (c *ControlPlane) Kill(ctx context.Context, component Component) error {
	process, command, err := c.find(component)
	if err != nil {
		return err
	}
	if err := syscall.Kill(process.PID, syscall.SIGKILL); err != nil {
		return fmt.Errorf("killing %s: %w", component, err)
	}
	if c.killed == nil {
		c.killed = map[Component]killed{}
	}
	c.killed[component] = killed{path: command[0], arguments: command[1:]}
	if revived := c.revived[component]; revived != nil {
		// How it ended is known.
		_ = revived.Wait()
		delete(c.revived, component)
		return nil
	}
	return awaitEnd(ctx, process)
}

// awaitEnd waits until a process has ended, of which envtest will learn how.
func awaitEnd(ctx context.Context, process procfs.Proc) error {
	err := pace.Poll(ctx, endPolling, readyPatience, func(context.Context) (bool, error) {
		stat, err := process.Stat()
		// The first thread of a process may be over while others have its files still.
		return err != nil || stat.State == "Z" && stat.NumThreads <= 1, nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the end of process %d: %w", process.PID, err)
	}
	return nil
}

// find looks for the process of a component, and for the command that it was started with.
func (c *ControlPlane) find(component Component) (procfs.Proc, []string, error) {
	processes, err := procfs.AllProcs()
	if err != nil {
		return procfs.Proc{}, nil, fmt.Errorf("listing processes: %w", err)
	}
	for _, process := range processes {
		stat, err := process.Stat()
		if err != nil || stat.PPID != os.Getpid() || stat.Comm != string(component) || stat.State == "Z" {
			continue
		}
		command, err := process.CmdLine()
		// Several control planes may run at once; each has its own folder.
		if err == nil && slices.ContainsFunc(command, func(argument string) bool { return strings.Contains(argument, c.dir) }) {
			return process, command, nil
		}
	}
	return procfs.Proc{}, nil, fmt.Errorf("%s does not run", component)
}

// Revive starts again what was killed, as it was, and waits until the API server is ready, unless that is killed itself.
func (c *ControlPlane) Revive(ctx context.Context, component Component) error {
	was, found := c.killed[component]
	if !found {
		return fmt.Errorf("%s was not killed", component)
	}
	delete(c.killed, component)
	log, err := c.openLog(string(component))
	if err != nil {
		return fmt.Errorf("starting %s again: %w", component, err)
	}
	defer log.Close() // the process has its own
	command := exec.CommandContext(context.WithoutCancel(ctx), was.path, was.arguments...)
	command.Stderr = log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return fmt.Errorf("starting %s again: %w", component, err)
	}
	if c.revived == nil {
		c.revived = map[Component]*exec.Cmd{}
	}
	c.revived[component] = command
	if len(c.killed) > 0 {
		return nil
	}
	return c.AwaitReady(ctx)
}

// AwaitReady waits until the API server is ready.
func (c *ControlPlane) AwaitReady(ctx context.Context) error {
	config := c.Admin()
	client, errClient := rest.HTTPClientFor(config)
	server, _, errServer := rest.DefaultServerUrlFor(config)
	if err := errors.Join(errClient, errServer); err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	ready := server.JoinPath("readyz").String()
	defer client.CloseIdleConnections()
	var last error
	err := pace.Poll(ctx, readyPolling, readyPatience, func(ctx context.Context) (bool, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, ready, http.NoBody)
		if err != nil {
			return false, err
		}
		response, err := client.Do(request)
		if last = err; err != nil {
			return false, nil
		}
		defer response.Body.Close()
		last = fmt.Errorf("/readyz: %s", response.Status)
		return response.StatusCode == http.StatusOK, nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the API server: %w%s", errors.Join(err, last), tailOfLogs(c.dir))
	}
	return nil
}

// stopRevived ends what was started again.
func (c *ControlPlane) stopRevived() {
	for _, component := range []Component{APIServer, Etcd} {
		if command := c.revived[component]; command != nil {
			// It may have ended by itself.
			_ = command.Process.Kill()
			_ = command.Wait()
		}
	}
	c.revived = nil
}
