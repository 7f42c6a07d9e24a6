package integration_test

import (
	"context"
	"os"
	"testing"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

// planes are the control planes that no test uses now. Tests wait for most of their time, so that two cores carry more of them than go
// test runs at a time by default.
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
	resetAfter(t, plane)
	return plane
}

// resetAfter empties a cluster after a test.
func resetAfter(t *testing.T, plane *controlplane.ControlPlane) {
	t.Helper()
	t.Cleanup(func() {
		if err := plane.Reset(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
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
