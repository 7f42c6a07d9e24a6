package integration_test

import (
	"bytes"
	"context"
	"io"
	"net/url"
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

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// reader is who may read the UpdateStatus, and nothing else.
const reader = "reader"

// client is the built client, as a user runs it.
type client struct {
	t      *testing.T
	binary string
	env    []string
}

// newClient returns the client for somebody who may do some things with the UpdateStatus.
func (w *world) newClient(verbs ...string) *client {
	w.t.Helper()
	kube := kubernetes.NewForConfigOrDie(plane.Admin())
	objects := metav1.ObjectMeta{Name: reader, Namespace: controlplane.Namespace}
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: reader}}
	if len(verbs) > 0 {
		role.Rules = []rbacv1.PolicyRule{{
			APIGroups: []string{updatev1alpha1.GroupName}, Resources: []string{"updatestatuses"},
			ResourceNames: []string{updatev1alpha1.SingletonName}, Verbs: verbs,
		}}
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
		"TERM=xterm", "HOME=" + w.t.TempDir(),
	}}
}

// readerKubeconfig returns the kubeconfig of the reader, when the API server knows whether they may read the UpdateStatus.
func (w *world) readerKubeconfig(allowed bool) string {
	w.t.Helper()
	config, err := plane.As(w.ctx, types.NamespacedName{Namespace: controlplane.Namespace, Name: reader})
	if err != nil {
		w.t.Fatal(err)
	}
	reading := &authorizationv1.ResourceAttributes{
		Group: updatev1alpha1.GroupName, Resource: "updatestatuses", Name: updatev1alpha1.SingletonName, Verb: "get",
	}
	if err := controlplane.AwaitAccess(w.ctx, config, authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: reading}, allowed); err != nil {
		w.t.Fatal(err)
	}
	kubeconfig, err := plane.KubeconfigOf(reader, config)
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

