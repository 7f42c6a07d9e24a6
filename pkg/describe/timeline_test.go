package describe_test

import (
	"bytes"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/record"
	"github.com/openshift/cluster-version-operator/pkg/timeline"
	"github.com/openshift/cluster-version-operator/test/played"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

var updateStart = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

func TestLook(t *testing.T) {
	fold := record.Resume(nil)
	var last time.Time
	failing := simulator.NodeName("worker", 2)
	played.New(simulator.Update{Seed: 1, Start: updateStart, Degraded: map[string]string{failing: "no space left"}}).Play(func(s *updatev1alpha1.UpdateStatusStatus, now time.Time) {
		if now.Sub(updateStart) > 65*time.Minute {
			return
		}
		if d := now.Sub(updateStart); d > 20*time.Minute && d < 31*time.Minute {
			return
		}
		last = now
		fold.Observe(s, now)
	})
	for _, w := range []int{80, 120} {
		var b bytes.Buffer
		if err := describe.WriteTimeline(&b, timeline.Input{Record: &fold.Record().Status, Now: last}, describe.Options{Now: last, Width: w, Rows: 24}); err != nil {
			t.Fatal(err)
		}
		t.Log("\n" + b.String())
	}
	var b bytes.Buffer
	describe.WriteTimeline(&b, timeline.Input{Record: &fold.Record().Status, Now: last}, describe.Options{Now: last, Details: "all"})
	t.Log("\n" + b.String())
	b.Reset()
	describe.WriteHistory(&b, []updatev1alpha1.UpdateRecord{{Status: fold.Record().Status}}, describe.Options{Now: last})
	t.Log("\n" + b.String())
}
