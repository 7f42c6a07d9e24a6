package reference

import "cmp"

// Classic returns the link that `oc adm upgrade status` prints for a page, so that the classic text is that of oc byte for byte. Other
// links are returned as they are.
func Classic(link string) string {
	return cmp.Or(classic[link], link)
}

// classicRoot only redirects to docs.redhat.com.
const classicRoot = "https://docs.openshift.com/container-platform/latest"

var classic = map[string]string{
	MachineConfigOperator: classicRoot + "/post_installation_configuration/machine-configuration-tasks.html#understanding-the-machine-config-operator",
	PausedPools: classicRoot + "/support/troubleshooting/troubleshooting-operator-issues.html" +
		"#troubleshooting-disabling-autoreboot-mco_troubleshooting-operator-issues",
	VersionHistory: classicRoot + "/updating/troubleshooting_updates/gathering-data-cluster-update.html" +
		"#gathering-clusterversion-history-cli_troubleshooting_updates",
}
