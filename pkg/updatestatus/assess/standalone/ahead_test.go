package standalone_test

import (
	"slices"
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func TestNodesTarget(t *testing.T) {
	completed := builders.ClusterVersion(builders.Completed("4.20.1", installed, changed))
	rolledBack := builders.ClusterVersion(builders.Completed("4.20.1", installed, changed), builders.Partial("4.20.2", changed), builders.Partial("4.20.1", changed))
	for name, test := range map[string]struct {
		clusterVersion *configv1.ClusterVersion
		configs        []string
		want           string
	}{
		"same release": {
			clusterVersion: completed,
			configs:        []string{"4.20.1", "4.19.9", ""},
			want:           "4.20.1",
		},
		"newer release": {
			clusterVersion: completed,
			configs:        []string{"4.20.1", "4.20.10", "4.20.2"},
			want:           "4.20.10, ahead of the ClusterVersion",
		},
		"newer release in the history": {
			clusterVersion: rolledBack,
			configs:        []string{"4.20.1", "4.20.2"},
			want:           "4.20.1",
		},
		"invalid versions": {
			clusterVersion: completed,
			configs:        []string{"latest", "\x1b"},
			want:           "4.20.1",
		},
		"no ClusterVersion": {configs: []string{"4.20.2"}, want: "unknown"},
		"no history": {
			clusterVersion: builders.ClusterVersion(),
			configs:        []string{"4.20.2"},
			want:           "unknown",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := standalone.NodesTarget(test.clusterVersion, slices.Values(test.configs)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
