package examples_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/examples/clusters"
)

// folder has the examples.
var folder = filepath.Join("..", "..", "examples")

var pool = controlplane.NewPool(controlplane.Options{})

func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }

// kubectl runs kubectl as the administrator.
func kubectl(t *testing.T, input string, args ...string) {
	t.Helper()
	if err := clusters.Kubectl(t.Context(), pool.Shared(t), input, args...); err != nil {
		t.Fatal(err)
	}
}

// deleteAfter deletes an UpdateInformer after the test.
func deleteAfter(t *testing.T, informer types.NamespacedName) {
	t.Helper()
	t.Cleanup(func() {
		informers := versioned.NewForConfigOrDie(pool.Shared(t).Admin()).UpdateV1alpha1().UpdateInformers(informer.Namespace)
		if err := informers.Delete(context.WithoutCancel(t.Context()), informer.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
}