// halfDone plays an update to the middle, and returns the rest of it.
func (w *world) halfDone() *simulator.Simulation {
	w.t.Helper()
	simulation := simulator.NewSimulation(simulator.Update{Seed: 5, Start: began, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	written := 0
	w.play(simulation, func(simulator.Write) bool {
		written++
		return written == 200
	})
	w.settle(simulation)
	return simulation
}

// second returns the time to the second, as --now has it: a moment in between may be another minute of an estimate.
func (w *world) second() time.Time {
	return w.clock.Now().Truncate(time.Second)
}

// TestClient: somebody who may only read the UpdateStatus looks at an update that is half done.
func TestClient(t *testing.T) {
	w := newWorld(t)
	w.halfDone()
	us := w.last()
	client := w.newClient("get")
	for _, details := range describe.AllDetails() {
		var want bytes.Buffer
		if err := describe.Write(&want, us, describe.Options{Now: w.second(), Details: details}); err != nil {
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
	if status != 1 || out != "" || !strings.HasPrefix(errOut, "error: the cluster has no UpdateStatus/cluster") {
		t.Errorf("without an UpdateStatus: exit status %d, %s\n%s", status, errOut, out)
	}
}

// TestClientMayNot: the one who may nothing is told what to ask for.
func TestClientMayNot(t *testing.T) {
	w := newWorld(t)
	out, errOut, status := w.newClient().run(w.ctx)
	if status != 1 || out != "" || !strings.Contains(errOut, "permission to get updatestatuses.update.openshift.io") {
		t.Errorf("exit status %d, %s\n%s", status, errOut, out)
	}
}

// TestClientIsAPlugin: kubectl finds the client, and shells complete its flags.
func TestClientIsAPlugin(t *testing.T) {
	w := newWorld(t)
	w.halfDone()
	us := w.last()
	client := w.newClient("get")
	client.binary = plane.Kubectl()
	now := "--now=" + w.second().Format(time.RFC3339)
	out, errOut, status := client.run(w.ctx, "update", "status", now)
	if diff := cmp.Diff(describeNow(t, us, w.second()), out); diff != "" || status != 0 {
		t.Errorf("kubectl update status: exit status %d, %s (-want +got):\n%s", status, errOut, diff)
	}
	out, _, _ = client.run(w.ctx, "__complete", "update", "status", "--details", "")
	if want := "none\nall\nnodes\nhealth\noperators\n"; !strings.HasPrefix(out, want) {
		t.Errorf("kubectl completes --details with %q", out)
	}
}

// TestClientOnATerminal: a terminal has colours and a width, unless the user wants none.
func TestClientOnATerminal(t *testing.T) {
	w := newWorld(t)
	w.put(append(small(), builders.Node("worker-1", builders.Role("worker"), builders.Configs("rendered-old", "rendered-old"),
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
		text := client.onTerminal(w.ctx, columns, "--now", w.second().Format(time.RFC3339))
		if strings.Contains(text, "\x1b[") != colors {
			t.Errorf("colours are not %t:\n%s", colors, text)
		}
		for line := range strings.Lines(strings.NewReplacer("\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[0m", "").Replace(text)) {
			if length := len([]rune(strings.TrimRight(line, "\r\n"))); length > columns {
				t.Errorf("%d characters in a terminal of %d columns: %s", length, columns, line)
			}
		}
	}
}

// onTerminal returns what the client writes to a terminal.
func (c *client) onTerminal(ctx context.Context, columns uint16, args ...string) string {
	c.t.Helper()
	terminal, err := pty.StartWithSize(c.command(ctx, args...), &pty.Winsize{Rows: 50, Cols: columns})
	if err != nil {
		c.t.Fatal(err)
	}
	defer terminal.Close()
	// A terminal whose process has ended fails to be read, after everything that was written.
	text, _ := io.ReadAll(terminal)
	return string(text)
}

// TestClientWatches: a watch shows every change, goes on over an API server that is away for a while, and ends with the
// update.
func TestClientWatches(t *testing.T) {
	w := newWorld(t)
	rest := w.halfDone()
	client := w.newClient("get", "list", "watch")
	server, err := url.Parse(plane.Admin().Host)
	if err != nil {
		t.Fatal(err)
	}
	way := newProxy(t, server.Host)
	command := client.command(w.ctx, "--watch", "--server", "https://"+way.address)
	out, errOut := &logs{}, &logs{}
	command.Stdout, command.Stderr = out, errOut
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	out.until(w.ctx, t, "---- ")
	way.cut()
	errOut.until(w.ctx, t, "warning: the status is as of ")
	way.mend()
	errOut.until(w.ctx, t, "warning: the API server is reachable again")
	w.play(rest, nil)
	w.until("the end of the update", everythingUpdated)
	if err := <-ended; err != nil {
		t.Fatalf("the watch ended with %v:\n%s\n%s", err, out, errOut)
	}
	blocks := strings.Split(out.String(), "---- ")[1:]
	end := "\nThe cluster is not updating.\n" + lastUpdate(t, w.get())
	if last := blocks[len(blocks)-1]; len(blocks) < 3 || !strings.HasSuffix(last, end) {
		t.Errorf("%d blocks, the last is:\n%s", len(blocks), last)
	}
	for _, block := range blocks[:len(blocks)-1] {
		if !strings.Contains(block, "Target Version:  "+newVersion) && !strings.Contains(block, "Update to "+newVersion) {
			t.Errorf("a block that is no state of the update:\n%s", block)
		}
	}
}

// lastUpdate is the line with which a watch ends.
func lastUpdate(t *testing.T, us *updatev1alpha1.UpdateStatus) string {
	t.Helper()
	var line strings.Builder
	if err := describe.WriteLastUpdate(&line, us); err != nil || line.Len() == 0 {
		t.Fatalf("the end of the update is %q: %v", line.String(), err)
	}
	return line.String()
}

// TestClientWatchesOnATerminal: the screen is drawn in place, and given back at the end.
func TestClientWatchesOnATerminal(t *testing.T) {
	w := newWorld(t)
	w.create(simulator.NewSimulation(simulator.Update{Seed: 5, Start: began, From: oldVersion, To: newVersion}))
	w.start()
	w.until("the first report", isAvailable)
	w.stop()
	text := w.newClient("get", "list", "watch").onTerminal(w.ctx, 100, "--watch")
	last := strings.ReplaceAll(lastUpdate(t, w.last()), "\n", "\r\n")
	want := "\x1b[?25l\x1b[?7l\x1b[2J\x1b[HThe cluster is not updating.\x1b[K\r\n\x1b[J" + last + "\x1b[?7h\x1b[?25h"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// until waits until something was written.
func (l *logs) until(ctx context.Context, t *testing.T, text string) {
	t.Helper()
	for {
		written, more := l.state()
		if strings.Contains(written, text) {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			t.Fatalf("waiting for %q: %v; written was:\n%s", text, context.Cause(ctx), written)
		}
	}
}
