package integration_test

import (
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// untilSummary waits until nothing is wrong with the summary, and returns it. It is confirmed every minute, which is no progress.
func (w *world) untilSummary(step string, problems func(*updatev1alpha1.UpdateStatusSummary) []string) *updatev1alpha1.UpdateStatusSummary {
	w.t.Helper()
	if w.summaries == nil {
		var err error
		if w.summaries, err = harness.ObserveSummary(w.ctx, w.plane.Admin(), nil); err != nil {
			w.t.Fatal(err)
		}
	}
	ctx, cancel := pace.WithTimeout(w.ctx, 2*harness.Stall)
	defer cancel()
	var wrong []string
	read, err := w.summaries.Until(ctx, func(made *updatev1alpha1.UpdateStatusSummary) bool {
		wrong = problems(made)
		return len(wrong) == 0
	})
	if err != nil {
		w.t.Fatalf("waiting for %s: %v: %s", step, err, strings.Join(wrong, "; "))
	}
	return read
}
