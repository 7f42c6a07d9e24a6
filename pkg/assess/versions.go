package assess

import (
	"regexp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

var versionPattern = regexp.MustCompile(updatev1alpha1.VersionPattern)

// FitVersion returns the version if it is valid in the API, empty otherwise.
func FitVersion(version string) string {
	if len(version) > updatev1alpha1.VersionMaxLength || !versionPattern.MatchString(version) {
		return ""
	}
	return version
}
