package integration_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// reader is a ServiceAccount that may read the UpdateStatus and the ClusterVersion, and nothing else.
const reader = "reader"

// client is the built client, as a user runs it.
type client struct {
	t      *testing.T
	binary string
	env    []string
}

// newClient returns the client for a user with some verbs on the UpdateStatus.
func (w *world) newClient(verbs ...string) *client {
	w.t.Helper()
	kube := kubernetes.NewForConfigOrDie(w.plane.Admin())
	objects := metav1.ObjectMeta{Name: reader, Namespace: controlplane.Namespace}
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: reader}}
	if len(verbs) > 0 {
		role.Rules = []rbacv1.PolicyRule{{
			APIGroups: []string{updatev1alpha1.GroupName}, Resources: []string{"updatestatuses"},
			ResourceNames: []string{updatev1alpha1.SingletonName}, Verbs: verbs,
		}, {APIGroups: []string{configv1.GroupName}, Resources: []string{"clusterversions"}, Verbs: []string{"get"}}}
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: reader},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: reader},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: objects.Namespace, Name: reader}},
	}
	_, err := kube.CoreV1().ServiceAccounts(objects.Namespace).Create(w.ctx, &corev1.ServiceAccount{ObjectMeta: objects}, metav1.CreateOptions{})
	if err == nil {
		_, err = kube.RbacV1().ClusterRoles().Create(w.ctx, role, metav1.CreateOptions{})
	}
	if err == nil {
		_, err = kube.RbacV1().ClusterRoleBindings().Create(w.ctx, binding, metav1.CreateOptions{})
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		ctx := context.WithoutCancel(w.ctx)
		_ = kube.CoreV1().ServiceAccounts(objects.Namespace).Delete(ctx, reader, metav1.DeleteOptions{})
		_ = kube.RbacV1().ClusterRoles().Delete(ctx, reader, metav1.DeleteOptions{})
		_ = kube.RbacV1().ClusterRoleBindings().Delete(ctx, reader, metav1.DeleteOptions{})
	})
	kubeconfig := w.readerKubeconfig(len(verbs) > 0)
	binary, err := harness.Binary("oc-update-status")
	if err != nil {
		w.t.Fatal(err)
	}
	return &client{t: w.t, binary: binary, env: []string{
		"KUBECONFIG=" + kubeconfig, "KUBECACHEDIR=" + w.t.TempDir(), "PATH=" + filepath.Dir(binary) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"TERM=xterm", "LC_ALL=C.UTF-8", "HOME=" + w.t.TempDir(),
	}}
}

// readerKubeconfig returns the kubeconfig of the reader once the API server allows, or refuses, its requests.
func (w *world) readerKubeconfig(allowed bool) string {
	w.t.Helper()
	config, err := w.plane.As(w.ctx, types.NamespacedName{Namespace: controlplane.Namespace, Name: reader})
	if err != nil {
		w.t.Fatal(err)
	}
	reading := &authorizationv1.ResourceAttributes{
		Group: updatev1alpha1.GroupName, Resource: "updatestatuses", Name: updatev1alpha1.SingletonName, Verb: "get",
	}
	if err := controlplane.AwaitAccess(w.ctx, config, authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: reading}, allowed); err != nil {
		w.t.Fatal(err)
	}
	kubeconfig, err := w.plane.KubeconfigOf(reader, config)
	if err != nil {
		w.t.Fatal(err)
	}
	return kubeconfig
}

func (c *client) command(ctx context.Context, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, c.binary, args...)
	command.Env = c.env
	return command
}

// run returns what the client prints, and its exit status.
func (c *client) run(ctx context.Context, args ...string) (out, errOut string, status int) {
	c.t.Helper()
	command := c.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); command.ProcessState == nil {
		c.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), command.ProcessState.ExitCode()
}

// playHalf plays half of an update, and returns the simulation to play the rest of.
func (w *world) playHalf() *simulator.Simulation {
	w.t.Helper()
	return w.playWrites(200)
}

