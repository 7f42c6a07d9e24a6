package controlplane_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/procfs"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// abandoned is set in the process that TestNothingIsLeftBehind kills.
const abandoned = "CONTROLPLANE_ABANDONED"

const (
	// leftInterval is the interval at which what is left is looked at, and leftTimeout for how long.
	leftInterval = 20 * time.Millisecond
	leftTimeout  = time.Minute
)

// TestNothingIsLeftBehind kills a test binary that runs a control plane. Processes and files of it are gone soon.
func TestNothingIsLeftBehind(t *testing.T) {
	if os.Getenv(abandoned) != "" {
		runForever(t)
	}
	temporary := t.TempDir()
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$")
	command.Env = append(command.Environ(), abandoned+"=true", "TMPDIR="+temporary)
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil {
		t.Fatalf("the control plane did not start: %q, %v", line, err)
	}
	if running := processesOf(t, temporary); len(running) < 2 {
		t.Fatalf("the control plane consists of %v", running)
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait() // it was killed
	if err := pace.Poll(t.Context(), leftInterval, leftTimeout, func(context.Context) (bool, error) {
		left, err := filepath.Glob(filepath.Join(temporary, "control-plane-*"))
		return len(left) == 0 && len(processesOf(t, temporary)) == 0, err
	}); err != nil {
		t.Errorf("of the control plane are left %v: %v", processesOf(t, temporary), err)
	}
}

// runForever starts a control plane, prints a line, and never returns.
func runForever(t *testing.T) {
	t.Helper()
	if _, err := controlplane.Start(t.Context(), controlplane.Options{}); err != nil {
		t.Fatal(err)
	}
	fmt.Println("started")
	select {}
}

// processesOf returns the command lines of the processes with files in a folder.
func processesOf(t *testing.T, folder string) (found []string) {
	t.Helper()
	processes, err := procfs.AllProcs()
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range processes {
		// A process may have ended meanwhile.
		command, _ := process.CmdLine()
		if line := strings.Join(command, " "); strings.Contains(line, folder) {
			found = append(found, line)
		}
	}
	return found
}
