package examples_test

import (
	"os"
	"path/filepath"
	"testing"

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
