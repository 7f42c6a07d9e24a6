package estimate

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// report returns what is reported of a node at a minute, as a status has it: its phase, after a space the version that it runs, and
// after "since" the minute at which its drain or reboot is reported to have started.
func report(text string, minutes float64, last *updatev1alpha1.NodeInsight) *updatev1alpha1.NodeInsight {
	text, since, isReported := strings.Cut(text, " since ")
	phase, version, _ := strings.Cut(text, " ")
	now := metav1.NewTime(minute(minutes))
	updating := metav1.Condition{Type: "Updating", Status: metav1.ConditionFalse, Reason: phase, LastTransitionTime: now}
	if indexOf(updatev1alpha1.NodeUpdatePhase(phase)) >= 0 {
		updating.Status = metav1.ConditionTrue
	}
	if last != nil && last.Conditions[0].Status == updating.Status && !IsNextUpdate(last, &updatev1alpha1.NodeInsight{Version: version}) {
		updating.LastTransitionTime = last.Conditions[0].LastTransitionTime
	}
	next := &updatev1alpha1.NodeInsight{Version: version, Conditions: []metav1.Condition{updating}}
	if isReported {
		start, err := strconv.ParseFloat(since, 64)
		if err != nil {
			panic(err)
		}
		at := metav1.NewTime(minute(start))
		if phase == "Draining" {
			next.DrainStartedAt = &at
		} else {
			next.RebootStartedAt = &at
		}
	}
	SetPhases(next, last, now)
	return next
}

