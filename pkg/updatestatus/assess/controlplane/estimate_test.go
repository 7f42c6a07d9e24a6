package controlplane_test

import (
	"slices"
	"testing"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// progressedAt sets the transition time of Progressing of an operator.
func progressedAt(operator *configv1.ClusterOperator, at time.Time) {
	builders.OperatorCondition(builders.Condition(configv1.OperatorProgressing, configv1.ConditionFalse, at, "", ""))(operator)
}

func TestEstimateByBaseline(t *testing.T) {
	const month = 30 * 24 * time.Hour
	history := func(items ...builders.ClusterVersionOption) *configv1.ClusterVersion {
		return builders.ClusterVersion(append(items, progressing(configv1.ConditionTrue))...)
	}
	for _, test := range []struct {
		name    string
		version *configv1.ClusterVersion
		total   time.Duration
	}{
		{name: "installation only", version: updating(), total: time.Hour},
		{
			name: "newest completed update",
			version: history(
				builders.Completed("4.18.0", installed.Add(-3*month), installed.Add(-3*month+40*time.Minute)),
				builders.Completed("4.19.0", installed.Add(-2*month), installed.Add(-2*month+80*time.Minute)),
				builders.Completed(before, installed, installed.Add(50*time.Minute)),
				builders.Partial(target, start)),
			total: 50 * time.Minute,
		},
		{
			name: "incomplete update ignored",
			version: history(
				builders.Completed("4.18.0", installed.Add(-3*month), installed.Add(-3*month+40*time.Minute)),
				builders.Completed("4.19.0", installed.Add(-2*month), installed.Add(-2*month+80*time.Minute)),
				builders.Partial(before, installed),
				builders.Partial(target, start)),
			total: 80 * time.Minute,
		},
		{
			name: "installation ignored",
			version: history(
				builders.Completed("4.18.0", installed.Add(-3*month), installed.Add(-3*month+40*time.Minute)),
				builders.Partial(before, installed),
				builders.Partial(target, start)),
			total: time.Hour,
		},
		{
			name: "times that cannot be true ignored",
			version: history(
				builders.Completed("4.17.0", installed.Add(-4*month), installed.Add(-4*month+40*time.Minute)),
				builders.Completed("4.18.0", installed.Add(-3*month), installed.Add(-3*month+80*time.Minute)),
				builders.Completed("4.19.0", installed.Add(-2*month), installed.Add(-3*month)),
				builders.Completed("4.19.1", builders.HostileTimes(start)[0], installed),
				builders.Completed("4.19.2", builders.HostileTimes(start)[1], installed),
				builders.Completed(before, installed, builders.HostileTimes(start)[0]),
				builders.Partial(target, start)),
			total: 80 * time.Minute,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			const passed = 2 * time.Minute
			got := clusterVersionInsight(t, standalone.ClusterVersionInput{ClusterVersion: test.version, ClusterOperators: fleet(33, 4)}, start.Add(passed))
			want := start.Add(passed + (test.total-passed)*6/5)
			if !got.EstimatedCompletedAt.Equal(ptrTime(want)) {
				t.Errorf("estimate %s, want %s", got.EstimatedCompletedAt.UTC(), want)
			}
		})
	}
}

func TestEstimateByPace(t *testing.T) {
	// Half of the operators in 20 minutes. The share of the time at x = 0.5 by the middle curve: 0.1851215 + 0.82497 −
	// 1.1692245 + 0.681478 − 0.132830375 = 0.389514625; 20 min ÷ 0.3895 = 51 min 20.7 s in all, and × 1.2 of the rest.
	operators := fleet(32, 16)
	progressedAt(operators[3], start.Add(20*time.Minute))
	progressedAt(operators[5], start.Add(12*time.Minute))
	now := start.Add(21 * time.Minute)
	got := clusterVersionInsight(t, standalone.ClusterVersionInput{ClusterVersion: updating(), ClusterOperators: operators}, now)
	want := now.Add(36*time.Minute + 24*time.Second)
	if !got.EstimatedCompletedAt.Equal(ptrTime(want)) {
		t.Errorf("estimate %s, want %s", got.EstimatedCompletedAt.UTC(), want)
	}

	// The progress of a third-party operator is ignored.
	theirs := builders.ClusterOperator("theirs", builders.ThirdParty(), builders.Healthy(start.Add(21*time.Minute)))
	again := clusterVersionInsight(t, standalone.ClusterVersionInput{ClusterVersion: updating(), ClusterOperators: append(operators, theirs)}, now)
	if !again.EstimatedCompletedAt.Equal(got.EstimatedCompletedAt) {
		t.Errorf("a third-party operator moves the estimate to %s", again.EstimatedCompletedAt.UTC())
	}
}

