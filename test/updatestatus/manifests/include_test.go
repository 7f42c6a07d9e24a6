package manifests_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/utils/ptr"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/manifest"

	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

// parsed returns the manifests as the Cluster Version Operator parses them, by file.
func parsed(t *testing.T) map[string][]manifest.Manifest {
	t.Helper()
	all := map[string][]manifest.Manifest{}
	for _, file := range files(t) {
		rendered, err := manifests.RenderFile(file, image)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)], err = manifest.ParseManifests(bytes.NewReader(rendered))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return all
}

// TestIncluded: with the rules of the Cluster Version Operator, all manifests are in clusters that manage themselves with the
// feature set and the capability, and none are in any other.
func TestIncluded(t *testing.T) {
	known := configv1.ClusterVersionCapabilitiesStatus{
		KnownCapabilities: []configv1.ClusterVersionCapability{"UpdateStatus"}, EnabledCapabilities: []configv1.ClusterVersionCapability{"UpdateStatus"},
	}
	off := configv1.ClusterVersionCapabilitiesStatus{KnownCapabilities: known.KnownCapabilities}
	for _, test := range []struct {
		name, featureSet, profile string
		capabilities              configv1.ClusterVersionCapabilitiesStatus
		included                  bool
	}{
		{"a developer preview", "DevPreviewNoUpgrade", "self-managed-high-availability", known, true},
		{"a developer preview on a single node", "DevPreviewNoUpgrade", "single-node-developer", known, true},
		{"a cluster as they come", "Default", "self-managed-high-availability", known, false},
		{"a technology preview", "TechPreviewNoUpgrade", "self-managed-high-availability", known, false},
		{"a feature set of its own", "CustomNoUpgrade", "self-managed-high-availability", known, false},
		{"a hosted cluster", "DevPreviewNoUpgrade", "ibm-cloud-managed", known, false},
		{"a hosted cluster by its older name", "DevPreviewNoUpgrade", "hypershift", known, false},
		{"MicroShift", "DevPreviewNoUpgrade", "microshift", known, false},
		{"the capability is off", "DevPreviewNoUpgrade", "self-managed-high-availability", off, false},
		{"a release that does not know the capability", "DevPreviewNoUpgrade", "self-managed-high-availability", configv1.ClusterVersionCapabilitiesStatus{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for file, objects := range parsed(t) {
				for _, object := range objects {
					err := object.Include(nil, ptr.To(test.featureSet), ptr.To(test.profile), &test.capabilities, nil, nil, nil)
					if (err == nil) != test.included {
						t.Errorf("%s, %s: %v", file, object.String(), err)
					}
				}
			}
		})
	}
}

// TestNoDuplicates: the Cluster Version Operator refuses two manifests of one object, in whichever files.
func TestNoDuplicates(t *testing.T) {
	rendered := t.TempDir()
	var written []string
	for _, file := range files(t) {
		content, err := manifests.RenderFile(file, image)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(rendered, filepath.Base(file))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		written = append(written, path)
	}
	if _, err := manifest.ManifestsFromFiles(written); err != nil {
		t.Error(err)
	}
}