// TestSetPhases reports a node in one phase after the other, a minute apart.
func TestSetPhases(t *testing.T) {
	const pending, done = "Pending", "Completed"
	for _, test := range []struct {
		name    string
		reports []string
		want    []updatev1alpha1.NodePhase
		took    phaseDurations
	}{
		{name: "in progress when first observed", reports: []string{"Draining", "Draining"}},
		{name: "later phases of such a node", reports: []string{"Draining", "Updating", "Rebooting"}, want: []updatev1alpha1.NodePhase{phased("Updating", 1), phased("Rebooting", 2)}},
		{name: "such a node is done", reports: []string{"Draining", "Updating", "Rebooting", done}, took: phaseDurations{0, 120, 60}},
		{name: "observed from the start", reports: []string{pending, "Draining", "Draining", "Updating"}, want: []updatev1alpha1.NodePhase{phased("Draining", 1), phased("Updating", 3)}},
		{name: "observed to the end", reports: []string{pending, "Draining", "Draining", "Updating", "Rebooting", done}, took: phaseDurations{240, 120, 60}},
		{name: "at work before the drain", reports: []string{pending, "Draining", "Updating", "Draining", "Updating"}, want: []updatev1alpha1.NodePhase{phased("Draining", 1), phased("Updating", 4)}},
		{name: "not drained first", reports: []string{pending, "Updating", "Draining", "Rebooting"}, want: []updatev1alpha1.NodePhase{phased("Draining", 1), phased("Rebooting", 3)}},
		{name: "not drained at all", reports: []string{pending, "Updating", "Rebooting", done}, took: phaseDurations{120, 120, 60}},
		{name: "drained only", reports: []string{pending, "Draining", "Updating", done}, took: phaseDurations{120, 60, 0}},
		{name: "neither drained nor rebooted", reports: []string{pending, "Updating", done}, took: phaseDurations{60, 60, 0}},
		{name: "uncordoned after its reboot", reports: []string{pending, "Draining", "Updating", "Rebooting", "Updating"}, want: []updatev1alpha1.NodePhase{phased("Draining", 1), phased("Updating", 2), phased("Rebooting", 3)}},
		{name: "uncordoned, and done", reports: []string{pending, "Draining", "Updating", "Rebooting", "Updating", "Updating", done}, took: phaseDurations{300, 240, 180}},
		{name: "uncordoned, rebooting when first observed", reports: []string{"Rebooting", "Updating", "Updating"}},
		{name: "such a node is done, too", reports: []string{"Rebooting", "Updating", "Updating", done}},
		{name: "drained once more after its reboot", reports: []string{pending, "Draining", "Updating", "Rebooting", "Draining"}, want: []updatev1alpha1.NodePhase{phased("Draining", 1)}},
		{name: "given up", reports: []string{pending, "Draining", pending}},
		{name: "once more", reports: []string{pending, "Draining", pending, "Draining", done}, took: phaseDurations{wholeUpdate: 60}},
		{name: "missed", reports: []string{pending, done}},
		{name: "gone", reports: []string{pending, "Draining", "CannotDetermine"}},

		{name: "a reported reboot", reports: []string{pending, "Updating", "Rebooting since 1.25"}, want: []updatev1alpha1.NodePhase{phased("Updating", 1), phased("Rebooting", 1.25)}},
		{name: "a reported drain, first observed", reports: []string{"Draining since -7"}, want: []updatev1alpha1.NodePhase{phased("Draining", -7)}},
		{name: "a reported drain is the whole update", reports: []string{"Draining since -7", "Updating", done}, took: phaseDurations{9 * 60, 60, 0}},
		{name: "a reported reboot, first observed", reports: []string{"Rebooting since -7", "Rebooting since -7", done}, took: phaseDurations{0, 0, 9 * 60}},
		{name: "reported after it was observed", reports: []string{pending, "Rebooting", "Rebooting since -7"}, want: []updatev1alpha1.NodePhase{phased("Rebooting", -7)}},
		{name: "reported later than observed", reports: []string{pending, "Rebooting since 1.2", "Rebooting since 1.2"}, want: []updatev1alpha1.NodePhase{phased("Rebooting", 1)}},
		{name: "some seconds earlier than observed", reports: []string{pending, "Draining since 0.6", "Updating", done}, took: phaseDurations{120, 60, 0}},
		{name: "first observed and reported then", reports: []string{"Rebooting since -0.4", "Rebooting since -0.4", done}},
		{name: "earlier than the phase before", reports: []string{pending, "Updating", "Rebooting since 0.5"}, want: []updatev1alpha1.NodePhase{phased("Updating", 1), phased("Rebooting", 2)}},

		{name: "the next version later", reports: []string{pending + " 1", "Draining 1", "Updating 1", pending + " 2", "Draining 2", "Updating 2"}, want: []updatev1alpha1.NodePhase{phased("Draining", 4), phased("Updating", 5)}},
		{name: "the next version at once", reports: []string{pending + " 1", "Draining 1", "Rebooting 1", "Draining 2", "Rebooting 2"}, want: []updatev1alpha1.NodePhase{phased("Draining", 3), phased("Rebooting", 4)}},
		{name: "the next version in the same phase", reports: []string{pending + " 1", "Updating 1", "Updating 2", "Rebooting 2", done + " 3"}, took: phaseDurations{120, 120, 60}},
		{name: "uncordoned, then the next version", reports: []string{pending + " 1", "Rebooting 1", "Updating 1", "Updating 2"}, want: []updatev1alpha1.NodePhase{phased("Updating", 3)}},
		{name: "done with a version that is not the target any more", reports: []string{pending + " 1", "Draining 1", "Rebooting 1", pending + " 2"}},
		{name: "cancelled before it began", reports: []string{pending + " 1", "Draining 1", "Updating 1", done + " 1"}},
		{name: "another architecture, the same version", reports: []string{pending + " 1", "Updating 1", "Rebooting 1", done + " 1"}, took: phaseDurations{120, 120, 60}},
		{name: "the target changes meanwhile", reports: []string{pending + " 1", "Draining 1", "Draining 1", "Updating 1"}, want: []updatev1alpha1.NodePhase{phased("Draining", 1), phased("Updating", 3)}},
		{name: "its version was not known", reports: []string{pending, "Draining", "Updating 1", done + " 2"}, took: phaseDurations{120, 60, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var last *updatev1alpha1.NodeInsight
			var taken phaseDurations
			for at, text := range test.reports {
				next := report(text, float64(at), last)
				if last != nil {
					taken = durationsOf(ProgressOf(last), ProgressOf(next))
				}
				last = next
			}
			if diff := cmp.Diff(test.want, last.Phases); diff != "" {
				t.Errorf("phases (-want +got):\n%s", diff)
			}
			if taken != test.took {
				t.Errorf("took %v, want %v", taken, test.took)
			}
		})
	}
}
