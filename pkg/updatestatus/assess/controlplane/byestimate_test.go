package controlplane_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
)

// TestAssessByEstimate: the classic text knows no reason for a stall but an estimate that has passed.
func TestAssessByEstimate(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		assessment updatev1alpha1.Assessment
		late       time.Duration
		want       updatev1alpha1.Assessment
	}{
		"in time":         {updatev1alpha1.AssessmentStalled, -time.Minute, updatev1alpha1.AssessmentProgressing},
		"at the moment":   {updatev1alpha1.AssessmentStalled, 0, updatev1alpha1.AssessmentProgressing},
		"late":            {updatev1alpha1.AssessmentStalled, time.Minute, updatev1alpha1.AssessmentProgressingSlow},
		"very late":       {updatev1alpha1.AssessmentStalled, 24 * time.Hour, updatev1alpha1.AssessmentStalled},
		"late, no stall":  {updatev1alpha1.AssessmentProgressing, 24 * time.Hour, updatev1alpha1.AssessmentProgressing},
		"completed since": {updatev1alpha1.AssessmentCompleted, time.Minute, updatev1alpha1.AssessmentCompleted},
	} {
		version := &updatev1alpha1.ClusterVersionInsight{Assessment: test.assessment, EstimatedCompletedAt: &metav1.Time{Time: now.Add(-test.late)}}
		if got := controlplane.AssessByEstimate(version, now); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
	if got := controlplane.AssessByEstimate(&updatev1alpha1.ClusterVersionInsight{Assessment: updatev1alpha1.AssessmentStalled}, now); got != updatev1alpha1.AssessmentStalled {
		t.Errorf("without an estimate: %s", got)
	}
}