// playWrites plays the first writes of an update.
func (w *world) playWrites(number int) *simulator.Simulation {
	w.t.Helper()
	simulation := simulator.NewSimulation(simulator.Update{Seed: 5, Start: startTime, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	written := 0
	w.play(simulation, func(simulator.Write) bool {
		written++
		return written == number
	})
	w.settle(simulation)
	return simulation
}

// second returns the time in whole seconds, as --now takes it: a fraction may change the minute of an estimate.
func (w *world) second() time.Time {
	return w.clock.Now().Truncate(time.Second)
}

// TestClient checks the text of half an update for a user who may only read the UpdateStatus and the ClusterVersion.
func TestClient(t *testing.T) {
	w := newWorld(t)
	w.playHalf()
	us := w.last()
	client := w.newClient("get")
	for _, details := range describe.AllDetails() {
		var want bytes.Buffer
		if err := describe.Write(&want, us, describe.Options{Now: w.second(), Details: details, Head: describe.Head(us, w.second())}); err != nil {
			t.Fatal(err)
		}
		out, errOut, status := client.run(w.ctx, "--details", string(details), "--now", w.second().Format(time.RFC3339))
		if diff := cmp.Diff(want.String(), out); diff != "" || errOut != "" || status != 0 {
			t.Errorf("--details %s: exit status %d, %s (-want +got):\n%s", details, status, errOut, diff)
		}
	}

	out, errOut, status := client.run(w.ctx, "--watch")
	if status != 1 || !strings.Contains(errOut, "permission to list and watch updatestatuses.update.openshift.io") {
		t.Errorf("a watch without the permission: exit status %d, %s\n%s", status, errOut, out)
	}
	if err := w.client.Delete(w.ctx, us.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	out, errOut, status = client.run(w.ctx)
	if status != 1 || !strings.Contains(out, "This is incomplete: no ClusterOperators found") || !strings.Contains(errOut, "unable to read ClusterOperators: ") {
		t.Errorf("without an UpdateStatus: exit status %d, %s\n%s", status, errOut, out)
	}
}

// TestClientWithoutPermission checks that the error names the missing permission.
func TestClientWithoutPermission(t *testing.T) {
	w := newWorld(t)
	out, errOut, status := w.newClient().run(w.ctx)
	if status != 1 || out != "" || !strings.Contains(errOut, "permission to get updatestatuses.update.openshift.io") {
		t.Errorf("exit status %d, %s\n%s", status, errOut, out)
	}
}

// TestKubectlPlugin checks that kubectl runs the client, and completes its flags.
func TestKubectlPlugin(t *testing.T) {
	w := newWorld(t)
	w.playHalf()
	us := w.last()
	client := w.newClient("get")
	client.binary = w.plane.Kubectl()
	now := "--now=" + w.second().Format(time.RFC3339)
	out, errOut, status := client.run(w.ctx, "update", "status", now)
	if diff := cmp.Diff(describeWhole(t, us, w.second()), out); diff != "" || status != 0 {
		t.Errorf("kubectl update status: exit status %d, %s (-want +got):\n%s", status, errOut, diff)
	}
	out, _, _ = client.run(w.ctx, "__complete", "update", "status", "--details", "")
	if want := "none\nall\nnodes\nhealth\noperators\n"; !strings.HasPrefix(out, want) {
		t.Errorf("kubectl completes --details with %q", out)
	}
}

// TestClientOnTerminal checks that the text fits the terminal and has colours unless NO_COLOR is set.
func TestClientOnTerminal(t *testing.T) {
	w := newWorld(t)
	w.put(append(smallCluster(), builders.Node("worker-1", builders.Role("worker"), builders.Configs("rendered-old", "rendered-old"),
		builders.DegradedBecause(strings.Repeat("failed to drain node ", 20))))...)
	w.start()
	w.until("the degraded node", func(us *updatev1alpha1.UpdateStatus) bool { return isAvailable(us) && hasHealth(us) })
	w.stop()
	client := w.newClient("get")
	const columns = 100
	for _, colors := range []bool{true, false} {
		if !colors {
			client.env = append(client.env, "NO_COLOR=1")
		}
		text := client.runOnTerminal(w.ctx, columns, "--now", w.second().Format(time.RFC3339))
		if strings.Contains(text, "\x1b[") != colors {
			t.Errorf("has no colours or unwanted ones (want %t):\n%s", colors, text)
		}
		for line := range strings.Lines(strings.NewReplacer("\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[0m", "").Replace(text)) {
			// Commands are not wrapped: they are copied.
			if length := len([]rune(strings.TrimRight(line, "\r\n"))); length > columns && !strings.HasPrefix(line, "  oc ") && !strings.Contains(line, "→ oc ") {
				t.Errorf("%d characters in a terminal of %d columns: %s", length, columns, line)
			}
		}
	}
}

// onTerminal returns what the client writes to a terminal.
func (c *client) runOnTerminal(ctx context.Context, columns uint16, args ...string) string {
	c.t.Helper()
	terminal, err := pty.StartWithSize(c.command(ctx, args...), &pty.Winsize{Rows: 50, Cols: columns})
	if err != nil {
		c.t.Fatal(err)
	}
	defer terminal.Close()
	// Reading a terminal ends with an error when its process has ended.
	text, _ := io.ReadAll(terminal)
	return string(text)
}
