package describe

import (
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

func TestTargetOf(t *testing.T) {
	metadata := func(key updatev1alpha1.VersionMetadataKey, value string) []updatev1alpha1.VersionMetadata {
		return []updatev1alpha1.VersionMetadata{{Key: key, String: value}}
	}
	for _, tc := range []struct {
		name     string
		versions updatev1alpha1.ControlPlaneVersions
		want     string
	}{
		{name: "nothing is known", want: "unknown"},
		{
			name:     "an update",
			versions: updatev1alpha1.ControlPlaneVersions{Previous: &updatev1alpha1.Version{Version: "4.19.3"}, Target: &updatev1alpha1.Version{Version: "4.20.0"}},
			want:     "4.20.0 (from 4.19.3)",
		},
		{
			name: "an update after one that never completed",
			versions: updatev1alpha1.ControlPlaneVersions{
				Previous: &updatev1alpha1.Version{Version: "4.19.3", Metadata: metadata(updatev1alpha1.VersionPartial, "")},
				Target:   &updatev1alpha1.Version{Version: "4.20.0"},
			},
			want: "4.20.0 (from incomplete 4.19.3)",
		},
		{
			name: "an installation",
			versions: updatev1alpha1.ControlPlaneVersions{
				Target: &updatev1alpha1.Version{Version: "4.20.0", Metadata: metadata(updatev1alpha1.VersionInstallation, "")},
			},
			want: "4.20.0 (a new install)",
		},
		{
			name:     "an update from a version that is not known",
			versions: updatev1alpha1.ControlPlaneVersions{Target: &updatev1alpha1.Version{Version: "4.20.0"}},
			want:     "4.20.0",
		},
		{
			name: "a migration",
			versions: updatev1alpha1.ControlPlaneVersions{
				Previous: &updatev1alpha1.Version{Version: "4.20.0"},
				Target:   &updatev1alpha1.Version{Version: "4.20.0", Metadata: metadata(updatev1alpha1.VersionArchitecture, "Multi")},
			},
			want: "4.20.0 to Multi-Architecture",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := targetOf(tc.versions); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
