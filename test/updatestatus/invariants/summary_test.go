package invariants_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

func TestCheckKstatus(t *testing.T) {
	for conditions, want := range map[string]string{
		"Reconciling=False Stalled=False Updating=False": "",
		"Reconciling=True Stalled=False Updating=True":   "",
		"Reconciling=False Stalled=True Updating=False":  "",
		"Reconciling=True Stalled=True Updating=True":    "Reconciling and Stalled are both True",
		"Reconciling=True": "Stalled is absent",
		"Stalled=Unknown Reconciling=False Updating=False": "Stalled is Unknown",
		"Reconciling=True Stalled=False Updating=False":    "Reconciling is True although the update is complete",
	} {
		made := &updatev1alpha1.UpdateStatusSummaryStatus{}
		for _, text := range strings.Fields(conditions) {
			kind, status, _ := strings.Cut(text, "=")
			one := metav1.Condition{Type: kind, Status: metav1.ConditionStatus(status)}
			if text == "Updating=False" {
				one.Reason = updatev1alpha1.ReasonCompleted
			}
			made.Conditions = append(made.Conditions, one)
		}
		if got := strings.Join(invariants.CheckKstatus(made), "\n"); got != want {
			t.Errorf("%s: %q, want %q", conditions, got, want)
		}
	}
}
