package standalone

import (
	"slices"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess/controlplane"
)

// payloadOperators has the cluster operators of a release payload, by the capability that includes them; those without one are
// in every cluster, and so are those of a capability that the release does not know. Later operators are not in it: while a
// cluster is updated to the first release with one, it does not have it yet. Sources: the docstrings of
// ClusterVersionCapability in openshift/api, and the payloads since 4.14.
var payloadOperators = []struct {
	name       string
	capability configv1.ClusterVersionCapability
}{
	{name: "authentication"},
	{name: "baremetal", capability: configv1.ClusterVersionCapabilityBaremetal},
	{name: "cloud-controller-manager", capability: configv1.ClusterVersionCapabilityCloudControllerManager},
	{name: "cloud-credential", capability: configv1.ClusterVersionCapabilityCloudCredential},
	{name: "cluster-autoscaler", capability: configv1.ClusterVersionCapabilityMachineAPI},
	{name: "config-operator"},
	{name: "console", capability: configv1.ClusterVersionCapabilityConsole},
	{name: "control-plane-machine-set", capability: configv1.ClusterVersionCapabilityMachineAPI},
	{name: "csi-snapshot-controller", capability: configv1.ClusterVersionCapabilityCSISnapshot},
	{name: "dns"},
	{name: "etcd"},
	{name: "image-registry", capability: configv1.ClusterVersionCapabilityImageRegistry},
	{name: "ingress", capability: configv1.ClusterVersionCapabilityIngress},
	{name: "insights", capability: configv1.ClusterVersionCapabilityInsights},
	{name: "kube-apiserver"},
	{name: "kube-controller-manager"},
	{name: "kube-scheduler"},
	{name: "kube-storage-version-migrator"},
	{name: "machine-api", capability: configv1.ClusterVersionCapabilityMachineAPI},
	{name: "machine-approver"},
	{name: controlplane.MachineConfigOperator},
	{name: "marketplace", capability: configv1.ClusterVersionCapabilityMarketplace},
	{name: "monitoring"},
	{name: "network"},
	{name: "node-tuning", capability: configv1.ClusterVersionCapabilityNodeTuning},
	{name: "openshift-apiserver"},
	{name: "openshift-controller-manager"},
	{name: "openshift-samples", capability: configv1.ClusterVersionCapabilityOpenShiftSamples},
	{name: "operator-lifecycle-manager", capability: configv1.ClusterVersionCapabilityOperatorLifecycleManager},
	{name: "operator-lifecycle-manager-catalog", capability: configv1.ClusterVersionCapabilityOperatorLifecycleManager},
	{name: "operator-lifecycle-manager-packageserver", capability: configv1.ClusterVersionCapabilityOperatorLifecycleManager},
	{name: "service-ca"},
	{name: "storage", capability: configv1.ClusterVersionCapabilityStorage},
}

// missingOperators returns the names of the cluster operators that a cluster has by its capabilities and that are not among
// those given, sorted. Operators that are not known here can't be missed.
func missingOperators(version *configv1.ClusterVersion, given []*configv1.ClusterOperator) []string {
	capabilities := version.Status.Capabilities
	var missing []string
	for _, operator := range payloadOperators {
		isKnown := slices.Contains(capabilities.KnownCapabilities, operator.capability)
		if isKnown && !slices.Contains(capabilities.EnabledCapabilities, operator.capability) {
			continue
		}
		if !slices.ContainsFunc(given, func(one *configv1.ClusterOperator) bool { return one.Name == operator.name }) {
			missing = append(missing, operator.name)
		}
	}
	return missing
}
