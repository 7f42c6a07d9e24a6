//go:build tools

package controlplane

// Imported so that `go mod vendor` brings along the CRDs, which are YAML files in the folders of these packages.
import (
	_ "github.com/openshift/api/config/v1/zz_generated.crd-manifests"
	_ "github.com/openshift/api/machineconfiguration/v1/zz_generated.crd-manifests"
)
