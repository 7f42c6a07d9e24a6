package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
)

const image = "registry.example.com/somebody/update-status:v1"

// asSomebody returns a command of somebody who has a cluster and a clone of the repository, and what it will say on its
// standard error.
func asSomebody(t *testing.T, name string, arguments ...string) (*exec.Cmd, *logs) {
	t.Helper()
	root, err := controlplane.Root()
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := plane.AdminKubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = root
	// Of this make, not of the one that runs the tests.
	command.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "MAKE") || strings.HasPrefix(variable, "MFLAGS")
	}), "KUBECONFIG="+kubeconfig, "OC="+plane.Kubectl())
	said := &logs{}
	command.Stderr = said
	return command, said
}

// makeTarget makes a target and returns the lines that it prints.
func makeTarget(t *testing.T, arguments ...string) []string {
	t.Helper()
	command, said := asSomebody(t, "make", arguments...)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("make %v: %v\n%s", arguments, err, said)
	}
	return strings.Split(strings.TrimSpace(string(output)), "\n")
}

// TestRun: `make run`, without the build: a controller on this machine keeps the status, and ends when it is asked to.
func TestRun(t *testing.T) {
	w := newWorld(t)
	w.put(small()...)
	observer, err := harness.Observe(w.ctx, plane.Admin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.observer = observer
	address, err := harness.FreeAddress(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	command, said := asSomebody(t, "hack/run.sh", "--listen", address)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	w.until("the first report", isAvailable)
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("it ended with %v:\n%s", err, said)
	}
}

// TestDeploy: `make deploy` and `make undeploy`, tried by the API server: every object, in the order of the files and in
// the reverse one, and with the image that was asked for.
func TestDeploy(t *testing.T) {
	root, err := controlplane.Root()
	if err != nil {
		t.Fatal(err)
	}
	all, err := harness.ReadManifests(filepath.Join(root, "manifests"))
	if err != nil {
		t.Fatal(err)
	}
	applied := makeTarget(t, "deploy", "IMAGE="+image, "FLAGS=--dry-run=server --output=name")
	deleted := makeTarget(t, "undeploy", "FLAGS=--dry-run=server --output=name")
	for _, lines := range [][]string{applied, deleted} {
		if len(lines) != len(all) {
			t.Fatalf("%d objects instead of %d:\n%s", len(lines), len(all), strings.Join(lines, "\n"))
		}
	}
	for at, manifest := range all {
		if !strings.HasSuffix(applied[at], "/"+manifest.Object.GetName()) {
			t.Errorf("number %d is %s instead of %s", at, applied[at], manifest.Object.GetName())
		}
	}
	const namespace = "namespace/" + controlplane.Namespace
	if applied[0] != namespace || deleted[len(deleted)-1] != namespace {
		t.Errorf("the namespace comes not first of %v or not last of %v", applied, deleted)
	}
	text := strings.Join(makeTarget(t, "deploy", "IMAGE="+image, "FLAGS=--dry-run=server --output=yaml"), "\n")
	if strings.Count(text, "image: "+image) != 1 || strings.Contains(text, "placeholder.url") {
		t.Errorf("the Deployment has not the image %s:\n%s", image, text)
	}
}
