package integration_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/invariants"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// summaryInterval is how often the summary is read while a test waits for it.
const summaryInterval = 20 * time.Millisecond

// untilSummary waits until nothing is wrong with the summary, and returns it.
func (w *world) untilSummary(step string, problems func(*updatev1alpha1.UpdateStatusSummary) []string) *updatev1alpha1.UpdateStatusSummary {
	w.t.Helper()
	client := updateclient.NewForConfigOrDie(w.plane.Admin()).UpdateV1alpha1().UpdateStatusSummaries()
	var read *updatev1alpha1.UpdateStatusSummary
	var wrong []string
	err := wait.PollUntilContextCancel(w.ctx, summaryInterval, true, func(ctx context.Context) (bool, error) {
		got, err := client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		if err != nil {
			wrong = []string{err.Error()}
			return false, nil
		}
		read, wrong = got, problems(got)
		return len(wrong) == 0, nil
	})
	if err != nil {
		w.t.Fatalf("waiting for %s: %v: %s", step, err, strings.Join(wrong, "; "))
	}
	return read
}

// checkReason returns what is wrong with the reason of Updating once the ClusterVersion is complete: the counts do not show that.
func checkReason(made *updatev1alpha1.UpdateStatusSummaryStatus, objects []simulator.Object) []string {
	if len(made.Conditions) == 0 {
		return []string{"it is created, and not written"}
	}
	for _, object := range objects {
		version, ok := object.(*configv1.ClusterVersion)
		isComplete := ok && version.Status.History[0].Version == newVersion && version.Status.History[0].State == configv1.CompletedUpdate
		if reason := made.Conditions[0].Reason; isComplete && made.Nodes.Completed < made.Nodes.Total && reason != updatev1alpha1.ReasonWorkers {
			return []string{"the reason of Updating is " + reason}
		}
	}
	return nil
}

// TestSummary checks the summary at many steps of an update: its counts are those of the simulated cluster.
func TestSummary(t *testing.T) {
	const every = 25 // writes
	w := newWorld(t)
	simulation := simulator.NewSimulation(simulator.Update{Seed: 3, Start: startTime, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	seen := map[string]bool{}
	for more := true; more; {
		written := 0
		more = w.play(simulation, func(simulator.Write) bool {
			written++
			return written == every
		})
		objects := simulation.Objects()
		made := w.untilSummary("the counts of the cluster", func(made *updatev1alpha1.UpdateStatusSummary) []string {
			return append(invariants.CheckSummary(&made.Status, objects, payload), checkReason(&made.Status, objects)...)
		})
		seen[made.Status.Conditions[0].Reason] = true
		if encoded, err := json.Marshal(made); err != nil || len(encoded) > 16<<10 {
			t.Errorf("%d bytes, error %v", len(encoded), err)
		}
	}
	made := w.untilSummary("the end of the update", func(made *updatev1alpha1.UpdateStatusSummary) []string {
		if made.Status.CompletedVersion != newVersion {
			return []string{"completed is " + made.Status.CompletedVersion}
		}
		return nil
	})
	if made.Generation == 0 || made.Status.ObservedGeneration != made.Generation {
		t.Errorf("the generation is %d, and that of the status %d", made.Generation, made.Status.ObservedGeneration)
	}
	if made.Status.CompletedAt == nil || made.Status.ObservedAt == nil || made.Status.Conditions[0].Reason != updatev1alpha1.ReasonCompleted {
		t.Errorf("at the end: %+v", made.Status)
	}
	if !seen[updatev1alpha1.ReasonControlPlane] || !seen[updatev1alpha1.ReasonWorkers] {
		t.Errorf("reasons of Updating: %v", seen)
	}
}
