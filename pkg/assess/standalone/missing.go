package standalone

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/openshift/cluster-version-operator/pkg/assess/nodestate"
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
