package cli

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/exec"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

func TestExitCode(t *testing.T) {
	updating := func(status metav1.ConditionStatus, reason string) []metav1.Condition {
		return []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status, Reason: reason}}
	}
	attention := metav1.Condition{Type: updatev1alpha1.ConditionNeedsAttention, Status: metav1.ConditionTrue}
	for name, tc := range map[string]struct {
		conditions []metav1.Condition
		want       int
	}{
		"no update":                     {updating(metav1.ConditionFalse, updatev1alpha1.ReasonNotUpdating), 0},
		"complete":                      {updating(metav1.ConditionFalse, updatev1alpha1.ReasonCompleted), 0},
		"complete, needs attention":     {append(updating(metav1.ConditionFalse, updatev1alpha1.ReasonCompleted), attention), 0},
		"in progress":                   {updating(metav1.ConditionTrue, updatev1alpha1.ReasonWorkers), 2},
		"paused":                        {updating(metav1.ConditionFalse, updatev1alpha1.ReasonPaused), 2},
		"in progress, needs attention":  {append(updating(metav1.ConditionTrue, updatev1alpha1.ReasonWorkers), attention), 3},
		"paused, needs attention":       {append(updating(metav1.ConditionFalse, updatev1alpha1.ReasonPaused), attention), 3},
		"requested":                     {updating(metav1.ConditionFalse, updatev1alpha1.ReasonRequested), 2},
		"not accepted":                  {updating(metav1.ConditionFalse, updatev1alpha1.ReasonNotAccepted), 2},
		"requested, needs attention":    {append(updating(metav1.ConditionFalse, updatev1alpha1.ReasonRequested), attention), 3},
		"not accepted, needs attention": {append(updating(metav1.ConditionFalse, updatev1alpha1.ReasonNotAccepted), attention), 3},
		"unknown":                       {updating(metav1.ConditionUnknown, updatev1alpha1.ReasonCannotDetermine), 1},
		"not reported":                  {nil, 1},
	} {
		got := 0
		var status exec.CodeExitError
		switch err := exitCode(&updatev1alpha1.UpdateStatusSummaryStatus{Conditions: tc.conditions}); {
		case errors.As(err, &status):
			got = status.Code
		case err != nil:
			got = 1
		}
		if got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
}
