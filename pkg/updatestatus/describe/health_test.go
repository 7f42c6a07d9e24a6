package describe

import (
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// TestNoHealthInsights checks that the text says that the update proceeds well only if no other section contradicts it,
// the classic one whatever the assessments are.
func TestNoHealthInsights(t *testing.T) {
	updating := metav1.Condition{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: "Progressing"}
	const well = "Update is proceeding well"
	for _, tc := range []struct {
		name   string
		change func(status *updatev1alpha1.UpdateStatusStatus, version *updatev1alpha1.ClusterVersionInsight, pool *updatev1alpha1.MachineConfigPoolInsight)
		want   string
	}{
		{
			name: "no problem",
			change: func(*updatev1alpha1.UpdateStatusStatus, *updatev1alpha1.ClusterVersionInsight, *updatev1alpha1.MachineConfigPoolInsight) {
			},
			want: well,
		},
		{
			name: "unknown assessment",
			change: func(_ *updatev1alpha1.UpdateStatusStatus, version *updatev1alpha1.ClusterVersionInsight, _ *updatev1alpha1.MachineConfigPoolInsight) {
				version.Assessment = "Rolling Forward"
			},
			want: well,
		},
		{
			name: "controller unavailable",
			change: func(status *updatev1alpha1.UpdateStatusStatus, _ *updatev1alpha1.ClusterVersionInsight, _ *updatev1alpha1.MachineConfigPoolInsight) {
				meta.SetStatusCondition(&status.Conditions, metav1.Condition{Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionFalse})
			},
			want: "The progress of the update is unknown",
		},
		{
			name: "the control plane is stalled",
			change: func(_ *updatev1alpha1.UpdateStatusStatus, version *updatev1alpha1.ClusterVersionInsight, _ *updatev1alpha1.MachineConfigPoolInsight) {
				version.Assessment = updatev1alpha1.AssessmentStalled
			},
			want: "No problem is reported, but the assessment of the control plane is Stalled",
		},
		{
			name: "the control plane is slow",
			change: func(_ *updatev1alpha1.UpdateStatusStatus, version *updatev1alpha1.ClusterVersionInsight, _ *updatev1alpha1.MachineConfigPoolInsight) {
				version.Assessment = updatev1alpha1.AssessmentProgressingSlow
			},
			want: "No problem is reported, but the assessment of the control plane is Progressing - Slow",
		},
		{
			name: "a pool is degraded",
			change: func(_ *updatev1alpha1.UpdateStatusStatus, _ *updatev1alpha1.ClusterVersionInsight, pool *updatev1alpha1.MachineConfigPoolInsight) {
				pool.Assessment = updatev1alpha1.AssessmentDegraded
			},
			want: "No problem is reported, but the assessment of worker pool worker is Degraded",
		},
		{
			name: "a pool of a hosted cluster is degraded",
			change: func(status *updatev1alpha1.UpdateStatusStatus, _ *updatev1alpha1.ClusterVersionInsight, pool *updatev1alpha1.MachineConfigPoolInsight) {
				status.ControlPlane.Resource.Resource = "hostedclusters"
				pool.Assessment = updatev1alpha1.AssessmentDegraded
			},
			want: "No problem is reported, but the assessment of node pool worker is Degraded",
		},
		{
			name: "a pool is stuck",
			change: func(_ *updatev1alpha1.UpdateStatusStatus, _ *updatev1alpha1.ClusterVersionInsight, pool *updatev1alpha1.MachineConfigPoolInsight) {
				pool.Conditions = []metav1.Condition{updating}
				pool.NoEstimate = &updatev1alpha1.MissingEstimate{Reason: updatev1alpha1.NoEstimateNodeStuck, Message: "node w1 has been updating for more than 1h"}
			},
			want: "No problem is reported, but there is no estimate of when worker pool worker will be complete",
		},
		{
			name: "a pool is complete",
			change: func(status *updatev1alpha1.UpdateStatusStatus, _ *updatev1alpha1.ClusterVersionInsight, pool *updatev1alpha1.MachineConfigPoolInsight) {
				pool.Assessment, pool.Completion = updatev1alpha1.AssessmentDegraded, 100
				pool.Summaries = []updatev1alpha1.NodeSummary{{Type: updatev1alpha1.NodesTotal, Count: 1}}
				insights := status.WorkerPools[0].Informers[0].Insights
				status.WorkerPools[0].Informers[0].Insights = insights[:1]
			},
			want: well,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			us := load(t, filepath.Join("testdata", "left-out.yaml"))
			tc.change(&us.Status, us.Status.ControlPlane.Informers[0].Insights[0].ClusterVersion,
				us.Status.WorkerPools[0].Informers[0].Insights[0].MachineConfigPool)
			got := text(t, us, Options{Now: testNow, Head: Head(read(us, testNow), testNow)})
			if !strings.Contains(got, "\nHealth         "+tc.want+"\n") {
				t.Errorf("the text lacks %q:\n%s", tc.want, got)
			}
			classic := text(t, us, Options{Now: testNow})
			row := "1h      Info    None     " + well + "\n"
			if strings.HasPrefix(tc.want, "The progress") {
				row = "-       Unknown   Unknown   " + tc.want + "\n"
			}
			if !strings.Contains(classic, row) {
				t.Errorf("the classic text lacks %q:\n%s", row, classic)
			}
		})
	}
}

