package assess

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/util/version"

	configv1 "github.com/openshift/api/config/v1"
)

// NodesTarget names what nodes are assessed for: the target, unless a MachineConfig is of a newer release than any that the
// ClusterVersion tells of. Objects are watched apart from each other, and the ClusterVersion that is seen is then behind:
// what is said of nodes must wait for it, if it can. Versions are those of the MachineConfigs; some may be empty.
func NodesTarget(seen *configv1.ClusterVersion, versions iter.Seq[string]) string {
	target := TargetOf(seen)
	newest, err := version.ParseSemantic(target.Version)
	if err != nil {
		return target.String()
	}
	named := target.String()
	for text := range versions {
		release, err := version.ParseSemantic(text)
		if err == nil && newest.LessThan(release) && !tellsOf(seen, text) {
			newest, named = release, text+", ahead of the ClusterVersion"
		}
	}
	return named
}

func tellsOf(seen *configv1.ClusterVersion, release string) bool {
	return slices.ContainsFunc(seen.Status.History, func(update configv1.UpdateHistory) bool { return update.Version == release })
}
