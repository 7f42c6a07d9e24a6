package describe_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// TestEveryTypeIsShown: the object of each topology in which every field is set has insights of every type, and its text is another
// one without those of a type.
func TestEveryTypeIsShown(t *testing.T) {
	t.Run(string(insight.Standalone), func(t *testing.T) {
		expectEveryType(t, insight.Standalone, func() *updatev1alpha1.UpdateStatusStatus {
			return &readFull[updatev1alpha1.UpdateStatus](t, "updatestatus").Status
		})
	})
	t.Run(string(insight.Hosted), func(t *testing.T) {
		expectEveryType(t, insight.Hosted, func() *updatev1alpha1.UpdateStatusStatus {
			return insight.FromHosted(&readFull[updatev1alpha1.HostedClusterUpdateStatus](t, "hostedclusterupdatestatus").Status)
		})
	})
}

func expectEveryType(t *testing.T, topology insight.Topology, full func() *updatev1alpha1.UpdateStatusStatus) {
	textWithout := func(left *insight.Kind) (text string, removed int) {
		status := insight.WithInsights(full(), func(_ insight.Part, _ string, insights []updatev1alpha1.Insight) []updatev1alpha1.Insight {
			return slices.DeleteFunc(insights, func(one updatev1alpha1.Insight) bool {
				if insight.KindOf(&one) != left {
					return false
				}
				removed++
				return true
			})
		})
		var written strings.Builder
		options := describe.Options{Now: time.Date(2026, 1, 2, 3, 30, 0, 0, time.UTC), Details: describe.DetailsAll}
		if err := describe.Write(&written, update.ReadAt(status, options.Now), options); err != nil {
			t.Fatal(err)
		}
		return written.String(), removed
	}
	whole, _ := textWithout(nil)
	for _, kind := range insight.KindsOf(topology) {
		switch text, removed := textWithout(kind); {
		case removed == 0:
			t.Errorf("full.yaml has no insight of type %s", kind.Type)
		case text == whole:
			t.Errorf("insights of type %s are not shown", kind.Type)
		}
	}
}

// readFull reads the object in which every field is set.
func readFull[T any](t *testing.T, kind string) *T {
	t.Helper()
	content, err := os.ReadFile("../../../test/updatestatus/integration/api/testdata/" + kind + "/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	full := new(T)
	if err := yaml.UnmarshalStrict(content, full); err != nil {
		t.Fatal(err)
	}
	return full
}
