package integration_test

import (
	"os"
	"testing"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

var plane *controlplane.ControlPlane

func TestMain(m *testing.M) {
	os.Exit(controlplane.RunTests(m, &plane, controlplane.Options{Audited: controlplane.ServiceAccount}))
}

// useOtherPlane starts a control plane for one test, and uses it instead of the shared one until the test ends.
func useOtherPlane(t *testing.T, options controlplane.Options) {
	t.Helper()
	shared := plane
	other, err := controlplane.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	plane = other
	t.Cleanup(func() {
		plane = shared
		if err := other.Stop(); err != nil {
			t.Error(err)
		}
	})
}