// TestEstimateByEachCurve uses the first and the last of the three curves, with 20 minutes of progress at minute 21.
func TestEstimateByEachCurve(t *testing.T) {
	for updated, want := range map[int]time.Duration{
		// x = 0.125: 0.3286075 − 0.0597493 − 0.0307879 = 0.2380703; 20 min ÷ 0.2380703 = 5040.5 s, (5040.5 s − 1260 s) × 1.2.
		4: 4536 * time.Second,
		// x = 0.96875: 0.6962087 by the last curve; 20 min ÷ 0.6962087 = 1723.6 s, (1723.6 s − 1260 s) × 1.2.
		31: 556 * time.Second,
	} {
		operators := fleet(32, updated)
		progressedAt(operators[3], start.Add(20*time.Minute))
		now := start.Add(21 * time.Minute)
		got := clusterVersionInsight(t, standalone.ClusterVersionInput{ClusterVersion: updating(), ClusterOperators: operators}, now)
		if rest := got.EstimatedCompletedAt.Sub(now); rest != want {
			t.Errorf("%d of 32 operators: %s remain, want %s", updated, rest, want)
		}
	}
}

func TestEstimateWithMachineConfigOnly(t *testing.T) {
	operators := fleet(32, 32)
	for _, operator := range operators {
		progressedAt(operator, start.Add(50*time.Minute)) // flipped at the reboot of a node
	}
	since := start.Add(40 * time.Minute)
	operators = append(operators, builders.ClusterOperator("machine-config", builders.OperatorVersion(before),
		builders.Healthy(installed), builders.Progressing(since, "", "Working towards 4.20.2")))
	estimate := func() time.Time {
		return clusterVersionInsight(t, standalone.ClusterVersionInput{ClusterVersion: updating(), ClusterOperators: operators}, start.Add(55*time.Minute)).EstimatedCompletedAt.Time
	}
	first := estimate()
	progressedAt(operators[0], start.Add(54*time.Minute))
	if again := estimate(); !again.Equal(first) {
		t.Errorf("a flip of another operator moves the estimate from %s to %s", first, again)
	}
	builders.Progressing(since.Add(time.Minute), "", "")(operators[32])
	if again := estimate(); again.Equal(first) {
		t.Errorf("the start of machine-config does not count")
	}
}

// TestAssessmentNextCheck follows NextCheck through an update without events.
func TestAssessmentNextCheck(t *testing.T) {
	in := standalone.ClusterVersionInput{ClusterVersion: updating(), ClusterOperators: fleet(33, 4)}
	progressedAt(in.ClusterOperators[0], start.Add(time.Minute)) // not enough to go by: the baseline of an hour counts
	type step struct {
		after      time.Duration
		assessment updatev1alpha1.Assessment
	}
	want := []step{
		{after: 10 * time.Minute, assessment: updatev1alpha1.AssessmentProgressing},
		{after: time.Hour, assessment: updatev1alpha1.AssessmentProgressingSlow},
		{after: 72 * time.Minute, assessment: updatev1alpha1.AssessmentStalled},
	}
	var got []step
	checks := 0
	for now := start.Add(10 * time.Minute); !now.IsZero(); checks++ {
		result := standalone.ClusterVersion(in, now)
		assessment := assessmentOf(result)
		if len(got) == 0 || got[len(got)-1].assessment != assessment {
			got = append(got, step{now.Sub(start).Truncate(time.Second), assessment})
		}
		if !result.NextCheck.IsZero() {
			before := standalone.ClusterVersion(in, result.NextCheck.Add(-2*time.Millisecond))
			if assessmentOf(before) != assessment {
				t.Errorf("the assessment changes to %s before NextCheck", assessmentOf(before))
			}
			if drift := estimateOf(before).Sub(estimateOf(result)).Abs(); drift >= 30*time.Second {
				t.Errorf("the estimate drifts by %s before NextCheck", drift)
			}
		}
		now = result.NextCheck
	}
	if !slices.Equal(got, want) {
		t.Errorf("assessments %v, want %v", got, want)
	}
	if most := 1 + 50*60/140 + 1 + 12*60/140 + 1; checks > most {
		t.Errorf("%d checks, want at most %d", checks, most)
	}
}

