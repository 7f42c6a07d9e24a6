package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/openshift/cluster-version-operator/test/repository"
)

// whereToGo is the end of every demo.
const whereToGo = `
Go on with a cluster of your own, that of your kubeconfig:
  make run
  bin/oc-update-status --watch
From the files of a must-gather, without the controller: bin/oc-update-status --must-gather DIR
Another update: bin/demo --seed 2 --duration 5m. A recorded cluster: make demo SNAPSHOT=DIR/NAME. README.md says more.`

// client shows what the built client prints.
func (s *setup) client(ctx context.Context, args ...string) error {
	return s.built(ctx, "oc-update-status", args...)
}

// built shows what a built command prints.
func (s *setup) built(ctx context.Context, name string, args ...string) error {
	root, err := repository.Root()
	if err != nil {
		return fmt.Errorf("looking for the client: %w", err)
	}
	binary := filepath.Join("bin", name)
	return s.show(ctx, binary, filepath.Join(root, binary), args)
}

// report writes the report of the update to a file that stays, and says where it is.
func (s *setup) report(ctx context.Context, name string, args ...string) error {
	root, err := repository.Root()
	if err != nil {
		return fmt.Errorf("looking for a place for the report: %w", err)
	}
	file := filepath.Join(root, name)
	if err := s.built(ctx, "oc-update-report", append(args, "--output-file", file)...); err != nil {
		return err
	}
	s.console.say("\nThe report of the update, to open in a browser: %s", file)
	return s.console.err
}

// kubectl shows what kubectl prints.
func (s *setup) kubectl(ctx context.Context, args ...string) error {
	return s.show(ctx, "kubectl", s.plane.Kubectl(), args)
}

// show runs a command as a user would, in an environment where it finds the cluster.
func (s *setup) show(ctx context.Context, name, binary string, args []string) error {
	s.console.say("\n$ %s", strings.Join(append([]string{name}, quoted(args)...), " "))
	if s.console.err != nil {
		return s.console.err
	}
	command := exec.CommandContext(ctx, binary, args...)
	command.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig, "KUBECACHEDIR="+filepath.Join(s.folder, "cache"))
	// The command sees whether it writes to a terminal.
	command.Stdout = s.console.file
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("running %s: %w", name, err)
	}
	return nil
}

// quoted returns arguments as they are typed: JSON in quotes.
func quoted(args []string) []string {
	var typed []string
	for _, arg := range args {
		if strings.HasPrefix(arg, "[") {
			arg = "'" + arg + "'"
		}
		typed = append(typed, arg)
	}
	return typed
}

// waiting is a kubectl wait for the end of an update, in the background.
type waiting struct {
	arguments []string
	// ended has the result.
	ended chan waited
}

type waited struct {
	output string
	at     time.Time
	err    error
}

// waitForVersion starts a kubectl wait for everything to run a version. It is started before the update, and ends with it.
func (s *setup) waitForVersion(ctx context.Context, version string) *waiting {
	w := &waiting{
		arguments: []string{"wait", "--for=jsonpath={.status.completedVersion}=" + version, "updatestatussummary/cluster", "--timeout=1h"},
		ended:     make(chan waited, 1),
	}
	run := func(arguments ...string) ([]byte, error) {
		command := exec.CommandContext(ctx, s.plane.Kubectl(), arguments...)
		command.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig)
		return command.CombinedOutput()
	}
	go func() {
		// The summary is written after the status.
		output, err := run("wait", "--for=create", "updatestatussummary/cluster", "--timeout=1m")
		if err == nil {
			output, err = run(w.arguments...)
		}
		w.ended <- waited{string(output), time.Now(), err}
	}()
	return w
}

// show shows the command, what it printed, and how long after the end of the update it ended.
func (w *waiting) show(ctx context.Context, console *console, updated time.Time) error {
	console.say("\n$ kubectl %s    # started before the update", strings.Join(w.arguments, " "))
	select {
	case result := <-w.ended:
		if result.err != nil {
			return fmt.Errorf("waiting for the update with kubectl: %w: %s", result.err, result.output)
		}
		console.say("%s\nIt ended %s after the last node was updated.", strings.TrimSpace(result.output), max(result.at.Sub(updated), 0).Round(time.Millisecond))
		return console.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// showObject shows the summary and the UpdateStatus as kubectl does.
func (s *setup) showObject(ctx context.Context) error {
	for _, resource := range []string{"updatestatussummary", "updatestatus"} {
		if err := s.kubectl(ctx, "get", resource); err != nil {
			return err
		}
	}
	return s.kubectl(ctx, "get", "updatestatus", "-o", "wide")
}
