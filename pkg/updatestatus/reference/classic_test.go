package reference_test

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// TestClassic checks the links of the recorded texts of `oc adm upgrade status`, and that another one stays.
func TestClassic(t *testing.T) {
	for link, want := range map[string]string{
		reference.MachineConfigOperator: "https://docs.openshift.com/container-platform/latest/post_installation_configuration/machine-configuration-tasks.html#understanding-the-machine-config-operator",
		reference.PausedPools:           "https://docs.openshift.com/container-platform/latest/support/troubleshooting/troubleshooting-operator-issues.html#troubleshooting-disabling-autoreboot-mco_troubleshooting-operator-issues",
		reference.VersionHistory:        "https://docs.openshift.com/container-platform/latest/updating/troubleshooting_updates/gathering-data-cluster-update.html#gathering-clusterversion-history-cli_troubleshooting_updates",
		reference.NodeHealth:            reference.NodeHealth,
		"":                              "",
	} {
		if got := reference.Classic(link); got != want {
			t.Errorf("Classic(%s) = %s, want %s", link, got, want)
		}
	}
}
