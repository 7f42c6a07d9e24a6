package integration_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
	"k8s.io/utils/ptr"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/manifest"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

const image = "registry.example.com/example/update-status:v1"

// userCommand returns a command with the environment of a user who has a kubeconfig and a clone of the repository, and its
// standard error.
func userCommand(t *testing.T, plane *controlplane.ControlPlane, name string, arguments ...string) (*exec.Cmd, *harness.Log) {
	t.Helper()
	kubeconfig, err := plane.AdminKubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = repositoryRoot(t)
	// The variables of the make that runs the tests would change the one that is tested.
	command.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "MAKE") || strings.HasPrefix(variable, "MFLAGS")
	}), "KUBECONFIG="+kubeconfig, "OC="+plane.Kubectl())
	stderr := harness.LogFile(t, filepath.Base(name))
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
	w.observe()
	address, err := harness.FreeAddress(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	command, _ := userCommand(t, w.plane, "hack/updatestatus/run.sh", "--listen", address)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	w.until("the first report", isAvailable)
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.awaitExit(command, 0)
}

// TestLongDeploy makes deploy on a real API server: every object is there, in the order of the files, as it was written, and nothing is added
// where the Cluster Version Operator would find a difference. It then checks what undeploy would delete, in the reverse order, and deletes
// what the tombstones name.
func TestLongDeploy(t *testing.T) {
	t.Parallel()
	d := newDeployed(t, pool.Start(t, controlplane.Options{Bare: true}))
	all := readManifests(t, image)
	applied := makeTarget(t, d.plane, "deploy", "IMAGE="+image, "FLAGS=--output=name")
	deleted := makeTarget(t, d.plane, "undeploy", "FLAGS=--dry-run=server --output=name")
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
	d.expectApplied()
	d.expectTombstones()
}

// deployed is a cluster with the objects of manifests/.
type deployed struct {
	t       *testing.T
	plane   *controlplane.ControlPlane
	client  dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
	written []manifest.Manifest
}

func newDeployed(t *testing.T, plane *controlplane.ControlPlane) *deployed {
	t.Helper()
	files, err := manifests.Files(repositoryRoot(t))
	if err != nil {
		t.Fatal(err)
	}
	d := &deployed{
		t: t, plane: plane, client: dynamic.NewForConfigOrDie(plane.Admin()),
		mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kubernetes.NewForConfigOrDie(plane.Admin()).Discovery())),
	}
	for _, file := range files {
		rendered, err := manifests.RenderFile(file, image)
		if err != nil {
			t.Fatal(err)
		}
		d.written = append(d.written, parseManifests(t, rendered)...)
	}
	return d
}

func parseManifests(t *testing.T, content []byte) []manifest.Manifest {
	t.Helper()
	objects, err := manifest.ParseManifests(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

func (d *deployed) resource(of *manifest.Manifest) dynamic.ResourceInterface {
	d.t.Helper()
	mapping, err := d.mapper.RESTMapping(of.GVK.GroupKind(), of.GVK.Version)
	if err != nil {
		d.t.Fatal(err)
	}
	return d.client.Resource(mapping.Resource).Namespace(of.Obj.GetNamespace())
}

func (d *deployed) get(of *manifest.Manifest) (*unstructured.Unstructured, error) {
	d.t.Helper()
	return d.resource(of).Get(d.t.Context(), of.Obj.GetName(), metav1.GetOptions{})
}

// expectApplied reads back what the manifests are in the API server.
func (d *deployed) expectApplied() {
	d.t.Helper()
	for _, written := range d.written {
		stored, err := d.get(&written)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, difference := range differences("", written.Obj.Object, stored.Object) {
			d.t.Errorf("%s: %s", written.String(), difference)
		}
	}
}

// expectTombstones deletes what the tombstones name, as the Cluster Version Operator does: nothing of the manifests remains. They are
// in force in a release that knows neither the capability nor the feature set.
func (d *deployed) expectTombstones() {
	d.t.Helper()
	for _, tombstone := range tombstones(d.t) {
		if err := tombstone.Include(nil, ptr.To("Default"), ptr.To("self-managed-high-availability"), &configv1.ClusterVersionCapabilitiesStatus{}, nil, nil, nil); err != nil {
			d.t.Errorf("%s is not in force: %v", tombstone.String(), err)
		}
		if tombstone.Obj.GetAnnotations()["release.openshift.io/delete"] != "true" {
			d.t.Errorf("%s deletes nothing", tombstone.String())
		}
		if err := d.resource(&tombstone).Delete(d.t.Context(), tombstone.Obj.GetName(), metav1.DeleteOptions{}); err != nil {
			d.t.Errorf("deleting %s: %v", tombstone.String(), err)
		}
	}
	for _, written := range d.written {
		object, err := d.get(&written)
		// A namespace and a CRD end when their content is gone, which other controllers see to.
		if !apierrors.IsNotFound(err) && (err != nil || object.GetDeletionTimestamp() == nil) {
			d.t.Errorf("%s remains: %v", written.String(), err)
		}
	}
}

func tombstones(t *testing.T) []manifest.Manifest {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repositoryRoot(t), "tombstones", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []manifest.Manifest
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, parseManifests(t, content)...)
	}
	return all
}

// compared are the parts of objects that the Cluster Version Operator compares as a whole: what the API server adds there is a
// difference at every sync, and a write.
var compared = []string{".spec.template.spec", ".spec.ports", ".rules", ".subjects", ".roleRef", ".data"}

// added are what the API server adds all the same, and the Cluster Version Operator does not look at.
var added = []string{
	// The older name of serviceAccountName.
	".spec.template.spec.serviceAccount",
}

// differences returns the fields that the stored value lacks or has otherwise, and those that it has in addition in parts that
// are compared.
func differences(path string, written, stored any) []string {
	switch written := written.(type) {
	case map[string]any:
		return mapDifferences(path, written, stored)
	case []any:
		items, ok := stored.([]any)
		if !ok || len(items) != len(written) {
			return []string{fmt.Sprintf("%s: %v became %v", path, written, stored)}
		}
		var found []string
		for at := range written {
			found = append(found, differences(path, written[at], items[at])...)
		}
		return found
	default:
		if written != stored {
			return []string{fmt.Sprintf("%s: %v became %v", path, written, stored)}
		}
		return nil
	}
}

func mapDifferences(path string, written map[string]any, stored any) []string {
	fields, ok := stored.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s: %v became %v", path, written, stored)}
	}
	var found []string
	for name, value := range written {
		found = append(found, differences(path+"."+name, value, fields[name])...)
	}
	for name, value := range fields {
		at := path + "." + name
		if _, has := written[name]; !has && isCompared(at) && !slices.Contains(added, at) {
			found = append(found, fmt.Sprintf("%s: %v was added", at, value))
		}
	}
	slices.Sort(found)
	return found
}

func isCompared(path string) bool {
	return slices.ContainsFunc(compared, func(part string) bool { return strings.HasPrefix(path, part+".") })
}

func repositoryRoot(t *testing.T) string {
	t.Helper()
	return repository.RootOf(t)
}
