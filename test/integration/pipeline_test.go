package integration_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/openshift/cluster-version-operator/test/repository"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// standIn is an oc whose `adm upgrade` tells the test, through a named pipe, that the update is requested. All else is kubectl.
const standIn = `#!/bin/sh
case "$1 $2" in
"adm upgrade") echo "$3" >"${REQUESTS}" ;;
*) exec kubectl "$@" ;;
esac
`

// pipelineScript returns the script of docs/client.md.
func pipelineScript(t *testing.T) string {
	t.Helper()
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "client.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(string(page), "```bash\n")
	script, _, isWhole := strings.Cut(script, "\n```")
	if !isWhole {
		t.Fatal("the page has no script")
	}
	return script
}

// TestPipeline runs the script of docs/client.md on an update that completes, on one with a node that fails, and on a cluster that already has
// the version.
func TestPipeline(t *testing.T) {
	script := pipelineScript(t)
	worker := simulator.NodeName("worker", 0)
	for name, test := range map[string]struct {
		degraded map[string]string
		// version is what the script asks for.
		version string
		// lastLine is how the last line of the log starts, and reason what the script says.
		lastLine, reason string
		status           int
	}{
		"complete": {version: newVersion, lastLine: "The update to " + newVersion + " is complete."},
		"failing": {
			degraded: map[string]string{worker: "disk full"}, version: newVersion, status: 3, lastLine: "Needs attention: Error: ",
			reason: "ERROR: the update to " + newVersion + ", exit status 3: Needs attention: Error: ",
		},
		"already there": {version: oldVersion, lastLine: "The update to " + oldVersion + " is complete."},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			simulation := simulator.NewSimulation(simulator.Update{Seed: 5, Start: startTime, From: oldVersion, To: newVersion, Degraded: test.degraded})
			w.create(simulation)
			w.start()
			w.until("the first report", isAvailable)
			client, dir := w.newClient("get", "list", "watch"), t.TempDir()
			for file, content := range map[string]string{"oc": standIn, "update.sh": script} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			requests := newPipe(t, filepath.Join(dir, "requests"))
			client.binary = filepath.Join(dir, "update.sh")
			command := client.command(w.ctx, test.version)
			path := []string{dir, filepath.Dir(w.plane.Kubectl())}
			for at, variable := range command.Env {
				if rest, isPath := strings.CutPrefix(variable, "PATH="); isPath {
					command.Env[at] = "PATH=" + strings.Join(append(path, rest), string(os.PathListSeparator))
				}
			}
			command.Dir, command.Env = dir, append(command.Env, "REQUESTS="+requests.Name())
			out, errOut := &logs{}, &logs{}
			command.Stdout, command.Stderr = out, errOut
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- command.Wait() }()
			if request, err := bufio.NewReader(requests).ReadString('\n'); err != nil || request != "--to="+test.version+"\n" {
				t.Fatalf("the request is %q, %v", request, err)
			}
			out.until(w.ctx, t, "The cluster is not updating.")
			if test.version == newVersion {
				w.play(simulation, nil)
			}
			err := <-ended
			if command.ProcessState.ExitCode() != test.status {
				t.Errorf("the script ended with %v, want exit status %d", err, test.status)
			}
			log, _ := os.ReadFile(filepath.Join(dir, "update.log"))
			lines := strings.Split(strings.TrimSpace(string(log)), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, test.lastLine) || !strings.Contains(errOut.String(), test.reason) || string(log) != out.String() {
				t.Errorf("the last line of the log is %s, standard error:\n%s", last, errOut)
			}
			report, err := os.ReadFile(filepath.Join(dir, "update.html"))
			if err != nil || !strings.Contains(string(report), test.version) {
				t.Errorf("the report has %d bytes, %v; standard error:\n%s", len(report), err, errOut)
			}
		})
	}
}

// newPipe creates a named pipe, and opens it for both directions: then neither the test nor the script waits for the other to open it.
func newPipe(t *testing.T, name string) *os.File {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pipe.Close() })
	return pipe
}
