package standalone

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/util/version"

	configv1 "github.com/openshift/api/config/v1"
)

// NodesTarget returns the name of the target that nodes are assessed for. It differs from that of the ClusterVersion if a
// MachineConfig is of a newer release than any in the history of the ClusterVersion: objects are watched independently, the
// ClusterVersion in the cache is then outdated, and reports about nodes should wait for it. Versions are those of the
// MachineConfigs; some may be empty.
func NodesTarget(clusterVersion *configv1.ClusterVersion, versions iter.Seq[string]) string {
	target := TargetOf(clusterVersion)
	newest, err := version.ParseSemantic(target.Version)
	if err != nil {
		return target.String()
	}
	name := target.String()
	for text := range versions {
		release, err := version.ParseSemantic(text)
		if err == nil && newest.LessThan(release) && !inHistory(clusterVersion, text) {
			newest, name = release, text+", ahead of the ClusterVersion"
		}
	}
	return name
}

func inHistory(clusterVersion *configv1.ClusterVersion, release string) bool {
	return slices.ContainsFunc(clusterVersion.Status.History, func(update configv1.UpdateHistory) bool { return update.Version == release })
}
