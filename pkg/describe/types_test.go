package describe_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// TestEveryTypeIsShown: the object in which every field is set has insights of every type, and its text is another one without
// those of a type.
func TestEveryTypeIsShown(t *testing.T) {
	content, err := os.ReadFile("../../test/integration/api/testdata/updatestatus/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	textWithout := func(left *insight.Kind) (text string, removed int) {
		us := &updatev1alpha1.UpdateStatus{}
		if err := yaml.UnmarshalStrict(content, us); err != nil {
			t.Fatal(err)
		}
		remove := func(informers []updatev1alpha1.Informer) {
			for i := range informers {
				var stay []updatev1alpha1.Insight
				for _, one := range informers[i].Insights {
					if insight.KindOf(&one) == left {
						removed++
					} else {
						stay = append(stay, one)
					}
				}
				informers[i].Insights = stay
			}
		}
		remove(us.Status.ControlPlane.Informers)
		for at := range us.Status.WorkerPools {
			remove(us.Status.WorkerPools[at].Informers)
		}
		var written strings.Builder
		options := describe.Options{Now: time.Date(2026, 1, 2, 3, 30, 0, 0, time.UTC), Details: describe.DetailsAll}
		if err := describe.Write(&written, us, options); err != nil {
			t.Fatal(err)
		}
		return written.String(), removed
	}
	full, _ := textWithout(nil)
	for _, kind := range insight.Kinds() {
		switch text, removed := textWithout(kind); {
		case removed == 0:
			t.Errorf("full.yaml has no insight of type %s", kind.Type)
		case text == full:
			t.Errorf("insights of type %s are not shown", kind.Type)
		}
	}
}
