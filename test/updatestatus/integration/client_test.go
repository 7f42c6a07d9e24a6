package integration_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	gocmp "github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// client is the built client, as a user runs it.
type client struct {
	t      *testing.T
	binary string
	env    []string
}

// newClient returns the client for a ServiceAccount with some verbs on the UpdateStatus. If it has any, it may also get the ClusterVersion.
func (w *world) newClient(verbs ...string) *client {
	w.t.Helper()
	return w.clientOf(w.newReader(verbs...), "oc-update-status")
}

// administrator returns a client for one who may do everything.
func (w *world) administrator() *client {
	w.t.Helper()
	return w.clientOf(w.plane.Admin(), "oc-update-status")
}

// clientOf returns a binary of the client with a client configuration.
func (w *world) clientOf(config *rest.Config, binary string) *client {
	w.t.Helper()
	kubeconfig, errKubeconfig := w.plane.KubeconfigOf(fmt.Sprintf("client-%d", rand.Uint64()), config)
	path, errBinary := harness.Binary(binary)
	if err := cmp.Or(errKubeconfig, errBinary); err != nil {
		w.t.Fatal(err)
	}
	return &client{t: w.t, binary: path, env: []string{
		"KUBECONFIG=" + kubeconfig, "KUBECACHEDIR=" + w.t.TempDir(), "PATH=" + filepath.Dir(path) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"TERM=xterm", "LC_ALL=C.UTF-8", "HOME=" + w.t.TempDir(),
	}}
}

// newReader creates the ServiceAccount, and returns its client configuration once the API server allows, or refuses, its requests.
func (w *world) newReader(verbs ...string) *rest.Config {
	w.t.Helper()
	account := types.NamespacedName{Namespace: controlplane.Namespace, Name: strings.Join(append([]string{"reader"}, verbs...), "-")}
	var rules []rbacv1.PolicyRule
	if len(verbs) > 0 {
		rules = []rbacv1.PolicyRule{{
			APIGroups: []string{updatev1alpha1.GroupName}, Resources: []string{"updatestatuses"},
			ResourceNames: []string{updatev1alpha1.SingletonName}, Verbs: verbs,
		}, {
			// Without it, nothing says that the status is current.
			APIGroups: []string{updatev1alpha1.GroupName}, Resources: []string{"updatestatussummaries"},
			ResourceNames: []string{updatev1alpha1.SingletonName}, Verbs: []string{"get"},
		}, {APIGroups: []string{configv1.GroupName}, Resources: []string{"clusterversions"}, Verbs: []string{"get"}}}
	}
	return w.newAccount(account, rules, authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
		Group: updatev1alpha1.GroupName, Resource: "updatestatuses", Name: updatev1alpha1.SingletonName, Verb: append(verbs, "get")[0],
	}})
}

// newAccount creates a ServiceAccount with rules, if there are any, until the end of the test. It returns its client configuration once the
// API server allows it to do something, or refuses that without rules.
func (w *world) newAccount(name types.NamespacedName, rules []rbacv1.PolicyRule, access authorizationv1.SelfSubjectAccessReviewSpec) *rest.Config {
	w.t.Helper()
	meta := metav1.ObjectMeta{Name: name.Name}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: meta,
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name.Name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: name.Namespace, Name: name.Name}},
	}
	accounts, roles, bindings := w.kube.CoreV1().ServiceAccounts(name.Namespace), w.kube.RbacV1().ClusterRoles(), w.kube.RbacV1().ClusterRoleBindings()
	_, errAccount := accounts.Create(w.ctx, &corev1.ServiceAccount{ObjectMeta: meta}, metav1.CreateOptions{})
	_, errRole := roles.Create(w.ctx, &rbacv1.ClusterRole{ObjectMeta: meta, Rules: rules}, metav1.CreateOptions{})
	_, errBinding := bindings.Create(w.ctx, binding, metav1.CreateOptions{})
	w.t.Cleanup(func() {
		ctx := context.WithoutCancel(w.ctx)
		if err := errors.Join(
			accounts.Delete(ctx, name.Name, metav1.DeleteOptions{}), roles.Delete(ctx, name.Name, metav1.DeleteOptions{}), bindings.Delete(ctx, name.Name, metav1.DeleteOptions{}),
		); err != nil {
			w.t.Error(err)
		}
	})
	config, errConfig := w.plane.As(w.ctx, name)
	if err := errors.Join(errAccount, errRole, errBinding, errConfig); err != nil {
		w.t.Fatal(err)
	}
	if err := controlplane.AwaitAccess(w.ctx, config, access, len(rules) > 0); err != nil {
		w.t.Fatal(err)
	}
	return config
}

