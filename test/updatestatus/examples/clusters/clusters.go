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
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/ceph"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

// Informer is the UpdateInformer of the example, and Account the ServiceAccount of its program.
var (
	Informer = types.NamespacedName{Namespace: "openshift-storage", Name: "ceph"}
	Account  = types.NamespacedName{Namespace: Informer.Namespace, Name: "update-informer"}
)

const (
	folder = "test/updatestatus/examples/ceph"
	// drained is the node that is drained in the objects of the example, and checked is when Rook last checked Ceph.
	drained = "worker-3"
	checked = "2026-03-02T14:30:00Z"
	// separator is between the objects of a file.
	separator = "\n---\n"
)

// healthy is a Ceph cluster that does not rebuild.
const healthy = "{apiVersion: ceph.rook.io/v1, kind: CephCluster, metadata: {namespace: openshift-storage, name: ocs-storagecluster-cephcluster}, " +
	`status: {phase: Ready, ceph: {health: HEALTH_OK, lastChecked: "` + checked + `"}}}`

// statuses are the statuses that a kubelet, and the controller manager, would set: of a pod that is ready, and of a PodDisruptionBudget
// that allows no disruption.
var statuses = map[string]string{
	"Pod":                 `{phase: Running, conditions: [{type: Ready, status: "True"}]}`,
	"PodDisruptionBudget": "{observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1}",
}

// Install installs the CRD of the example, its namespace and its roles, and returns its program as its ServiceAccount.
func Install(ctx context.Context, plane *controlplane.ControlPlane) (ceph.Informer, error) {
	crd, err := read(folder, "testdata", "crd.yaml")
	if err != nil {
		return ceph.Informer{}, err
	}
	if err := Kubectl(ctx, plane, crd, "apply", "--filename", "-"); err != nil {
		return ceph.Informer{}, err
	}
	if err := Kubectl(ctx, plane, crd, "wait", "--for=condition=Established", "--filename", "-"); err != nil {
		return ceph.Informer{}, err
	}
	config, err := Grant(ctx, plane, filepath.Join(folder, "rbac.yaml"), Account, Informer)
	if err != nil {
		return ceph.Informer{}, err
	}
	return ceph.New(config)
}

// Grant creates the namespace of a ServiceAccount and what a manifest of the repository has. It returns the client configuration of the
// ServiceAccount, once that may renew an UpdateInformer.
func Grant(ctx context.Context, plane *controlplane.ControlPlane, manifest string, account, informer types.NamespacedName) (*rest.Config, error) {
	roles, err := read(manifest)
	if err != nil {
		return nil, err
	}
	namespace := "{apiVersion: v1, kind: Namespace, metadata: {name: " + account.Namespace + "}}"
	if err := Kubectl(ctx, plane, namespace+separator+roles, "apply", "--filename", "-"); err != nil {
		return nil, err
	}
	config, err := plane.As(ctx, account)
	if err != nil {
		return nil, err
	}
	return config, controlplane.AwaitAccess(ctx, config, authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
		Group: updatev1alpha1.GroupName, Resource: "updateinformers", Subresource: "status", Verb: "patch", Namespace: informer.Namespace, Name: informer.Name,
	}}, true)
}

// Put creates or updates what the example reports about, as of a time, on a node that is drained.
func Put(ctx context.Context, plane *controlplane.ControlPlane, node string, now time.Time) error {
	objects, err := objectsOn(node, now, "Node")
	if err != nil {
		return err
	}
	if err := Kubectl(ctx, plane, objects, "apply", "--filename", "-"); err != nil {
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
	return Kubectl(ctx, plane, strings.Join(withStatus, separator), "apply", "--server-side", "--subresource=status", "--filename", "-")
}

// Settle removes what the example reports about, as of a time, so that nothing blocks the drain of a node.
func Settle(ctx context.Context, plane *controlplane.ControlPlane, node string, now time.Time) error {
	if err := Remove(ctx, plane, node); err != nil {
		return err
	}
	return Kubectl(ctx, plane, asOf(healthy, node, now), "apply", "--filename", "-")
}

// Remove deletes what the example reports about. Namespaces stay: there may be no controller that ends their deletion.
func Remove(ctx context.Context, plane *controlplane.ControlPlane, node string) error {
	objects, err := objectsOn(node, time.Time{}, "Node", "Namespace")
	if err != nil {
		return err
	}
	return Kubectl(ctx, plane, objects, "delete", "--ignore-not-found", "--force", "--grace-period=0", "--wait=false", "--filename", "-")
}

// objectsOn returns the objects of the example, without those of some kinds.
func objectsOn(node string, now time.Time, without ...string) (string, error) {
	content, err := read(folder, "testdata", "cluster.yaml")
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

// read returns a file of the repository.
func read(path ...string) (string, error) {
	root, err := repository.Root()
	if err != nil {
		return "", err
	}
	content, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	return string(content), err
}

// TrustPatch returns the JSON patch of docs/updatestatus/informers.md with which an administrator trusts its UpdateInformer.
func TrustPatch() (string, error) {
	page, err := read("docs", "updatestatus", "informers.md")
	if err != nil {
		return "", err
	}
	_, patch, _ := strings.Cut(page, "oc patch updatestatus cluster --type=json --patch \\\n  '")
	patch, _, isWhole := strings.Cut(patch, "'\n")
	if !isWhole {
		return "", fmt.Errorf("docs/updatestatus/informers.md has no patch that trusts an UpdateInformer")
	}
	return patch, nil
}

// TrustExample returns the same for the UpdateInformer of the example.
func TrustExample() (string, error) {
	patch, err := TrustPatch()
	return strings.NewReplacer(`"acme-storage"`, `"`+Informer.Namespace+`"`, `"array"`, `"`+Informer.Name+`"`).Replace(patch), err
}

// Kubectl runs a command of kubectl as the administrator, with an input.
func Kubectl(ctx context.Context, plane *controlplane.ControlPlane, input string, args ...string) error {
	kubeconfig, err := plane.AdminKubeconfig()
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, plane.Kubectl(), args...)
	command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "KUBECACHEDIR="+filepath.Dir(kubeconfig))
	command.Stdin = strings.NewReader(input)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("kubectl %s: %w: %s", args[0], err, output)
	}
	return nil
}
