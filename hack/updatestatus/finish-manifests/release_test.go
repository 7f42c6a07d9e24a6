package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// annotations returns the lines of the list in a manifest.
func annotations() string {
	return "    " + strings.Join(release, "\n    ") + "\n"
}

func TestFinish(t *testing.T) {
	for _, test := range []struct {
		name     string
		manifest string
		want     string
	}{
		{
			name:     "no annotations",
			manifest: "# Why.\nkind: Role\nmetadata:\n  name: a\n  namespace: b\nrules: []\n",
			want:     "# Why.\nkind: Role\nmetadata:\n  name: a\n  namespace: b\n  annotations:\n" + annotations() + "rules: []\n",
		},
		{
			name:     "own annotations",
			manifest: "metadata:\n  annotations:\n    # Why.\n    b: c\n  name: a\n",
			want:     "metadata:\n  annotations:\n    # Why.\n    b: c\n" + annotations() + "  name: a\n",
		},
		{
			name: "outdated annotations",
			manifest: "metadata:\n  name: a\n  annotations:\n    release.openshift.io/feature-set: TechPreviewNoUpgrade\n" +
				"    include.release.openshift.io/ibm-cloud-managed: \"true\"\n    b: c\n  labels:\n    d: e\n",
			want: "metadata:\n  name: a\n  annotations:\n    b: c\n" + annotations() + "  labels:\n    d: e\n",
		},
		{
			name:     "annotations of a template",
			manifest: "metadata:\n  name: a\nspec:\n  template:\n    metadata:\n      annotations:\n        b: c\n",
			want: "metadata:\n  name: a\n  annotations:\n" + annotations() +
				"spec:\n  template:\n    metadata:\n      annotations:\n        b: c\n",
		},
		{
			name:     "two documents",
			manifest: "metadata:\n  name: a\n---\nmetadata:\n  name: b\n",
			want: "metadata:\n  name: a\n  annotations:\n" + annotations() +
				"---\nmetadata:\n  name: b\n  annotations:\n" + annotations(),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := finish(test.manifest)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("manifest (-want +got):\n%s", diff)
			}
			if again, err := finish(got); err != nil || again != got {
				t.Errorf("finishing again changes it (error %v):\n%s", err, cmp.Diff(got, again))
			}
		})
	}
}

func TestFinishWithoutMetadata(t *testing.T) {
	if _, err := finish("metadata:\n  name: a\n---\nkind: Role\n"); err == nil {
		t.Error("an object without metadata was accepted")
	}
}

func TestCheckNames(t *testing.T) {
	const first = "manifests/0000_00_update-status-controller_00_namespace-DevPreviewNoUpgrade.yaml"
	for _, test := range []struct {
		name  string
		files []string
		ok    bool
	}{
		{name: "in order", ok: true, files: []string{
			first, "manifests/0000_00_update-status-controller_01_updatestatuses.crd-DevPreviewNoUpgrade.yaml",
			"manifests/0000_90_update-status-controller_00_servicemonitor-DevPreviewNoUpgrade.yaml",
		}},
		{name: "two CRDs", ok: true, files: []string{
			first, "manifests/0000_00_update-status-controller_01_updatestatuses.crd-DevPreviewNoUpgrade.yaml",
			"manifests/0000_00_update-status-controller_01_updatestatussummaries.crd-DevPreviewNoUpgrade.yaml", "manifests/0000_00_update-status-controller_02_role-DevPreviewNoUpgrade.yaml",
		}},
		{name: "the number of a CRD again", files: []string{
			first, "manifests/0000_00_update-status-controller_01_updatestatuses.crd-DevPreviewNoUpgrade.yaml", "manifests/0000_00_update-status-controller_01_role-DevPreviewNoUpgrade.yaml",
		}},
		{name: "a gap", files: []string{first, "manifests/0000_00_update-status-controller_02_role-DevPreviewNoUpgrade.yaml"}},
		{name: "a number twice", files: []string{first, "manifests/0000_00_update-status-controller_00_role-DevPreviewNoUpgrade.yaml"}},
		{name: "another run-level", files: []string{"manifests/0000_50_update-status-controller_00_role-DevPreviewNoUpgrade.yaml"}},
		{name: "no feature set", files: []string{"manifests/0000_00_update-status-controller_00_namespace.yaml"}},
		{name: "another component", files: []string{"manifests/0000_00_cluster-version-operator_00_role-DevPreviewNoUpgrade.yaml"}},
		{name: "no manifest", files: []string{first, "manifests/README.md"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := checkNames(test.files); (err == nil) != test.ok {
				t.Errorf("error %v", err)
			}
		})
	}
}
