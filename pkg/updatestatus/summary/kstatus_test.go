package summary_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// kstatusOf returns the two conditions as "STATUS/REASON MESSAGE".
func kstatusOf(t *testing.T, made *updatev1alpha1.UpdateStatusSummaryStatus) (reconciling, stalled string) {
	t.Helper()
	var texts []string
	for _, kind := range []string{updatev1alpha1.ConditionReconciling, updatev1alpha1.ConditionStalled} {
		found := meta.FindStatusCondition(made.Conditions, kind)
		if found == nil {
			t.Fatalf("there is no condition %s", kind)
		}
		texts = append(texts, strings.TrimSpace(fmt.Sprintf("%s/%s %s", found.Status, found.Reason, found.Message)))
	}
	return texts[0], texts[1]
}

// TestReconciling checks what tools that know kstatus wait for, in each state of an update.
func TestReconciling(t *testing.T) {
	asked := func(reason, message string) *updatev1alpha1.UpdateStatusStatus {
		status := completedControlPlane("w-0 Completed").status()
		status.ControlPlane.Conditions[0].Reason, status.ControlPlane.Conditions[0].Message = reason, message
		return status
	}
	installed := completedControlPlane("w-0 Completed")
	installed.version.Versions.Previous = nil
	both := running()
	both.pools["worker"] = []string{"w-0 Draining"}
	for name, test := range map[string]struct {
		status *updatev1alpha1.UpdateStatusStatus
		want   string
	}{
		"the control plane": {running().status(), "True/ControlPlane The control plane is being updated to 4.20.2"},
		"both":              {both.status(), "True/ControlPlaneAndWorkers The control plane and pool worker are being updated to 4.20.2"},
		"workers": {
			completedControlPlane("w-0 Pending").status(), "True/Workers The control plane is updated to 4.20.2; pool worker is still updating",
		},
		"requested":    {asked(updatev1alpha1.ReasonRequested, "Requested"), "True/Requested Requested"},
		"not accepted": {asked(updatev1alpha1.ReasonNotAccepted, "Not accepted"), "True/NotAccepted Not accepted"},
		"unknown":      {&updatev1alpha1.UpdateStatusStatus{}, "True/CannotDetermine The version of the cluster is not known"},
		"paused":       {completedControlPlane("w-0 Completed", "w-1 Paused").status(), "False/Paused"},
		"complete":     {completedControlPlane("w-0 Completed").status(), "False/Completed"},
		"no update":    {installed.status(), "False/NotUpdating"},
	} {
		made := summary.Of(summary.Input{Update: update.Read(test.status), Now: at(60).Time})
		if reconciling, stalled := kstatusOf(t, made); reconciling != test.want || stalled != "False/AsExpected" {
			t.Errorf("%s: Reconciling %q, Stalled %q, want Reconciling %q", name, reconciling, stalled, test.want)
		}
	}
}

// TestStalled checks which health insights stall an update: causes of level Error or Critical with the impact Update Stalled. Then it
// is not reconciling.
func TestStalled(t *testing.T) {
	of := func(uid string, level updatev1alpha1.HealthLevel, impact updatev1alpha1.ImpactType) updatev1alpha1.Insight {
		one := health(uid, level, 10, "Summary of "+uid)
		one.Health.Impact.Type = impact
		return one
	}
	const stalls, slows = updatev1alpha1.ImpactUpdateStalled, updatev1alpha1.ImpactUpdateSpeed
	named := of("named", updatev1alpha1.LevelError, stalls)
	named.Health.Reason = "NodeDrainBlocked"
	about := func(resource string, one updatev1alpha1.Insight) updatev1alpha1.Insight {
		one.Health.Scope.Resources = []updatev1alpha1.HealthResource{{ResourceRef: updatev1alpha1.ResourceRef{Resource: resource, Name: "a"}}}
		return one
	}
	refusal := of("r", updatev1alpha1.LevelError, stalls)
	refusal.Health.Reason = "UpdateNotAccepted"
	operator := about("clusteroperators", of("o", updatev1alpha1.LevelError, updatev1alpha1.ImpactAPIAvailability))
	going := running()
	paused := completedControlPlane("w-0 Completed", "w-1 Paused")
	for name, test := range map[string]struct {
		fixture *fixture
		health  []updatev1alpha1.Insight
		// want is Stalled, empty if it is False.
		want string
	}{
		"an error":                             {going, []updatev1alpha1.Insight{named}, "True/NodeDrainBlocked Summary of named"},
		"without a reason":                     {going, []updatev1alpha1.Insight{of("e", updatev1alpha1.LevelError, stalls)}, "True/Stalled Summary of e"},
		"critical":                             {going, []updatev1alpha1.Insight{of("c", updatev1alpha1.LevelCritical, stalls)}, "True/Stalled Summary of c"},
		"a warning":                            {going, []updatev1alpha1.Insight{of("w", updatev1alpha1.LevelWarning, stalls)}, ""},
		"a warning of a node":                  {going, []updatev1alpha1.Insight{about("nodes", of("w", updatev1alpha1.LevelWarning, stalls))}, ""},
		"of an operator":                       {going, []updatev1alpha1.Insight{operator}, "True/Stalled Summary of o"},
		"of an operator, once all are updated": {completedControlPlane("w-0 Pending"), []updatev1alpha1.Insight{operator}, ""},
		"another update is refused":            {going, []updatev1alpha1.Insight{refusal}, ""},
		"an update is refused":                 {completedControlPlane("w-0 Completed"), []updatev1alpha1.Insight{refusal}, "True/UpdateNotAccepted Summary of r"},
		"of unknown level":                     {going, []updatev1alpha1.Insight{of("u", updatev1alpha1.LevelUnknown, stalls)}, ""},
		"with another impact":                  {going, []updatev1alpha1.Insight{of("e", updatev1alpha1.LevelError, slows)}, ""},
		"the second problem": {
			going, []updatev1alpha1.Insight{of("c", updatev1alpha1.LevelCritical, updatev1alpha1.ImpactAPIAvailability), named}, "True/NodeDrainBlocked Summary of named",
		},
		"the worst": {
			going, []updatev1alpha1.Insight{named, of("c", updatev1alpha1.LevelCritical, stalls)}, "True/Stalled Summary of c",
		},
		"a consequence": {
			going, []updatev1alpha1.Insight{of("cause", updatev1alpha1.LevelError, slows), causedBy(of("e", updatev1alpha1.LevelError, stalls), "cause")}, "True/Stalled Summary of cause",
		},
		"beside a paused pool": {paused, []updatev1alpha1.Insight{named}, "True/NodeDrainBlocked Summary of named"},
	} {
		test.fixture.health = test.health
		reconciling, stalled := kstatusOf(t, test.fixture.summary(nil, 60))
		if test.want == "" {
			if stalled != "False/AsExpected" || !strings.HasPrefix(reconciling, "True/") {
				t.Errorf("%s: Stalled %q, Reconciling %q", name, stalled, reconciling)
			}
			continue
		}
		if stalled != test.want || reconciling != "False/Stalled" {
			t.Errorf("%s: Stalled %q, Reconciling %q, want Stalled %q", name, stalled, reconciling, test.want)
		}
	}
}

