package examples_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/controlplane"
)

// folder has the examples.
var folder = filepath.Join("..", "..", "examples")

var pool = controlplane.NewPool(controlplane.Options{})

func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }

// kubectl runs kubectl as the administrator.
func kubectl(t *testing.T, input string, args ...string) {
	t.Helper()
	kubeconfig, err := pool.Shared(t).AdminKubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	if output, err := runKubectl(t, kubeconfig, input, args...); err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, output)
	}
}

// runKubectl runs kubectl with a kubeconfig, and returns all that it prints.
func runKubectl(t *testing.T, kubeconfig, input string, args ...string) (string, error) {
	t.Helper()
	var output bytes.Buffer
	command := exec.CommandContext(t.Context(), pool.Shared(t).Kubectl(), args...)
	command.Env = []string{"KUBECONFIG=" + kubeconfig, "KUBECACHEDIR=" + t.TempDir()}
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(input), &output, &output
	err := command.Run()
	return output.String(), err
}

// install creates a namespace and what the manifest of an example has, and deletes the UpdateInformer after the test. It returns the client configuration of the ServiceAccount of the
// manifest, once that may renew its UpdateInformer.
func install(t *testing.T, manifest string, account, informer types.NamespacedName) *rest.Config {
	t.Helper()
	t.Cleanup(func() {
		informers := versioned.NewForConfigOrDie(pool.Shared(t).Admin()).UpdateV1alpha1().UpdateInformers(informer.Namespace)
		if err := informers.Delete(context.WithoutCancel(t.Context()), informer.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
	kubectl(t, "{apiVersion: v1, kind: Namespace, metadata: {name: "+account.Namespace+"}}", "apply", "--filename", "-")
	kubectl(t, "", "apply", "--filename", manifest)
	config, err := pool.Shared(t).As(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	access := authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
		Group: updatev1alpha1.GroupName, Resource: "updateinformers", Subresource: "status", Verb: "patch", Namespace: informer.Namespace, Name: informer.Name,
	}}
	if err := controlplane.AwaitAccess(t.Context(), config, access, true); err != nil {
		t.Fatal(err)
	}
	return config
}

// readInformer returns an UpdateInformer.
func readInformer(t *testing.T, name types.NamespacedName) *updatev1alpha1.UpdateInformer {
	t.Helper()
	informer, err := versioned.NewForConfigOrDie(pool.Shared(t).Admin()).UpdateV1alpha1().UpdateInformers(name.Namespace).Get(t.Context(), name.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return informer
}
