package hosted

import (
	"strings"

	configv1 "github.com/openshift/api/config/v1"
)

// isSameRelease returns whether two entries of histories are about one release, as far as their images tell.
func isSameRelease(a, b configv1.UpdateHistory) bool {
	return a.Version == b.Version && !isOtherImage(a.Image, b.Image)
}

// isOtherImage returns whether two images are known to differ. The same image can be named by its tag and by its digest.
func isOtherImage(a, b string) bool {
	_, _, hasA := strings.Cut(a, "@")
	_, _, hasB := strings.Cut(b, "@")
	return isOtherDigest(a, b) || !hasA && !hasB && a != "" && b != "" && a != b
}

// isOtherDigest returns whether two images are named by two digests.
func isOtherDigest(a, b string) bool {
	_, digestA, hasA := strings.Cut(a, "@")
	_, digestB, hasB := strings.Cut(b, "@")
	return hasA && hasB && digestA != digestB
}

// isSameImage returns whether two images are known to be the same.
func isSameImage(a, b string) bool {
	_, digestA, _ := strings.Cut(a, "@")
	_, digestB, _ := strings.Cut(b, "@")
	return a == b || digestA != "" && digestA == digestB
}
