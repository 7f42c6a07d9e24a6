package integration_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/faults"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	// becomesReady is how long a process may take to be ready: half of what the startup probe of the Deployment allows.
	becomesReady = 30 * time.Second
	// waitsForResource is what a process logs that can't list something.
	waitsForResource = "Waiting until a resource can be listed"
)

// bareCluster is a cluster that lacks whatever the controller can do without.
type bareCluster struct {
	*world

	proxy      *faults.Proxy
	kubeconfig string
}

// TestLongReady: the Cluster Version Operator waits for the Deployment before it goes on with an update. So the pod becomes ready
// whatever the cluster looks like, and is still ready when it has noticed what it lacks. The control plane is reported without the
// resources of the Machine Config Operator, and nodes are once there are any, without MachineConfigNodes as well, as in releases before 4.19.
func TestLongReady(t *testing.T) {
	t.Parallel()
	own := []schema.GroupResource{
		updatev1alpha1.Resource("updatestatuses"), updatev1alpha1.Resource("updatestatussummaries"),
		updatev1alpha1.Resource("updaterecords"), updatev1alpha1.Resource("updateinformers"),
	}
	later := controlplane.MachineConfigResources()
	w := newWorldOn(t, pool.Start(t, controlplane.Options{
		Without: slices.Concat(own, later, []schema.GroupResource{{Group: machineconfigv1.GroupName, Resource: "machineconfignodes"}}),
	}))
	b := &bareCluster{world: w}
	b.startProxy()
	b.stopReady(b.startReady("without its own CRDs", waitsForResource))

	b.createCRDs(own)
	process := b.startReady("without MachineConfigPools", "Created the UpdateStatus")
	w.observe()
	b.expectControlPlane()
	if err := w.plane.Install(w.ctx, later...); err != nil {
		t.Fatal(err)
	}
	b.expectNodes()
	b.stopReady(process)

	if err := w.client.Delete(w.ctx, updatev1alpha1.SingletonName, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	b.proxy.Set(faults.Rule{Do: faults.Stall(2 * time.Second)})
	process = b.startReady("with a slow API server", "Created the UpdateStatus")
	b.proxy.Set()
	b.stopReady(process)
	b.takePermissions()
	b.stopReady(b.startReady("without permission to read the cluster", waitsForResource))
}

func (b *bareCluster) startProxy() {
	b.t.Helper()
	var err error
	if b.proxy, err = faults.NewProxy(b.plane.Admin()); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(b.proxy.Close)
	account, err := b.plane.As(b.ctx, controlplane.ServiceAccount)
	if err != nil {
		b.t.Fatal(err)
	}
	if b.kubeconfig, err = b.plane.KubeconfigOf("through", b.proxy.Through(account)); err != nil {
		b.t.Fatal(err)
	}
}

// createCRDs creates CRDs of manifests/.
func (b *bareCluster) createCRDs(resources []schema.GroupResource) {
	b.t.Helper()
	for _, manifest := range readManifests(b.t, controlplane.Image) {
		crd, is := manifest.Object.(*apiextensionsv1.CustomResourceDefinition)
		if !is || !slices.Contains(resources, schema.GroupResource{Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural}) {
			continue
		}
		if err := b.plane.Create(b.ctx, crd); err != nil {
			b.t.Fatal(err)
		}
	}
}

// startReady starts a process, waits until it is ready and has noticed something, and checks that it is still ready.
func (b *bareCluster) startReady(name, notices string) *harness.Process {
	b.t.Helper()
	log := harness.LogFile(b.t, name)
	process, err := harness.StartProcess(b.ctx, b.plane, harness.ProcessOptions{Logs: log, Kubeconfig: b.kubeconfig})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(process.Kill)
	var last error
	err = pace.Poll(b.ctx, 100*time.Millisecond, becomesReady, func(ctx context.Context) (bool, error) {
		last = probe(ctx, process)
		return last == nil, nil
	})
	if err != nil {
		b.t.Fatalf("%s: not ready: %v: %v", name, err, last)
	}
	log.Until(b.ctx, notices)
	if err := probe(b.ctx, process); err != nil {
		b.t.Errorf("%s: after it has noticed: %v", name, err)
	}
	return process
}

// stopReady stops a process, so that the next one gets the lease at once.
func (b *bareCluster) stopReady(process *harness.Process) {
	b.t.Helper()
	if err := process.Stop(); err != nil {
		b.t.Errorf("the process ended with %v", err)
	}
}

// probe sends the requests of the probes, as a kubelet does.
func probe(ctx context.Context, process *harness.Process) error {
	for _, path := range []string{"/livez", "/readyz"} {
		status, _, err := get(ctx, &tls.Config{InsecureSkipVerify: true}, "https://"+process.Address()+path, "")
		if err != nil {
			return err
		}
		if status != http.StatusOK {
			return fmt.Errorf("%s: status %d", path, status)
		}
	}
	return nil
}

// split returns the objects of the small cluster that are of the Machine Config Operator, and the others.
func split() (machineConfig, others []simulator.Object) {
	for _, object := range smallCluster() {
		if object.GetObjectKind().GroupVersionKind().Group == machineconfigv1.GroupName {
			machineConfig = append(machineConfig, object)
		} else {
			others = append(others, object)
		}
	}
	return machineConfig, others
}

func (b *bareCluster) expectControlPlane() {
	b.t.Helper()
	_, objects := split()
	b.put(objects...)
	us := b.until("the control plane", func(us *updatev1alpha1.UpdateStatus) bool {
		return isAvailable(us) && find(us, "co-etcd") != nil && find(us, "co-dns") != nil
	})
	if reason := reasonOf(us); reason != updatev1alpha1.ReasonNoMachineConfigPools || len(us.Status.WorkerPools) != 0 {
		b.t.Errorf("Available is True with reason %s, worker pools are %v", reason, us.Status.WorkerPools)
	}
}

// expectNodes checks that nodes are reported, and how one is updated.
func (b *bareCluster) expectNodes() {
	b.t.Helper()
	objects, _ := split()
	b.put(objects...)
	b.until("the nodes", func(us *updatev1alpha1.UpdateStatus) bool {
		return reasonOf(us) == updatev1alpha1.ReasonAsExpected && find(us, "node-worker-1") != nil && find(us, "mcp-worker") != nil
	})
	begun := builders.Configs("rendered-old", "rendered-new")
	for _, step := range []struct {
		phase   insight.NodePhase
		options []builders.NodeOption
	}{
		{insight.PhaseDraining, []builders.NodeOption{begun, builders.State(builders.StateWorking), builders.Unschedulable(), builders.Drain("drain-new", "uncordon-old")}},
		{insight.PhaseRebooting, []builders.NodeOption{begun, builders.State(builders.StateRebooting), builders.PostConfigAction(builders.PostConfigActionRebooting)}},
		{insight.PhaseCompleted, []builders.NodeOption{builders.Configs("rendered-new", "rendered-new")}},
	} {
		b.put(builders.Node("worker-1", append(step.options, builders.Role("worker"))...))
		b.until(string(step.phase), func(us *updatev1alpha1.UpdateStatus) bool {
			return insight.StateOf(find(us, "node-worker-1").Node).Phase == step.phase
		})
	}
}

// takePermissions deletes what grants anything to the controller, but for what is in the manifests beside the Deployment: its lease
// and the authority of those who scrape it, without which library-go does not begin to serve.
func (b *bareCluster) takePermissions() {
	b.t.Helper()
	rbac := b.kube.RbacV1()
	const name = "system:openshift:update-status-controller"
	for _, binding := range []string{name, name + ":auth-delegator"} {
		if err := rbac.ClusterRoleBindings().Delete(b.ctx, binding, metav1.DeleteOptions{}); err != nil {
			b.t.Fatal(err)
		}
	}
	for namespace, binding := range map[string]string{
		controlplane.MachineConfigNamespace: "update-status-controller", controlplane.MonitoringNamespace: "update-status-controller",
	} {
		if err := rbac.RoleBindings(namespace).Delete(b.ctx, binding, metav1.DeleteOptions{}); err != nil {
			b.t.Fatal(err)
		}
	}
}

// readManifests returns the objects of manifests/ in the order of their files.
func readManifests(t *testing.T, image string) []manifests.Manifest {
	t.Helper()
	files, err := manifests.Files(repositoryRoot(t))
	if err != nil {
		t.Fatal(err)
	}
	all, err := manifests.Read(files, image)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// isNode returns whether a write is one of a node that is so.
func isNode(is func(*corev1.Node) bool) func(simulator.Write) bool {
	return func(write simulator.Write) bool {
		node, isNode := write.After.(*corev1.Node)
		return isNode && is(node)
	}
}
