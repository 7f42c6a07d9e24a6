package api_test

import (
	"os"
	"testing"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

var plane *controlplane.ControlPlane

func TestMain(m *testing.M) {
	os.Exit(controlplane.RunTests(m, &plane, controlplane.Options{Hosted: true}))
}
