package insight

import "strings"

// IsPlatform returns whether a namespace is one of the platform, whose names are reserved, or none.
func IsPlatform(namespace string) bool {
	return namespace == "" || strings.HasPrefix(namespace, "openshift-") || strings.HasPrefix(namespace, "kube-")
}