// TestOrderOfLevels: a level of a newer controller is above Warning, since nothing shows that it may be overlooked.
func TestOrderOfLevels(t *testing.T) {
	us := &updatev1alpha1.UpdateStatus{}
	var insights []updatev1alpha1.Insight
	for _, level := range []updatev1alpha1.HealthLevel{"Info", "Warning", "Catastrophic", "Error", "Critical"} {
		insights = append(insights, health(string(level)+" message", level, nil, ""))
	}
	us.Status.ControlPlane = &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{{Insights: insights}}}
	got := text(t, us, Options{Now: testNow})
	last := -1
	for _, level := range []string{"Critical", "Error", "Catastrophic", "Warning", "Info"} {
		at := strings.Index(got, level+" message")
		if at < last {
			t.Errorf("%s is too early:\n%s", level, got)
		}
		last = at
	}
}

// TestIncomplete checks what a text made of incomplete files says, classic and for terminals.
func TestIncomplete(t *testing.T) {
	idle, updating := load(t, filepath.Join("testdata", "not-updating.yaml")), load(t, filepath.Join("testdata", "left-out.yaml"))
	for name, tc := range map[string]struct {
		us      *updatev1alpha1.UpdateStatus
		options Options
		want    []string
		not     []string
	}{
		"idle":               {idle, Options{Incomplete: []string{"a is missing"}}, []string{"Incomplete: a is missing.", "No update appears to be in progress."}, []string{"The cluster is not updating"}},
		"idle, nodes":        {idle, Options{MissingNodes: []string{"b is missing"}}, []string{"No update appears to be in progress."}, []string{"The cluster is not updating", "b is missing"}},
		"idle, terminal":     {idle, Options{MissingNodes: []string{"b is missing"}, Head: Head(read(idle, testNow), testNow)}, []string{"Incomplete: b is missing.", "No update appears to be in progress."}, []string{"The cluster is not updating"}},
		"updating":           {updating, Options{Incomplete: []string{"a is missing"}}, []string{"Incomplete: a is missing.", "No problem is known, but the files are incomplete"}, []string{"proceeding well"}},
		"updating, outdated": {updating, Options{Outdated: "it is old"}, []string{"Outdated: it is old.", "No problem is reported, but the status may be outdated"}, []string{"proceeding well"}},
		"updating, nodes":    {updating, Options{MissingNodes: []string{"b is missing"}}, []string{"No problem is known, but the files are incomplete"}, []string{"proceeding well", "b is missing"}},
	} {
		tc.options.Now = testNow
		got := text(t, tc.us, tc.options)
		for _, want := range tc.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: the text lacks %q:\n%s", name, want, got)
			}
		}
		for _, not := range tc.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: the text has %q:\n%s", name, not, got)
			}
		}
	}
}
