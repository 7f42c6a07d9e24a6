package integration_test

import (
	"context"
	"os"
	"testing"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

// planes are the control planes that no test uses now.
var planes = make(chan *controlplane.ControlPlane, 3)

func TestMain(m *testing.M) {
	os.Exit(controlplane.RunParallelTests(m, planes, controlplane.Options{Audited: controlplane.ServiceAccount}))
}

// takePlane runs a test in parallel with others, on an empty control plane of its own.
func takePlane(t *testing.T) *controlplane.ControlPlane {
	t.Helper()
	t.Parallel()
	plane := <-planes
	t.Cleanup(func() { planes <- plane })
	t.Cleanup(func() {
		if err := plane.Reset(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return plane
}

// startPlane starts a control plane for one test.
func startPlane(t *testing.T, options controlplane.Options) *controlplane.ControlPlane {
	t.Helper()
	started, err := controlplane.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := started.Stop(); err != nil {
			t.Error(err)
		}
	})
	return started
}
