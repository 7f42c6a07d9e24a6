package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/openshift/cluster-version-operator/test/controlplane"
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
	root, err := controlplane.Root()
	if err != nil {
		return fmt.Errorf("looking for the client: %w", err)
	}
	binary := filepath.Join("bin", "oc-update-status")
	return s.show(ctx, binary, filepath.Join(root, binary), args)
}

// kubectl shows what kubectl prints.
func (s *setup) kubectl(ctx context.Context, args ...string) error {
	return s.show(ctx, "kubectl", s.plane.Kubectl(), args)
}

// show runs a command as a user would, in an environment where it finds the cluster.
func (s *setup) show(ctx context.Context, name, binary string, args []string) error {
	s.console.say("\n$ %s", strings.Join(append([]string{name}, args...), " "))
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

// showObject shows the UpdateStatus as kubectl does.
func (s *setup) showObject(ctx context.Context) error {
	if err := s.kubectl(ctx, "get", "updatestatus"); err != nil {
		return err
	}
	return s.kubectl(ctx, "get", "updatestatus", "-o", "wide")
}
