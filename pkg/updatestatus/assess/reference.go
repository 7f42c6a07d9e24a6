package assess

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// IsReference returns whether a text of a cluster may be shown as a link: an absolute address of http or https in printable
// ASCII, which is neither deceptive (user information before the host) nor an address of the reader's own machine or network
// link.
func IsReference(text string) bool {
	isPrintable := func(r rune) bool { return r > ' ' && r < 0x7f }
	if len(text) > updatev1alpha1.ReferenceMaxLength || strings.ContainsFunc(text, func(r rune) bool { return !isPrintable(r) }) {
		return false
	}
	// Parse converts the scheme to lower case, while the CRD requires it.
	if !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") {
		return false
	}
	page, err := url.Parse(text)
	if err != nil || page.User != nil || page.Hostname() == "" {
		return false
	}
	return !isOwnMachine(strings.ToLower(strings.TrimSuffix(page.Hostname(), ".")))
}

// isOwnMachine returns whether a host is the machine on which it is looked up, or one on the same link.
func isOwnMachine(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		// Browsers read 127.1, 2130706433 and 0x7f000001 as addresses as well.
		last := host[strings.LastIndex(host, ".")+1:]
		return last != "" && last[0] >= '0' && last[0] <= '9'
	}
	address = address.Unmap()
	return address.IsLoopback() || address.IsUnspecified() || address.IsLinkLocalUnicast() || address.IsLinkLocalMulticast() ||
		address.IsInterfaceLocalMulticast()
}

var versionPattern = regexp.MustCompile(updatev1alpha1.VersionPattern)

// FitVersion returns the version if it is valid in the API, empty otherwise.
func FitVersion(version string) string {
	if len(version) > updatev1alpha1.VersionMaxLength || !versionPattern.MatchString(version) {
		return ""
	}
	return version
}
