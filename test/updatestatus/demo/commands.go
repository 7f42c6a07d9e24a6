package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
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
	// The command sees whether it writes to a terminal, which it has to leave as it was.
	command.Stdout = s.console.file
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = stopTimeout
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

// awaitStatus waits until the controller reports.
func (s *setup) awaitStatus(ctx context.Context) error {
	for _, until := range []string{"--for=create", "--for=condition=Available"} {
		if err := s.kubectl(ctx, "wait", until, "updatestatus/cluster", "--timeout=1m"); err != nil {
			return err
		}
	}
	return nil
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
