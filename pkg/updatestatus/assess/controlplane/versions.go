package controlplane

import (
	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// multiArchitecture is the architecture of the release image for all architectures.
const multiArchitecture = "Multi"

// VersionsOf returns the versions of the newest update of a history.
func VersionsOf(history []configv1.UpdateHistory) updatev1alpha1.ControlPlaneVersions {
	var versions updatev1alpha1.ControlPlaneVersions
	if len(history) == 0 {
		return versions
	}
	versions.Target = versionOf(history[0].Version)
	if len(history) == 1 {
		addMetadata(versions.Target, updatev1alpha1.VersionMetadata{Key: updatev1alpha1.VersionInstallation})
		return versions
	}
	versions.Previous = versionOf(history[1].Version)
	if history[1].State == configv1.PartialUpdate {
		addMetadata(versions.Previous, updatev1alpha1.VersionMetadata{Key: updatev1alpha1.VersionPartial})
	}
	if IsMigration(history) {
		addMetadata(versions.Target, updatev1alpha1.VersionMetadata{Key: updatev1alpha1.VersionArchitecture, String: multiArchitecture})
	}
	return versions
}

// versionOf returns nil if the version is not semantic: an update by image has none until its payload is loaded.
func versionOf(version string) *updatev1alpha1.Version {
	if fit := assess.FitVersion(version); fit != "" {
		return &updatev1alpha1.Version{Version: fit}
	}
	return nil
}

func addMetadata(version *updatev1alpha1.Version, metadata updatev1alpha1.VersionMetadata) {
	if version != nil {
		version.Metadata = append(version.Metadata, metadata)
	}
}

// IsMigration returns whether the newest update of a history is a migration to the multi-architecture release: it changes the
// images but not the version.
func IsMigration(history []configv1.UpdateHistory) bool {
	return len(history) > 1 && history[0].Version == history[1].Version && history[0].Image != history[1].Image
}
