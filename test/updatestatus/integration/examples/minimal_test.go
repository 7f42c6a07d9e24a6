package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/clusters"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

const acme = "acme-storage"

var (
	array        = types.NamespacedName{Namespace: acme, Name: "array"}
	arrayAccount = types.NamespacedName{Namespace: acme, Name: "array-informer"}
)

// rebuilding is what both programs of docs/updatestatus/informers.md report.
var rebuilding = []updatev1alpha1.InformerInsight{{
	Name: "rebuilding", Reason: "StorageRebuilding", Level: updatev1alpha1.InformerWarning, Impact: updatev1alpha1.ImpactUpdateSpeed,
	Summary: "The array rebuilds 12 of 96 disks", Resources: []updatev1alpha1.ResourceRef{{Resource: "nodes", Name: "worker-3"}},
}}

// programs build the programs of docs/updatestatus/informers.md in a folder, and return their paths.
var programs = map[string]func(t *testing.T, dir string) string{
	"main.go": func(t *testing.T, dir string) string {
		t.Helper()
		binary := filepath.Join(dir, "minimal")
		command := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", binary, ".")
		command.Dir = filepath.Join(folder, "minimal")
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		return binary
	},
	"minimal.sh": func(t *testing.T, dir string) string {
		t.Helper()
		if err := os.Symlink(pool.Shared(t).Kubectl(), filepath.Join(dir, "oc")); err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Abs(filepath.Join(folder, "minimal", "minimal.sh"))
		if err != nil {
			t.Fatal(err)
		}
		return path
	},
}

// install creates the Role of docs/updatestatus/informers.md, and returns the client configuration of its ServiceAccount.
func install(t *testing.T) *rest.Config {
	t.Helper()
	config, err := clusters.Grant(t.Context(), pool.Emptied(t), filepath.Join("test", "updatestatus", "examples", "minimal", "rbac.yaml"), arrayAccount, array)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// TestMinimal runs the programs of docs/updatestatus/informers.md with the Role of that document and nothing else.
func TestMinimal(t *testing.T) {
	for name, build := range programs {
		t.Run(name, func(t *testing.T) {
			config := install(t)
			kubeconfig, err := pool.Shared(t).KubeconfigOf(arrayAccount.Name, config)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := pace.WithTimeout(t.Context(), harness.Stall)
			defer cancel()
			changes, err := versioned.NewForConfigOrDie(pool.Shared(t).Admin()).UpdateV1alpha1().UpdateInformers(acme).Watch(ctx, metav1.ListOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer changes.Stop()
			start, dir := time.Now().Truncate(time.Second), t.TempDir()
			var output bytes.Buffer
			command := exec.CommandContext(ctx, build(t, dir))
			// The script and the sleep that it waits for end when nobody reads from them any more.
			command.WaitDelay = time.Second
			command.Stdout, command.Stderr = &output, &output
			command.Env = []string{"KUBECONFIG=" + kubeconfig, "KUBECACHEDIR=" + dir, "PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			renewed := awaitRenewed(changes)
			cancel()
			_ = command.Wait()
			if renewed == nil {
				t.Fatalf("it was not renewed:\n%s", &output)
			}
			if diff := cmp.Diff(rebuilding, renewed.Status.Insights); diff != "" || renewed.Name != array.Name {
				t.Errorf("UpdateInformer %s (-want +got):\n%s", renewed.Name, diff)
			}
			if at := renewed.Status.RenewedAt.Time; at.Before(start) || at.After(time.Now()) {
				t.Errorf("renewed at %s, started at %s", at, start)
			}
		})
	}
}

// awaitRenewed returns the first UpdateInformer that was renewed, or nil if the watch ends before.
func awaitRenewed(changes watch.Interface) *updatev1alpha1.UpdateInformer {
	for event := range changes.ResultChan() {
		if informer, is := event.Object.(*updatev1alpha1.UpdateInformer); is && informer.Status.RenewedAt != nil {
			return informer
		}
	}
	return nil
}

// TestMinimalRole checks that the Role of docs/updatestatus/informers.md allows the UpdateInformer that it names and no other, and to create it only
// by an apply, which has a name. Whom an administrator trusts is out of its reach.
func TestMinimalRole(t *testing.T) {
	config := install(t)
	for _, other := range []types.NamespacedName{{Namespace: acme, Name: "another"}, {Namespace: metav1.NamespaceDefault, Name: array.Name}} {
		if err := apply(t, config, other); !apierrors.IsForbidden(err) {
			t.Errorf("%s: %v", other, err)
		}
	}
	kubeconfig, err := pool.Shared(t).KubeconfigOf(arrayAccount.Name, config)
	if err != nil {
		t.Fatal(err)
	}
	const manifest = "{apiVersion: update.openshift.io/v1alpha1, kind: UpdateInformer, metadata: {namespace: " + acme + ", name: array}}"
	for _, args := range [][]string{
		{"create", "--filename", "-"},
		{"delete", "updateinformer", "array"},
		{"get", "updateinformers"},
		{"get", "updateinformer", "array"},
		{"patch", "updatestatus", "cluster", "--type=json", "--patch=[]"},
	} {
		command := exec.CommandContext(t.Context(), pool.Shared(t).Kubectl(), append(args, "--namespace", acme)...)
		command.Env = []string{"KUBECONFIG=" + kubeconfig, "KUBECACHEDIR=" + t.TempDir()}
		command.Stdin = strings.NewReader(manifest)
		output, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(output), "Forbidden") {
			t.Errorf("%s: %v, %s", args[0], err, output)
		}
	}
	if err := apply(t, config, array); err != nil {
		t.Error(err)
	}
}

// apply applies an UpdateInformer without insights, and its status.
func apply(t *testing.T, config *rest.Config, name types.NamespacedName) error {
	t.Helper()
	client := versioned.NewForConfigOrDie(config).UpdateV1alpha1().UpdateInformers(name.Namespace)
	informer, options := updateac.UpdateInformer(name.Name, name.Namespace), metav1.ApplyOptions{FieldManager: "test"}
	if _, err := client.Apply(t.Context(), informer, options); err != nil {
		return err
	}
	_, err := client.ApplyStatus(t.Context(), informer.WithStatus(updateac.UpdateInformerStatus().WithRenewedAt(metav1.Now())), options)
	return err
}

// TestTrust runs the command of docs/updatestatus/informers.md with which an administrator trusts an UpdateInformer.
func TestTrust(t *testing.T) {
	patch, err := clusters.TrustPatch()
	if err != nil {
		t.Fatal(err)
	}
	client := versioned.NewForConfigOrDie(pool.Emptied(t).Admin()).UpdateV1alpha1().UpdateStatuses()
	object := &updatev1alpha1.UpdateStatus{ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName}}
	if _, err := client.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	kubectl(t, "patch", "updatestatus", "cluster", "--type=json", "--patch", patch)
	patched, err := client.Get(t.Context(), updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []updatev1alpha1.InformerSetting{{Namespace: array.Namespace, Name: array.Name, State: updatev1alpha1.InformerTrusted}}
	if diff := cmp.Diff(want, patched.Spec.Informers); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}
