package api_test

import (
	"os"
	"testing"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

var pool = controlplane.NewPool(controlplane.Options{Hosted: true})

func TestMain(m *testing.M) { os.Exit(pool.Main(m)) }