// TestKstatusTimes checks that the conditions tell since when they have their status, and the generation that was given.
func TestKstatusTimes(t *testing.T) {
	f := running()
	first := f.summary(nil, 10)
	f.health = []updatev1alpha1.Insight{health("e", updatev1alpha1.LevelError, 20, "Is stuck")}
	second := summary.Of(summary.Input{Update: update.Read(f.status()), Previous: first, Generation: 3, Now: at(20).Time})
	third := f.summary(second, 30)
	for _, test := range []struct {
		made *updatev1alpha1.UpdateStatusSummaryStatus
		want metav1.Time
	}{{first, at(10)}, {second, at(20)}, {third, at(20)}} {
		for _, kind := range []string{updatev1alpha1.ConditionReconciling, updatev1alpha1.ConditionStalled} {
			if got := meta.FindStatusCondition(test.made.Conditions, kind).LastTransitionTime; !got.Equal(&test.want) {
				t.Errorf("%s: since %s, want %s", kind, got, test.want)
			}
		}
	}
	if first.ObservedGeneration != 0 || second.ObservedGeneration != 3 {
		t.Errorf("generations %d and %d", first.ObservedGeneration, second.ObservedGeneration)
	}
}

// TestUpToDate: nothing is left to update, in progress, requested or stopped, and no node runs another version.
func TestUpToDate(t *testing.T) {
	asked := func(reason string) *updatev1alpha1.UpdateStatusStatus {
		status := completedControlPlane("w-0 Completed").status()
		status.ControlPlane.Conditions[0].Reason = reason
		return status
	}
	installed := completedControlPlane("w-0 Completed")
	installed.version.Versions.Previous = nil
	older := completedControlPlane("w-0 Completed").status()
	for _, one := range older.WorkerPools[0].Informers[0].Insights {
		if one.Node != nil {
			one.Node.Version = "4.20.1"
		}
	}
	for name, test := range map[string]struct {
		status *updatev1alpha1.UpdateStatusStatus
		want   string
	}{
		"complete":          {completedControlPlane("w-0 Completed").status(), "True/Completed"},
		"installed":         {installed.status(), "True/NotUpdating"},
		"the control plane": {running().status(), "False/ControlPlane"},
		"workers":           {completedControlPlane("w-0 Pending").status(), "False/Workers"},
		"paused":            {completedControlPlane("w-0 Completed", "w-1 Paused").status(), "False/Paused"},
		"requested":         {asked(updatev1alpha1.ReasonRequested), "False/Requested"},
		"not accepted":      {asked(updatev1alpha1.ReasonNotAccepted), "False/NotAccepted"},
		"an older node":     {older, "False/NodesDiffer"},
		"unknown":           {&updatev1alpha1.UpdateStatusStatus{}, "Unknown/CannotDetermine"},
	} {
		made := summary.Of(summary.Input{Update: update.Read(test.status), Now: at(60).Time})
		found := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpToDate)
		if found == nil || fmt.Sprintf("%s/%s", found.Status, found.Reason) != test.want {
			t.Errorf("%s: %+v, want %s", name, found, test.want)
		}
	}
}