// awaitExit waits until a command that was started ends, and checks its exit status.
func (w *world) awaitExit(command *exec.Cmd, want int) {
	w.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	ctx, cancel := pace.WithTimeout(w.ctx, harness.Stall)
	defer cancel()
	select {
	case err := <-ended:
		if command.ProcessState.ExitCode() != want {
			w.t.Errorf("%v ended with %v, want exit status %d", command.Args, err, want)
		}
	case <-ctx.Done():
		w.t.Fatalf("%v does not end: %v", command.Args, context.Cause(ctx))
	}
}

func (c *client) command(ctx context.Context, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, c.binary, args...)
	command.Env = c.env
	return command
}

// run returns what the client prints, and its exit status.
func (c *client) run(ctx context.Context, args ...string) (out, errOut string, status int) {
	c.t.Helper()
	ctx, cancel := pace.WithTimeout(ctx, harness.Stall)
	defer cancel()
	command := c.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); command.ProcessState == nil {
		c.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), command.ProcessState.ExitCode()
}

// now returns the time in whole seconds, as --now takes it: a fraction may change the minute of an estimate.
func (w *world) now() string {
	return w.clock.Now().UTC().Truncate(time.Second).Format(time.RFC3339)
}

// second returns the same as a time.
func (w *world) second() time.Time {
	return w.clock.Now().Truncate(time.Second)
}

