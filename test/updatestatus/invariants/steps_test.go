package invariants_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// TestCheckLagAtTheStart: nodes that are complete at the version before, and no longer when their source has seen the update, break an
// invariant, unless sources may lag. A control plane that is complete never goes back.
func TestCheckLagAtTheStart(t *testing.T) {
	version := func(masters int32, completed *metav1.Time) *updatev1alpha1.UpdateStatus {
		updating := metav1.ConditionTrue
		if completed != nil {
			updating = metav1.ConditionFalse
		}
		return &updatev1alpha1.UpdateStatus{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "7"}, Status: updatev1alpha1.UpdateStatusStatus{
			ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{{Insights: []updatev1alpha1.Insight{
				{UID: "cv-version", ClusterVersion: &updatev1alpha1.ClusterVersionInsight{
					Conditions:  []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: updating}},
					Versions:    updatev1alpha1.ControlPlaneVersions{Target: &updatev1alpha1.Version{Version: "4.20.0"}},
					CompletedAt: completed,
				}},
				{UID: "mcp-master", MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: "master", Completion: masters}},
			}}}},
		}}
	}
	now := metav1.Now()
	const fromNodes, fromDone = "version 7 steps back from stage 2 to 1", "version 7 steps back from stage 4 to 1"
	for name, test := range map[string]struct {
		first *updatev1alpha1.UpdateStatus
		lag   bool
		want  string
	}{
		"in step":                  {version(100, nil), false, fromNodes},
		"a source lags":            {version(100, nil), true, ""},
		"a complete control plane": {version(100, &now), true, fromDone},
	} {
		_, problems := invariants.Update{Target: "4.20.0", SourcesLag: test.lag}.Check([]*updatev1alpha1.UpdateStatus{test.first, version(0, nil)})
		if got := strings.Join(problems, "\n"); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
