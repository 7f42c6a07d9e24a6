package integration_test

import (
	"context"
	"os"
	"testing"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

var pool = controlplane.NewPool(controlplane.Options{Audited: controlplane.ServiceAccount})

func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }

// resetAfter empties a cluster after a test.
func resetAfter(t *testing.T, plane *controlplane.ControlPlane) {
	t.Helper()
	t.Cleanup(func() {
		if err := plane.Reset(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}
