package standalone

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/util/version"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
)

// Target is the release that the cluster's nodes are updated to.
type Target struct {
	// Known is whether the ClusterVersion has a history, and the release of its newest update is loaded.
	Known bool
	// Version is the version of the newest update.
	Version string
	// Migrating is whether the update is a migration to multi-architecture: the version stays, the images change. It is over for the Cluster
	// Version Operator when the control plane is complete, and workers go on.
	Migrating bool
}

// unknownTarget is the message of nodes and pools without a target.
const unknownTarget = "The ClusterVersion does not report the version that the nodes are updated to"

// TargetOf returns the target of nodes. The ClusterVersion may be nil.
func TargetOf(version *configv1.ClusterVersion) Target {
	if version == nil || len(version.Status.History) == 0 {
		return Target{}
	}
	return Target{
		Known:     version.Status.History[0].Version != "",
		Version:   version.Status.History[0].Version,
		Migrating: controlplane.IsMigration(version.Status.History),
	}
}

// String returns the name of the target, which is never empty. Different targets have different names.
func (t Target) String() string {
	switch {
	case !t.Known:
		return "unknown"
	case t.Migrating:
		return t.Version + ", another architecture"
	default:
		return t.Version
	}
}

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

// hasMigrated returns whether a MachineConfig is one of the migration that the target is, or a later one.
func (c clusterContext) hasMigrated(config string) bool {
	rendered := c.rendered[config]
	return c.target.Migrating && !rendered.IsZero() && !c.updateStarted.IsZero() && !rendered.Before(c.updateStarted)
}