func assessmentOf(result assess.Result) updatev1alpha1.Assessment {
	return result.Report.Insights[0].Insight.ClusterVersion.Assessment
}

func estimateOf(result assess.Result) time.Time {
	return result.Report.Insights[0].Insight.ClusterVersion.EstimatedCompletedAt.Time
}

func TestEstimateWithoutAnyProgress(t *testing.T) {
	in := standalone.ClusterVersionInput{ClusterVersion: updating(), ClusterOperators: fleet(33, 8)}
	result := standalone.ClusterVersion(in, start.Add(time.Minute))
	if got := result.NextCheck.Sub(start); got != time.Minute+140*time.Second {
		t.Errorf("first check after %s", got)
	}
	result = standalone.ClusterVersion(in, start.Add(4*time.Minute))
	if got := result.NextCheck.Sub(start).Truncate(time.Second); got != 5*time.Minute {
		t.Errorf("check after %s, want the start of the use of the pace", got)
	}
	result = standalone.ClusterVersion(in, start.Add(6*time.Minute))
	if got := result.NextCheck.Sub(start); got != 6*time.Minute+140*time.Second {
		t.Errorf("next check after %s", got)
	}
}

// TestLastProgress checks from which operator's progress an update is estimated when one is left: only machine-config, while it
// progresses, counts from its start, as other operators flip at every reboot of a node.
func TestLastProgress(t *testing.T) {
	estimated := func(name string, status configv1.ConditionStatus, since time.Duration) time.Time {
		last := builders.ClusterOperator(name, builders.OperatorVersion(before), builders.OperatorCondition(
			builders.Condition(configv1.OperatorProgressing, status, start.Add(since), "", "")))
		flipping := builders.ClusterOperator("dns-default", builders.OperatorVersion(target), builders.OperatorCondition(
			builders.Condition(configv1.OperatorProgressing, configv1.ConditionFalse, start.Add(30*time.Minute), "", "")))
		in := standalone.ClusterVersionInput{ClusterVersion: updating(), ClusterOperators: append(fleet(9, 9), flipping, last)}
		return clusterVersionInsight(t, in, start.Add(40*time.Minute)).EstimatedCompletedAt.Time
	}
	for _, test := range []struct {
		name   string
		status configv1.ConditionStatus
		counts bool
	}{
		{"machine-config", configv1.ConditionTrue, true},
		{"machine-config", configv1.ConditionFalse, false},
		{"network", configv1.ConditionTrue, false},
	} {
		first, second := estimated(test.name, test.status, 15*time.Minute), estimated(test.name, test.status, 20*time.Minute)
		if counts := !first.Equal(second); counts != test.counts {
			t.Errorf("%s with Progressing %s: the estimate depends on its start: %t", test.name, test.status, counts)
		}
	}
}

// TestEstimateOfAnOldStart: an update cannot be estimated to take decades.
func TestEstimateOfAnOldStart(t *testing.T) {
	version := builders.ClusterVersion(builders.Completed(before, installed, installed), builders.Partial(target, time.Unix(0, 0)), progressing(configv1.ConditionTrue))
	operators := fleet(100, 2)
	progressedAt(operators[0], start)
	got := clusterVersionInsight(t, standalone.ClusterVersionInput{ClusterVersion: version, ClusterOperators: operators}, start)
	if got.Assessment != updatev1alpha1.AssessmentStalled || got.EstimatedCompletedAt.Before(&got.Conditions[0].LastTransitionTime) {
		t.Errorf("%s, estimated to complete at %s", got.Assessment, got.EstimatedCompletedAt)
	}
}
