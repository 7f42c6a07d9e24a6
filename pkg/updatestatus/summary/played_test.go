package summary_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// payload is the number of operators in the payload of a simulated update.
const payload = 33

// play plays an update, and calls a function with the summary after each write.
func play(script simulator.Update, see func(made *updatev1alpha1.UpdateStatusSummaryStatus, objects []simulator.Object, serious bool)) {
	playing := played.New(script)
	var previous *updatev1alpha1.UpdateStatusSummaryStatus
	playing.Play(func(built *updatev1alpha1.UpdateStatusStatus, now time.Time) {
		previous = summary.Of(summary.Input{Update: update.Read(built), Previous: previous, Now: now})
		serious := slices.ContainsFunc(invariants.Insights(built), func(one *updatev1alpha1.Insight) bool {
			return one.Health != nil && one.Health.Impact.Level != updatev1alpha1.LevelInfo
		})
		see(previous, playing.Objects(), serious)
	})
}

// TestPlayedUpdate checks the summary after each write of an update: its counts, that nothing flaps, and when it is complete.
func TestPlayedUpdate(t *testing.T) {
	expectSummaries(t, 0)
}

// TestLongPlayedUpdates is TestPlayedUpdate for other updates.
func TestLongPlayedUpdates(t *testing.T) {
	t.Parallel()
	for seed := uint64(1); seed < 4; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			expectSummaries(t, seed)
		})
	}
}

func expectSummaries(t *testing.T, seed uint64) {
	t.Helper()
	var updating []string
	versions := []string{""}
	script := simulator.Update{Seed: seed, Start: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), From: "4.20.1", To: "4.20.2"}
	var last *updatev1alpha1.UpdateStatusSummaryStatus
	play(script, func(made *updatev1alpha1.UpdateStatusSummaryStatus, objects []simulator.Object, serious bool) {
		for _, problem := range invariants.CheckSummary(made, objects, payload) {
			t.Errorf("%s: %s", made.Nodes.Progress, problem)
		}
		condition := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpdating)
		if now := string(condition.Status) + " " + condition.Reason; len(updating) == 0 || updating[len(updating)-1] != now {
			updating = append(updating, now)
		}
		if versions[len(versions)-1] != made.CompletedVersion {
			versions = append(versions, made.CompletedVersion)
		}
		if got := meta.IsStatusConditionTrue(made.Conditions, updatev1alpha1.ConditionNeedsAttention); got != serious {
			t.Errorf("%s: NeedsAttention is %t", made.Nodes.Progress, got)
		}
		if (made.CompletedAt != nil) != (made.CompletedVersion == "4.20.2") {
			t.Errorf("%s: completed at %s, version %s", made.Nodes.Progress, made.CompletedAt, made.CompletedVersion)
		}
		last = made
	})
	statuses := slices.Compact(append([]string{}, mapped(updating)...))
	if diff := cmp.Diff([]string{"False", "True", "False"}, statuses); diff != "" {
		t.Errorf("Updating flaps: %v", updating)
	}
	if diff := cmp.Diff([]string{"", "4.20.1", "4.20.2"}, versions); diff != "" {
		t.Errorf("completed versions (-want +got):\n%s", diff)
	}
	if last.Nodes.Completed != last.Nodes.Total || last.WaitingFor != "" || last.Estimate != nil {
		t.Errorf("at the end: %+v", last)
	}
}

// mapped returns the statuses of texts with a status and a reason.
func mapped(texts []string) []string {
	var statuses []string
	for _, text := range texts {
		var state, reason string
		_, _ = fmt.Sscan(text, &state, &reason)
		statuses = append(statuses, state)
	}
	return statuses
}
