package clusters

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/examples/ceph"
	"github.com/openshift/cluster-version-operator/test/examples/livemigration"
	"github.com/openshift/cluster-version-operator/test/examples/updateinformer"
	"github.com/openshift/cluster-version-operator/test/repository"
)

const (
	// drained is the node that is drained in the objects of the examples, and checked is when Rook last checked Ceph.
	drained = "worker-3"
	checked = "2026-03-02T14:30:00Z"
	account = "update-informer"
	// separator is between the objects of a file.
	separator = "\n---\n"
)

// statuses are the statuses that a kubelet, and the controller manager, would set: of a pod that is ready, and of a PodDisruptionBudget
// that allows no disruption.
var statuses = map[string]string{
	"Pod":                 `{phase: Running, conditions: [{type: Ready, status: "True"}]}`,
	"PodDisruptionBudget": "{observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1}",
}

// Example is an example of docs/informers.md.
type Example struct {
	// Informer is its UpdateInformer.
	Informer types.NamespacedName
	// New creates its program.
	New func(*rest.Config) (updateinformer.Informer, error)
	// folder has its roles, and the file objects of its folder testdata what it reports about. settled is what it reads when there is
	// nothing to report.
	folder, objects, settled string
}

// healthy is a Ceph cluster that does not rebuild.
const healthy = "{apiVersion: ceph.rook.io/v1, kind: CephCluster, metadata: {namespace: openshift-storage, name: ocs-storagecluster-cephcluster}, " +
	`status: {phase: Ready, ceph: {health: HEALTH_OK, lastChecked: "` + checked + `"}}}`

// Ceph is the example of storage that rebuilds.
func Ceph() Example {
	informer := types.NamespacedName{Namespace: "openshift-storage", Name: "ceph"}
	return Example{Informer: informer, New: ceph.New, folder: "ceph", objects: "cluster.yaml", settled: healthy}
}

// LiveMigration is the example of virtual machines that leave a node.
func LiveMigration() Example {
	informer := types.NamespacedName{Namespace: "openshift-cnv", Name: "live-migration"}
	return Example{Informer: informer, New: livemigration.New, folder: "livemigration", objects: "machines.yaml"}
}

// Install installs the CRDs of an example, its namespace and its roles, and returns its program as its ServiceAccount.
func (e Example) Install(ctx context.Context, plane *controlplane.ControlPlane) (updateinformer.Informer, error) {
	crds, err := e.read(filepath.Join("testdata", "crd.yaml"))
	if err != nil {
		return updateinformer.Informer{}, err
	}
	roles, err := e.read("rbac.yaml")
	if err != nil {
		return updateinformer.Informer{}, err
	}
	namespace := "{apiVersion: v1, kind: Namespace, metadata: {name: " + e.Informer.Namespace + "}}"
	if err := kubectl(ctx, plane, strings.Join([]string{namespace, crds, roles}, separator), "apply"); err != nil {
		return updateinformer.Informer{}, err
	}
	if err := kubectl(ctx, plane, crds, "wait", "--for=condition=Established"); err != nil {
		return updateinformer.Informer{}, err
	}
	config, err := plane.As(ctx, types.NamespacedName{Namespace: e.Informer.Namespace, Name: account})
	if err != nil {
		return updateinformer.Informer{}, err
	}
	if err := controlplane.AwaitAccess(ctx, config, authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
		Group: updatev1alpha1.GroupName, Resource: "updateinformers", Subresource: "status", Verb: "patch",
		Namespace: e.Informer.Namespace, Name: e.Informer.Name,
	}}, true); err != nil {
		return updateinformer.Informer{}, err
	}
	return e.New(config)
}

// Put creates or updates what an example reports about, as of a time, on a node that is drained.
func (e Example) Put(ctx context.Context, plane *controlplane.ControlPlane, node string, now time.Time) error {
	objects, err := e.objectsOn(node, now, "Node")
	if err != nil {
		return err
	}
	if err := kubectl(ctx, plane, objects, "apply"); err != nil {
		return err
	}
	var withStatus []string
	for object := range strings.SplitSeq(objects, separator) {
		for kind, status := range statuses {
			if isOf(object, kind) {
				withStatus = append(withStatus, strings.TrimSpace(object)+"\nstatus: "+status)
			}
		}
	}
	return kubectl(ctx, plane, strings.Join(withStatus, separator), "apply", "--server-side", "--subresource=status")
}

// Settle removes what an example reports about, as of a time, so that nothing blocks the drain of a node.
func (e Example) Settle(ctx context.Context, plane *controlplane.ControlPlane, node string, now time.Time) error {
	if err := e.Remove(ctx, plane, node); err != nil || e.settled == "" {
		return err
	}
	return kubectl(ctx, plane, asOf(e.settled, node, now), "apply")
}

// Remove deletes what an example reports about. Namespaces stay: there may be no controller that ends their deletion.
func (e Example) Remove(ctx context.Context, plane *controlplane.ControlPlane, node string) error {
	objects, err := e.objectsOn(node, time.Time{}, "Node", "Namespace")
	if err != nil {
		return err
	}
	return kubectl(ctx, plane, objects, "delete", "--ignore-not-found", "--force", "--grace-period=0", "--wait=false")
}

// objectsOn returns the objects of an example, without those of some kinds.
func (e Example) objectsOn(node string, now time.Time, without ...string) (string, error) {
	content, err := e.read(filepath.Join("testdata", e.objects))
	if err != nil {
		return "", err
	}
	objects := slices.DeleteFunc(strings.Split(content, separator), func(object string) bool {
		return slices.ContainsFunc(without, func(kind string) bool { return isOf(object, kind) })
	})
	return asOf(strings.Join(objects, separator), node, now), nil
}

// isOf returns whether an object is of a kind.
func isOf(object, kind string) bool {
	return strings.Contains("\n"+object, "\nkind: "+kind+"\n")
}

// asOf returns objects with another node and another time.
func asOf(objects, node string, now time.Time) string {
	return strings.NewReplacer(drained, node, checked, now.UTC().Format(time.RFC3339)).Replace(objects)
}

// read returns a file of the folder of an example.
func (e Example) read(path string) (string, error) {
	root, err := repository.Root()
	if err != nil {
		return "", err
	}
	content, err := os.ReadFile(filepath.Join(root, "test", "examples", e.folder, path))
	return string(content), err
}

// TrustPatch returns the JSON patch of docs/informers.md with which an administrator trusts an UpdateInformer.
func TrustPatch(informer types.NamespacedName) (string, error) {
	root, err := repository.Root()
	if err != nil {
		return "", err
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "informers.md"))
	if err != nil {
		return "", err
	}
	_, patch, _ := strings.Cut(string(page), "oc patch updatestatus cluster --type=json --patch \\\n  '")
	patch, _, isWhole := strings.Cut(patch, "'\n")
	if !isWhole {
		return "", fmt.Errorf("docs/informers.md has no patch that trusts an UpdateInformer")
	}
	return strings.NewReplacer(`"acme-storage"`, `"`+informer.Namespace+`"`, `"array"`, `"`+informer.Name+`"`).Replace(patch), nil
}

// kubectl runs a command of kubectl with objects.
func kubectl(ctx context.Context, plane *controlplane.ControlPlane, objects string, args ...string) error {
	kubeconfig, err := plane.AdminKubeconfig()
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, plane.Kubectl(), append(args, "--filename", "-")...)
	command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "KUBECACHEDIR="+filepath.Dir(kubeconfig))
	command.Stdin = strings.NewReader(objects)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("kubectl %s: %w: %s", args[0], err, output)
	}
	return nil
}
