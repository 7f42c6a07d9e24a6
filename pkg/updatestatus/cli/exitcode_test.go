package cli

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
		status := &updatev1alpha1.UpdateStatusSummaryStatus{Conditions: tc.conditions}
		if got := codeOf(exitCode(status, needsAttention(status, failOnNever))); got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
}

// TestExitStatus checks the flags --fail-on and --exit-code together: the second one leaves the level to the first.
func TestExitStatus(t *testing.T) {
	const updating, complete = updatev1alpha1.ReasonWorkers, updatev1alpha1.ReasonCompleted
	const errorLevel, warning = updatev1alpha1.LevelError, updatev1alpha1.LevelWarning
	for _, tc := range []struct {
		reason   string
		level    updatev1alpha1.HealthLevel
		failOn   string
		exitCode bool
		want     int
	}{
		{reason: updating, level: errorLevel, failOn: failOnNever, want: 0},
		{reason: updating, level: errorLevel, failOn: failOnError, want: 3},
		{reason: updating, level: updatev1alpha1.LevelCritical, failOn: failOnError, want: 3},
		{reason: updating, level: warning, failOn: failOnError, want: 0},
		{reason: updating, level: warning, failOn: failOnWarning, want: 3},
		{reason: updating, failOn: failOnWarning, want: 0},
		{reason: complete, level: errorLevel, failOn: failOnError, want: 3},
		{reason: updating, level: warning, failOn: failOnError, exitCode: true, want: 2},
		{reason: updating, level: warning, failOn: failOnNever, exitCode: true, want: 3},
		{reason: complete, level: warning, failOn: failOnNever, exitCode: true, want: 0},
		{reason: complete, level: warning, failOn: failOnWarning, exitCode: true, want: 3},
		{reason: complete, level: warning, failOn: failOnError, exitCode: true, want: 0},
	} {
		status := &updatev1alpha1.UpdateStatusSummaryStatus{Conditions: []metav1.Condition{
			{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: tc.reason},
			{Type: updatev1alpha1.ConditionNeedsAttention, Status: metav1.ConditionFalse},
		}}
		if tc.reason == complete {
			status.Conditions[0].Status = metav1.ConditionFalse
		}
		if tc.level != "" {
			status.Conditions[1].Status, status.Attention = metav1.ConditionTrue, []updatev1alpha1.SummaryAttention{{Level: tc.level}}
		}
		o := &Options{FailOn: tc.failOn, ExitCode: tc.exitCode}
		if got := codeOf(o.exitStatus(status)); got != tc.want {
			t.Errorf("%+v: %d", tc, got)
		}
	}
}
