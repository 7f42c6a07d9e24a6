package integration_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/faults"
	"github.com/openshift/cluster-version-operator/test/harness"
)

// becomesReady is how long a process may take to be ready: half of what the startup probe of the Deployment allows.
const becomesReady = 30 * time.Second

// TestReady: the Cluster Version Operator waits for the Deployment before it goes on with an update. So the pod becomes ready
// whatever the cluster looks like, and is still ready when it has noticed what it lacks.
func TestReady(t *testing.T) {
	t.Parallel()
	own := []schema.GroupResource{
		{Group: "update.openshift.io", Resource: "updatestatuses"},
		{Group: "update.openshift.io", Resource: "updatestatussummaries"},
		{Group: "update.openshift.io", Resource: "updaterecords"},
		{Group: "update.openshift.io", Resource: "updateinformers"},
	}
	for _, test := range []struct {
		name    string
		without []schema.GroupResource
		change  func(context.Context, *testing.T, *controlplane.ControlPlane)
		rules   []faults.Rule
		// notices is what the log has once the process has noticed.
		notices string
	}{
		{name: "without its own CRDs", without: own, notices: "Waiting until a resource can be listed"},
		{name: "without MachineConfigPools", without: controlplane.MachineConfigResources(), notices: "Created the UpdateStatus"},
		{name: "without permission to read the cluster", change: takePermissions, notices: "Waiting until a resource can be listed"},
		{
			name: "with a slow API server", rules: []faults.Rule{{Do: faults.Stall(2 * time.Second)}}, notices: "Created the UpdateStatus",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			other := pool.Start(t, controlplane.Options{Without: test.without})
			if test.change != nil {
				test.change(t.Context(), t, other)
			}
			proxy, err := faults.NewProxy(other.Admin())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(proxy.Close)
			proxy.Set(test.rules...)
			account, err := other.As(t.Context(), controlplane.ServiceAccount)
			if err != nil {
				t.Fatal(err)
			}
			kubeconfig, err := other.KubeconfigOf("through", proxy.Through(account))
			if err != nil {
				t.Fatal(err)
			}
			written := &logs{}
			process, err := harness.StartProcess(t.Context(), other, harness.ProcessOptions{Logs: written, Kubeconfig: kubeconfig})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = process.Signal(os.Kill)
				<-process.Ended()
				if t.Failed() {
					t.Logf("the controller logged:\n%s", written)
				}
			})
			awaitReady(t, process)
			awaitText(t, written, test.notices)
			if err := probe(t.Context(), process); err != nil {
				t.Errorf("after it has noticed: %v", err)
			}
		})
	}
}

// takePermissions deletes what grants anything to the controller, but for what is in the manifests beside the Deployment: its lease
// and the authority of those who scrape it, without which library-go does not begin to serve.
func takePermissions(ctx context.Context, t *testing.T, from *controlplane.ControlPlane) {
	t.Helper()
	rbac := kubernetes.NewForConfigOrDie(from.Admin()).RbacV1()
	const name = "system:openshift:update-status-controller"
	for _, binding := range []string{name, name + ":auth-delegator"} {
		if err := rbac.ClusterRoleBindings().Delete(ctx, binding, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for namespace, binding := range map[string]string{
		controlplane.MachineConfigNamespace: "update-status-controller", controlplane.MonitoringNamespace: "update-status-controller",
	} {
		if err := rbac.RoleBindings(namespace).Delete(ctx, binding, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// awaitReady probes a process as a kubelet does, until it is ready.
func awaitReady(t *testing.T, process *harness.Process) {
	t.Helper()
	var last error
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, becomesReady, true, func(ctx context.Context) (bool, error) {
		last = probe(ctx, process)
		return last == nil, nil
	})
	if err != nil {
		t.Fatalf("not ready after %s: %v", becomesReady, last)
	}
}

// probe sends the requests of the probes.
func probe(ctx context.Context, process *harness.Process) error {
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}} // as a kubelet
	for _, path := range []string{"/livez", "/readyz"} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+process.Address()+path, http.NoBody)
		if err != nil {
			return err
		}
		answer, err := client.Do(request)
		if err != nil {
			return err
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: status %d", path, answer.StatusCode)
		}
	}
	return nil
}

// awaitText waits until a log has a text.
func awaitText(t *testing.T, in *logs, want string) {
	t.Helper()
	deadline := time.After(timeout)
	for {
		text, changed := in.state()
		if strings.Contains(text, want) {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("there is no %q in the log", want)
		}
	}
}