// describeText returns the text of the client.
func describeText(t *testing.T, us *updatev1alpha1.UpdateStatus, options describe.Options) string {
	t.Helper()
	var text strings.Builder
	options.Object = us
	if err := describe.Write(&text, update.ReadAt(&us.Status, options.Now), options); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// describeWhole returns the text with what the classic one does not have.
func describeWhole(t *testing.T, us *updatev1alpha1.UpdateStatus, now time.Time) string {
	t.Helper()
	return describeText(t, us, describe.Options{Now: now, Head: describe.Head(update.ReadAt(&us.Status, now), now)})
}

// TestClient runs the client on an update with a degraded node, for users with and without permissions: its text, also by kubectl and on a
// terminal, and what it says without the object.
func TestClient(t *testing.T) {
	w, script := newWorld(t), smallUpdate()
	script.Degraded = map[string]string{simulator.NodeName("worker", 0): strings.Repeat("failed to drain node ", 20)}
	simulation := w.startUpdate(script)
	w.play(simulation, isNode(func(node *corev1.Node) bool {
		return node.Annotations[builders.AnnotationState] == builders.StateDegraded
	}))
	w.settle(simulation)
	us := w.last()
	reader := w.newClient("get")
	w.checkTexts(reader, us)
	w.checkKubectl(*reader, us)
	w.checkWithoutPermissions(reader)
	w.checkTerminal(*reader)
	w.checkWrongCount()
	if err := w.client.Delete(w.ctx, us.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	out, errOut, status := reader.run(w.ctx)
	if status != 1 || !strings.Contains(out, "Incomplete: no ClusterOperators found") || !strings.Contains(errOut, "unable to read ClusterOperators: ") {
		t.Errorf("without an UpdateStatus: exit status %d, %s\n%s", status, errOut, out)
	}
}

// checkTexts checks the text with all kinds of details.
func (w *world) checkTexts(reader *client, us *updatev1alpha1.UpdateStatus) {
	w.t.Helper()
	for _, details := range describe.AllDetails() {
		options := describe.Options{Now: w.second(), Details: details, Head: describe.Head(update.ReadAt(&us.Status, w.second()), w.second())}
		if details == describe.DetailsNone {
			options.More = "--details=all, --timeline, oc update report"
		}
		want := describeText(w.t, us, options)
		out, errOut, status := reader.run(w.ctx, "--details", string(details), "--now", w.now())
		if diff := gocmp.Diff(want, out); diff != "" || errOut != "" || status != 0 {
			w.t.Errorf("--details %s: exit status %d, %s (-want +got):\n%s", details, status, errOut, harness.Cut(w.t, diff))
		}
	}
}

// checkKubectl checks that kubectl runs the client, and completes its flags.
func (w *world) checkKubectl(kubectl client, us *updatev1alpha1.UpdateStatus) {
	w.t.Helper()
	kubectl.binary = w.plane.Kubectl()
	out, errOut, status := kubectl.run(w.ctx, "update", "status", "--now", w.now())
	if diff := gocmp.Diff(describeWhole(w.t, us, w.second())+"\nMore: --details=all, --timeline, kubectl update report\n", out); diff != "" || status != 0 {
		w.t.Errorf("kubectl update status: exit status %d, %s (-want +got):\n%s", status, errOut, harness.Cut(w.t, diff))
	}
	out, _, _ = kubectl.run(w.ctx, "__complete", "update", "status", "--details", "")
	if want := "none\nall\nnodes\nhealth\noperators\n"; !strings.HasPrefix(out, want) {
		w.t.Errorf("kubectl completes --details with %q", out)
	}
}

// checkWithoutPermissions checks that errors name the permission that is missing.
func (w *world) checkWithoutPermissions(reader *client) {
	w.t.Helper()
	out, errOut, status := reader.run(w.ctx, "--watch")
	if status != 1 || !strings.Contains(errOut, "permission to list and watch updatestatuses.update.openshift.io") {
		w.t.Errorf("a watch without the permission: exit status %d, %s\n%s", status, errOut, out)
	}
	out, errOut, status = w.newClient().run(w.ctx)
	if status != 1 || out != "" || !strings.Contains(errOut, "permission to get updatestatuses.update.openshift.io") {
		w.t.Errorf("without any permission: exit status %d, %s\n%s", status, errOut, out)
	}
}

// checkTerminal checks that the text fits the terminal, and has colours unless NO_COLOR is set.
func (w *world) checkTerminal(reader client) {
	w.t.Helper()
	const columns = 100
	for _, colors := range []bool{true, false} {
		if !colors {
			reader.env = append(slices.Clone(reader.env), "NO_COLOR=1")
		}
		text := reader.runOnTerminal(w.ctx, columns, "--now", w.now())
		if strings.Contains(text, "\x1b[") != colors {
			w.t.Errorf("has no colours or unwanted ones (want %t):\n%s", colors, text)
		}
		for line := range strings.Lines(strings.NewReplacer("\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[0m", "").Replace(text)) {
			// Commands are not wrapped: they are copied.
			if length := len([]rune(strings.TrimRight(line, "\r\n"))); length > columns && !strings.HasPrefix(line, "  oc ") && !strings.Contains(line, "→ oc ") {
				w.t.Errorf("%d characters in a terminal of %d columns: %s", length, columns, line)
			}
		}
	}
}

// runOnTerminal returns what the client writes to a terminal.
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

// checkWrongCount checks that bin/update-status-invariants finds a wrong count, which another client writes into the object.
func (w *world) checkWrongCount() {
	w.t.Helper()
	accepted := w.startAcceptance()
	us := w.get()
	find(us, "mcp-worker").MachineConfigPool.Summaries[0].Count++
	if _, err := w.client.UpdateStatus(w.ctx, us, metav1.UpdateOptions{}); err != nil {
		w.t.Fatal(err)
	}
	accepted.expect("its nodes are")
}
