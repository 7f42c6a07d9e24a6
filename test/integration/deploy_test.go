package integration_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/manifests"
	"github.com/openshift/cluster-version-operator/test/repository"
)

const image = "registry.example.com/example/update-status:v1"

// userCommand returns a command with the environment of a user who has a kubeconfig and a clone of the repository, and its
// standard error.
func userCommand(t *testing.T, plane *controlplane.ControlPlane, name string, arguments ...string) (*exec.Cmd, *logs) {
	t.Helper()
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := plane.AdminKubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = root
	// The variables of the make that runs the tests would change the one that is tested.
	command.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "MAKE") || strings.HasPrefix(variable, "MFLAGS")
	}), "KUBECONFIG="+kubeconfig, "OC="+plane.Kubectl())
	stderr := &logs{}
	command.Stderr = stderr
	return command, stderr
}

// makeTarget makes a target and returns its output in lines.
func makeTarget(t *testing.T, plane *controlplane.ControlPlane, arguments ...string) []string {
	t.Helper()
	command, stderr := userCommand(t, plane, "make", arguments...)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("make %v: %v\n%s", arguments, err, stderr)
	}
	return strings.Split(strings.TrimSpace(string(output)), "\n")
}

// TestRun checks `make run`, without the build: the controller writes the status, and exits with 0 after a SIGTERM.
func TestRun(t *testing.T) {
	w := newWorld(t)
	w.put(smallCluster()...)
	observer, err := harness.Observe(w.ctx, w.plane.Admin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.observer = observer
	address, err := harness.FreeAddress(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	command, stderr := userCommand(t, w.plane, "hack/run.sh", "--listen", address)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	w.until("the first report", isAvailable)
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("the controller ended with %v:\n%s", err, stderr)
	}
}

// TestDeploy makes deploy on a real API server: every object is there, in the order of the files, with the image. It then checks
// what undeploy would delete, in the reverse order.
func TestDeploy(t *testing.T) {
	t.Parallel()
	plane := pool.Start(t, controlplane.Options{Bare: true})
	root, err := repository.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := manifests.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	all, err := manifests.Read(files, image)
	if err != nil {
		t.Fatal(err)
	}
	applied := makeTarget(t, plane, "deploy", "IMAGE="+image, "FLAGS=--output=name")
	deleted := makeTarget(t, plane, "undeploy", "FLAGS=--dry-run=server --output=name")
	for _, lines := range [][]string{applied, deleted} {
		if len(lines) != len(all) {
			t.Fatalf("%d objects instead of %d:\n%s", len(lines), len(all), strings.Join(lines, "\n"))
		}
	}
	for at, manifest := range all {
		if !strings.HasSuffix(applied[at], "/"+manifest.Object.GetName()) {
			t.Errorf("object %d is %s, want %s", at, applied[at], manifest.Object.GetName())
		}
	}
	const namespace = "namespace/" + controlplane.Namespace
	if applied[0] != namespace || deleted[len(deleted)-1] != namespace {
		t.Errorf("the namespace is not the first of %v or not the last of %v", applied, deleted)
	}
	deployment, err := kubernetes.NewForConfigOrDie(plane.Admin()).AppsV1().Deployments(controlplane.Namespace).
		Get(t.Context(), controlplane.ServiceAccount.Name, metav1.GetOptions{})
	if err != nil || deployment.Spec.Template.Spec.Containers[0].Image != image {
		t.Errorf("the Deployment does not have the image %s: %v, %v", image, deployment, err)
	}
}
