package documents_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// printed are the links that the product can print. The addresses of pages of OpenShift are PRODUCT/RELEASE/html/BOOK/PAGE.
var printed = []string{
	"https://docs.redhat.com/en/documentation/monitoring_stack_for_red_hat_openshift/4.21/html/managing_alerts/managing-alerts-as-an-administrator",
	"https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/hosted_control_planes/hcp-troubleshooting",
	"https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/hosted_control_planes/hcp-updating",
	"https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/machine_configuration/machine-config-index",
	"https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/support/troubleshooting#troubleshooting-disabling-autoreboot-mco_troubleshooting-operator-issues",
	"https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/support/troubleshooting#verifying-node-health",
	"https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/updating_clusters/troubleshooting-a-cluster-update",
	"https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/updating_clusters/troubleshooting-a-cluster-update#gathering-clusterversion-history-cli_troubleshooting_updates",
	"https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/updating_clusters/troubleshooting-a-cluster-update#recovering-update-before-applied",
	"https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/virtualization/live-migration",
	"https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator/ClusterOperatorDegraded.md",
	"https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator/ClusterOperatorDown.md",
	"https://github.com/openshift/runbooks/blob/master/alerts/machine-config-operator/MachineConfigControllerDrainError.md",
	"https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/#troubleshooting-stuck-evictions",
	"https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination",
	"https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
	"https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy",
}

// TestPrintedLinks compares the list above with the constants of pkg/updatestatus/reference. The classic text prints older addresses of three of
// them: those of the recorded texts of `oc adm upgrade status`, which it repeats byte for byte.
func TestPrintedLinks(t *testing.T) {
	links := constantsOf(t, sourcesOf(t, filepath.Join(root(t), "pkg/updatestatus/reference")))
	maps.DeleteFunc(links, func(name, _ string) bool { return strings.ToLower(name[:1]) == name[:1] })
	if diff := cmp.Diff(printed, slices.Sorted(maps.Values(links))); diff != "" {
		t.Errorf("the constants of pkg/updatestatus/reference (-want +got):\n%s", diff)
	}
	for name, link := range links {
		if !assess.IsReference(link) {
			t.Errorf("%s is no reference in the API: %s", name, link)
		}
	}
}

// page is an address that a browser can open: the services of a cluster, and what is not complete, are none.
var page = regexp.MustCompile(`https?://[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|io|org|net|dev)\b`)

// TestLinksInOnePlace: no source of the binaries, nor a page that is embedded in them, has a link outside of pkg/updatestatus/reference. In
// pkg/apis there are sources that were copied with their comments; comments are not printed.
func TestLinksInOnePlace(t *testing.T) {
	files := 0
	for _, folder := range []string{"cmd", "pkg"} {
		err := filepath.WalkDir(filepath.Join(root(t), folder), func(path string, entry fs.DirEntry, err error) error {
			if entry.IsDir() && (entry.Name() == "reference" || entry.Name() == "testdata") {
				return fs.SkipDir
			}
			isSource := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
			if err != nil || !isSource && !strings.HasSuffix(path, ".html") && !strings.HasSuffix(path, ".css") {
				return err
			}
			files++
			content, err := os.ReadFile(path)
			for line := range strings.Lines(string(content)) {
				if link := page.FindString(line); link != "" && !strings.HasPrefix(strings.TrimSpace(line), "//") {
					t.Errorf("%s has the link %s, which belongs into pkg/updatestatus/reference", strings.TrimPrefix(path, root(t)+"/"), link)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 300 {
		t.Errorf("only %d sources were read", files)
	}
}
