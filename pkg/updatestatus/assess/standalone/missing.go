package standalone

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
)

// maxNames is how many missing objects are named.
const maxNames = 10

// Missing returns what a cluster must have and files lack, but for Nodes, so that its update may be shown as further than it is.
// Each is a sentence without a period, for administrators.
func Missing(in Input) []string {
	if in.ClusterVersion == nil {
		return []string{"no ClusterVersion found: unable to tell whether the cluster is updating"}
	}
	missing := missingControlPlane(in)
	if len(in.MachineConfigPools) == 0 {
		return append(missing, "no MachineConfigPools found: the progress of nodes is unknown (that of a hosted cluster is shown in its management cluster, with --hosted-cluster)")
	}
	if pools := missingPools(in); len(pools) > 0 {
		missing = append(missing, sentence("MachineConfigPool", pools))
	}
	for _, pool := range poolsWithoutStatus(in) {
		missing = append(missing, fmt.Sprintf("MachineConfigPool %s has no status, which should count its nodes", pool))
	}
	if configs := missingMachineConfigs(in); len(configs) > 0 {
		missing = append(missing, sentence("MachineConfig", configs)+": the versions of nodes with them are unknown")
	}
	return missing
}

func missingControlPlane(in Input) []string {
	if len(in.ClusterOperators) == 0 {
		return []string{"no ClusterOperators found: the progress of the control plane is unknown"}
	}
	var missing []string
	if operators := missingOperators(in.ClusterVersion, in.ClusterOperators); len(operators) > 0 {
		missing = append(missing, sentence("ClusterOperator", operators))
	}
	return missing
}

// sentence returns that some objects of a kind are missing.
func sentence(kind string, names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("%s %s is missing", kind, names[0])
	}
	more := ""
	if left := len(names) - maxNames; left > 0 {
		names, more = names[:maxNames], fmt.Sprintf(" and %d more", left)
	}
	return fmt.Sprintf("%ss %s%s are missing", kind, strings.Join(names, ", "), more)
}

// rendered matches the name of a MachineConfig that the Machine Config Operator made for a pool.
var rendered = regexp.MustCompile(`^rendered-(.+)-[0-9a-f]+$`)

// missingPools returns the pools that each cluster has, and those for which there are MachineConfigs or that nodes are configured
// for.
func missingPools(in Input) []string {
	expected := map[string]bool{"master": true, "worker": true}
	addPoolOf := func(config string) {
		if match := rendered.FindStringSubmatch(config); match != nil {
			expected[match[1]] = true
		}
	}
	for _, node := range in.Nodes {
		addPoolOf(node.Annotations[nodestate.DesiredConfigAnnotation])
	}
	for _, config := range in.MachineConfigs {
		addPoolOf(config.Name)
	}
	for _, pool := range in.MachineConfigPools {
		delete(expected, pool.Name)
	}
	return slices.Sorted(maps.Keys(expected))
}

// poolsWithoutStatus returns the pools that have nodes, and no status that counts them.
func poolsWithoutStatus(in Input) []string {
	pools, without := NewPools(in.MachineConfigPools), map[string]bool{}
	for _, node := range in.Nodes {
		if pool := pools.Of(node).Pool; pool != nil && pool.Status.ObservedGeneration == 0 && pool.Status.MachineCount == 0 && len(pool.Status.Conditions) == 0 {
			without[pool.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(without))
}

// MissingNodes returns how many Nodes files lack, by the counts of their pools.
func MissingNodes(in Input) []string {
	pools, found := NewPools(in.MachineConfigPools), map[string]int32{}
	for _, node := range in.Nodes {
		if pool := pools.Of(node).Pool; pool != nil {
			found[pool.Name]++
		}
	}
	var missing []string
	for _, pool := range in.MachineConfigPools {
		if count := pool.Status.MachineCount; count > found[pool.Name] {
			missing = append(missing, fmt.Sprintf("%d of the %d Nodes of pool %s are missing", count-found[pool.Name], count, pool.Name))
		}
	}
	return missing
}

// missingMachineConfigs returns the MachineConfigs that nodes of pools have or get.
func missingMachineConfigs(in Input) []string {
	expected := map[string]bool{}
	for _, node := range in.Nodes {
		for _, annotation := range []string{nodestate.CurrentConfigAnnotation, nodestate.DesiredConfigAnnotation} {
			if name := node.Annotations[annotation]; name != "" {
				expected[name] = true
			}
		}
	}
	for _, config := range in.MachineConfigs {
		delete(expected, config.Name)
	}
	return slices.Sorted(maps.Keys(expected))
}

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
