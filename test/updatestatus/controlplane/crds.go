package controlplane

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

// openshiftCRDs are packages of the OpenShift API and the CRDs in their folders that are installed: what the Update
// Status Controller reads, Infrastructure, which leader election asks about the topology of the cluster, and
// APIServer with the TLS security profile.
var openshiftCRDs = map[string][]string{
	"github.com/openshift/api/config/v1/zz_generated.crd-manifests": {
		"0000_00_cluster-version-operator_01_clusteroperators.crd.yaml",
		"0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml",
		"0000_10_config-operator_01_apiservers-Default.crd.yaml",
		"0000_10_config-operator_01_infrastructures-Default.crd.yaml",
	},
	"github.com/openshift/api/machineconfiguration/v1/zz_generated.crd-manifests": {
		"0000_80_machine-config_01_machineconfignodes-Default.crd.yaml",
		"0000_80_machine-config_01_machineconfigpools-Default.crd.yaml",
		"0000_80_machine-config_01_machineconfigs.crd.yaml",
		"0000_80_machine-config_01_machineosbuilds.crd.yaml",
		"0000_80_machine-config_01_machineosconfigs.crd.yaml",
	},
}

// monitoringCRDs is the folder with the CRDs of the resources of monitoring that manifests/ has. hack/updatestatus/update-crds.sh makes
// them of their types.
const monitoringCRDs = "test/updatestatus/controlplane/monitoring"

// MachineConfigResources returns the resources of the Machine Config Operator that clusters may lack.
func MachineConfigResources() []schema.GroupResource {
	const group = "machineconfiguration.openshift.io"
	return []schema.GroupResource{{Group: group, Resource: "machineconfigpools"}, {Group: group, Resource: "machineconfigs"}}
}

// Install installs CRDs of OpenShift that the control plane was started without, and waits until they are served.
func (c *ControlPlane) Install(ctx context.Context, resources ...schema.GroupResource) error {
	crds, err := readCRDs(ctx)
	if err != nil {
		return err
	}
	return c.installCRDs(slices.DeleteFunc(crds, func(crd *apiextensionsv1.CustomResourceDefinition) bool {
		return !slices.Contains(resources, resourceOf(crd))
	}))
}

func (c *ControlPlane) installCRDs(crds []*apiextensionsv1.CustomResourceDefinition) error {
	_, err := envtest.InstallCRDs(c.admin, envtest.CRDInstallOptions{CRDs: crds})
	return err
}

func resourceOf(crd *apiextensionsv1.CustomResourceDefinition) schema.GroupResource {
	return schema.GroupResource{Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural}
}

// readCRDs reads the CRDs of others.
func readCRDs(ctx context.Context) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	root, err := repository.Root()
	if err != nil {
		return nil, err
	}
	options := envtest.CRDInstallOptions{ErrorIfPathMissing: true, Paths: []string{filepath.Join(root, monitoringCRDs)}}
	for pkg, files := range openshiftCRDs {
		folder, err := packageFolder(ctx, pkg)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			options.Paths = append(options.Paths, filepath.Join(folder, file))
		}
	}
	if err := envtest.ReadCRDFiles(&options); err != nil {
		return nil, err
	}
	return options.CRDs, nil
}

// packageFolder asks the go command for the folder of a package, which is in vendor or in the module cache.
func packageFolder(ctx context.Context, pkg string) (string, error) {
	root, err := repository.Root()
	if err != nil {
		return "", err
	}
	var stderr bytes.Buffer
	command := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", pkg)
	command.Dir = root
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("folder of %s: %w: %s", pkg, err, stderr.String())
	}
	return strings.TrimSpace(string(output)), nil
}
