package hypershift

import (
	"os"
	"path/filepath"

	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/manifests/hypershift/pull-request/control-plane-operator/controllers/hostedcontrolplane/v2/usc"
	"github.com/openshift/cluster-version-operator/manifests/hypershift/pull-request/hypershift-operator/controllers/hostedcluster"
	hyperv1 "github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/api/hypershift/v1beta1"
	component "github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/support/controlplane-component"
	"github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/support/k8sutil"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

// HostedControlPlane returns that of a hosted cluster whose feature set has the controller.
func HostedControlPlane(of manifests.Hosted) *hyperv1.HostedControlPlane {
	hcp := &hyperv1.HostedControlPlane{Spec: hyperv1.HostedControlPlaneSpec{
		ClusterID: of.ClusterID, Configuration: &hyperv1.ClusterConfiguration{FeatureGate: &configv1.FeatureGateSpec{}},
	}}
	hcp.Namespace, hcp.Name = of.ControlPlaneNamespace, of.Name
	hcp.Annotations = map[string]string{k8sutil.HostedClusterAnnotation: of.Namespace + "/" + of.Name}
	hcp.Spec.Configuration.FeatureGate.FeatureSet = configv1.DevPreviewNoUpgrade
	return hcp
}

// Render returns what the pull request makes HyperShift create for a hosted cluster: what the control plane operator creates in the
// namespace of the control plane, then what the operator of the management cluster does in that of the HostedCluster.
func Render(root string, of manifests.Hosted, hcp *hyperv1.HostedControlPlane) ([]client.Object, error) {
	assets, err := readAssets(root)
	if err != nil {
		return nil, err
	}
	var rendered []client.Object
	err = usc.NewComponent().Reconcile(component.ControlPlaneContext{
		WorkloadContext: component.WorkloadContext{HCP: hcp}, Assets: assets, Images: map[string]string{words.Image: of.Image},
		Apply: func(object client.Object) error {
			rendered = append(rendered, object)
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	hcluster := &hyperv1.HostedCluster{}
	hcluster.Namespace, hcluster.Name = of.Namespace, of.Name
	return append(rendered, hostedcluster.UpdateStatusRole(hcluster), hostedcluster.UpdateStatusRoleBinding(hcluster, hcp.Namespace)), nil
}

// readAssets reads the assets in the folder of the pull request.
func readAssets(root string) (map[string]client.Object, error) {
	files, err := filepath.Glob(filepath.Join(root, Assets, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &os.PathError{Op: "reading the assets", Path: filepath.Join(root, Assets), Err: os.ErrNotExist}
	}
	read, err := manifests.Read(files, "")
	if err != nil {
		return nil, err
	}
	assets := map[string]client.Object{}
	for _, manifest := range read {
		assets[manifest.File] = manifest.Object
	}
	return assets, nil
}
