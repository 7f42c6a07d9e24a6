package record_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

func at(minute int) metav1.Time {
	return metav1.NewTime(start.Add(time.Duration(minute) * time.Minute))
}

func ref(minute int) *metav1.Time {
	moment := at(minute)
	return &moment
}

// seen is what is seen of a cluster with one worker at a minute. Times are minutes after the start.
type seen struct {
	minute   int
	from, to string
	// partial is whether the version before was not reached.
	partial            bool
	started, completed int
	// worker is the phase of the worker, and since when it is in that phase.
	worker string
	since  int
	// restarted is whether the controller starts again before.
	restarted bool
	// unavailable is why the status is not available, if it is not.
	unavailable string
}

func (s seen) status() *updatev1alpha1.UpdateStatusStatus {
	condition := func(kind string, is bool, reason string, since int) metav1.Condition {
		status := metav1.ConditionFalse
		if is {
			status = metav1.ConditionTrue
		}
		return metav1.Condition{Type: kind, Status: status, Reason: reason, LastTransitionTime: at(since)}
	}
	version := &updatev1alpha1.ClusterVersionInsight{
		StartedAt: ref(s.started), Versions: updatev1alpha1.ControlPlaneVersions{Target: &updatev1alpha1.Version{Version: s.to}},
		Conditions: []metav1.Condition{condition(updatev1alpha1.ConditionUpdating, s.completed == 0, "Some", s.started)},
	}
	if s.from != "" {
		version.Versions.Previous = &updatev1alpha1.Version{Version: s.from}
	}
	if s.partial {
		version.Versions.Previous.Metadata = []updatev1alpha1.VersionMetadata{{Key: updatev1alpha1.VersionPartial}}
	}
	if s.completed != 0 {
		version.CompletedAt = ref(s.completed)
	}
	isUpdating := s.worker == updatev1alpha1.ReasonDraining || s.worker == updatev1alpha1.ReasonRebooting
	node := &updatev1alpha1.NodeInsight{
		Name: "worker-0", Pool: "worker", Version: s.from,
		Conditions: []metav1.Condition{condition(updatev1alpha1.ConditionUpdating, isUpdating, s.worker, s.since)},
	}
	if s.worker == updatev1alpha1.ReasonCompleted {
		node.Version = s.to
	}
	poolReason := s.worker
	switch {
	case isUpdating:
		poolReason = updatev1alpha1.ReasonProgressing
	case s.worker == updatev1alpha1.ReasonPaused:
		poolReason = updatev1alpha1.ReasonExcluded
	}
	pool := &updatev1alpha1.MachineConfigPoolInsight{
		Name:       "worker",
		Conditions: []metav1.Condition{condition(updatev1alpha1.ConditionUpdating, isUpdating, poolReason, s.since)},
		Summaries:  []updatev1alpha1.NodeSummary{{Type: updatev1alpha1.NodesTotal, Count: 1}},
	}
	return &updatev1alpha1.UpdateStatusStatus{
		Conditions: []metav1.Condition{condition(updatev1alpha1.ConditionAvailable, s.unavailable == "", s.unavailable, 0)},
		ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{{
			Name: "control-plane-informer", Insights: []updatev1alpha1.Insight{{ClusterVersion: version}},
		}}},
		WorkerPools: []updatev1alpha1.WorkerPool{{Name: "worker", Informers: []updatev1alpha1.Informer{{
			Name: "node-informer", Insights: []updatev1alpha1.Insight{{MachineConfigPool: pool}, {Node: node}},
		}}}},
	}
}

// text is a record in a line, with times as minutes after the start: FROM-TO RESULT start-end, those of the control plane and of
// the pool, and the gaps. ~ stands before an end that is not known more exactly.
func text(of *record.Named) string {
	minute := func(t *metav1.Time) string {
		if t == nil {
			return "?"
		}
		return fmt.Sprint(int(t.Sub(start).Minutes()))
	}
	times := func(t updatev1alpha1.RecordTimes) string {
		if t.CompletedBy != nil {
			return minute(t.StartedAt) + "-~" + minute(t.CompletedBy)
		}
		return minute(t.StartedAt) + "-" + minute(t.CompletedAt)
	}
	s := of.Status
	line := fmt.Sprintf("%s-%s %s %s, control plane %s", s.Versions.Previous, s.Versions.Target, s.Result, times(s.RecordTimes), times(s.ControlPlane))
	for _, pool := range s.Pools {
		line += ", " + pool.Name + " " + times(pool.RecordTimes)
		if pool.PausedSeconds > 0 {
			line += " paused " + (time.Duration(pool.PausedSeconds) * time.Second).String()
		}
	}
	for _, gap := range s.Gaps {
		line += fmt.Sprintf(", gap %s-%s", minute(&gap.From), minute(&gap.To))
	}
	if s.Took.Total != nil {
		line += ", took " + s.Took.Total.Duration.String()
	}
	return line
}

// updating and ready are a cluster in an update from 1 to 2 that started at minute 0, and after that of the control plane.
func updating(minute int, worker string, since int) seen {
	return seen{minute: minute, from: "1", to: "2", worker: worker, since: since}
}

func ready(minute int, worker string, since int) seen {
	return seen{minute: minute, from: "1", to: "2", completed: 3, worker: worker, since: since}
}

// TestResults checks how updates end, and which times are known.
func TestResults(t *testing.T) {
	whole := []seen{updating(0, "Pending", -9), updating(2, "Draining", 1), ready(4, "Rebooting", 4), ready(6, "Completed", 6)}
	second := func(minute int, partial bool) seen {
		return seen{minute: minute, from: "2", to: "3", partial: partial, started: minute, worker: "Pending", since: minute}
	}
	for _, test := range []struct {
		name  string
		steps []seen
		want  []string
	}{
		{name: "an update", steps: whole, want: []string{"1-2 Completed 0-6, control plane 0-3, worker 1-6, took 6m0s"}},
		{name: "two in a row", steps: append(whole[:4:4], second(9, false)), want: []string{
			"1-2 Completed 0-6, control plane 0-3, worker 1-6, took 6m0s", "2-3 InProgress 9-?, control plane 9-?, worker ?-?",
		}},
		{name: "the next before the workers", steps: append(whole[:3:3], second(5, false)), want: []string{
			"1-2 Partial 0-5, control plane 0-3, worker 1-?", "2-3 InProgress 5-?, control plane 5-?, worker ?-?",
		}},
		{name: "superseded half-way", steps: append(whole[:2:2], second(3, true)), want: []string{
			"1-2 Superseded 0-3, control plane 0-?, worker 1-?", "2-3 InProgress 3-?, control plane 3-?, worker ?-?",
		}},
		{name: "complete in the control plane while not watched", steps: append(whole[:2:2], second(9, false)), want: []string{
			"1-2 Partial 0-9, control plane 0-?, worker 1-?", "2-3 InProgress 9-?, control plane 9-?, worker ?-?",
		}},
		{name: "cancelled", steps: append(whole[:2:2], seen{minute: 3, from: "2", to: "1", partial: true, started: 3, worker: "Draining", since: 1}), want: []string{
			"1-2 Superseded 0-3, control plane 0-?, worker 1-?", "2-1 InProgress 3-?, control plane 3-?, worker ?-?",
		}},
		{name: "a rollback", steps: append(whole[:4:4], seen{minute: 9, from: "2", to: "1", started: 9, worker: "Pending", since: 9},
			seen{minute: 11, from: "2", to: "1", started: 9, completed: 10, worker: "Draining", since: 10},
			seen{minute: 13, from: "2", to: "1", started: 9, completed: 10, worker: "Completed", since: 12}), want: []string{
			"1-2 Completed 0-6, control plane 0-3, worker 1-6, took 6m0s", "2-1 Completed 9-12, control plane 9-10, worker 10-12, took 3m0s",
		}},
		{name: "an installation", steps: []seen{{minute: 1, to: "1", worker: "Completed"}}},
		{name: "complete before it was watched", steps: []seen{ready(9, "Completed", 6)}},
		{name: "first watched half-way", steps: []seen{ready(4, "Rebooting", 4), ready(6, "Completed", 6)}, want: []string{
			"1-2 Completed 0-6, control plane 0-3, worker ?-6, gap 0-4, took 6m0s",
		}},
		{name: "a pool that is paused", steps: append(whole[:1:1], ready(3, "Paused", 2), ready(5, "Paused", 2), ready(6, "Draining", 6), ready(8, "Completed", 8)), want: []string{
			"1-2 Completed 0-8, control plane 0-3, worker 6-8 paused 3m0s, took 8m0s",
		}},
		{name: "the end in a gap", steps: append(whole[:3:3], seen{minute: 20, from: "1", to: "2", completed: 3, worker: "Completed", since: 6, restarted: true}), want: []string{
			"1-2 Completed 0-~20, control plane 0-3, worker 1-~20, gap 4-20",
		}},
		{name: "the pool in a gap, then the control plane", steps: append(whole[:2:2], updating(20, "Completed", 20), seen{minute: 22, from: "1", to: "2", completed: 21, worker: "Completed", since: 20}), want: []string{
			"1-2 Completed 0-21, control plane 0-21, worker 1-~20, gap 2-20, took 21m0s",
		}},
		{name: "the pool in a gap, and the control plane at its end", steps: append(whole[:2:2], seen{minute: 20, from: "1", to: "2", completed: 20, worker: "Completed", since: 20}), want: []string{
			"1-2 Completed 0-20, control plane 0-20, worker 1-~20, gap 2-20, took 20m0s",
		}},
		{name: "complete with the time of the status before", steps: append(whole[:3:3], ready(6, "Completed", 4)), want: []string{
			"1-2 Completed 0-6, control plane 0-3, worker 1-6, took 6m0s",
		}},
		{name: "a restart in another update", steps: append(whole[:2:2], seen{minute: 20, from: "2", to: "3", started: 15, worker: "Pending", restarted: true}), want: []string{
			"1-2 Partial 0-15, control plane 0-?, worker 1-?", "2-3 InProgress 15-?, control plane 15-?, worker ?-?, gap 15-20",
		}},
		{name: "a restart after the update", steps: append(whole[:4:4], seen{minute: 90, from: "1", to: "2", completed: 3, worker: "Draining", since: 80, restarted: true}), want: []string{
			"1-2 Completed 0-6, control plane 0-3, worker 1-6, took 6m0s",
		}},
		{name: "the API server rejects insights", steps: append(whole[:2:2], seen{minute: 4, from: "1", to: "2", unavailable: updatev1alpha1.ReasonRejected, worker: "Draining", since: 3}, ready(6, "Completed", 5)), want: []string{
			"1-2 Completed 0-5, control plane 0-3, worker 1-5, took 5m0s",
		}},
		{name: "the status is not written", steps: append(whole[:2:2], seen{minute: 4, from: "1", to: "2", unavailable: updatev1alpha1.ReasonNotWritten, worker: "Draining", since: 3}, ready(6, "Completed", 5)), want: []string{
			"1-2 Completed 0-5, control plane 0-3, worker 1-5, took 5m0s",
		}},
		{name: "a history that names another version", steps: append(whole[:3:3], seen{minute: 5, from: "9", to: "3", started: 5, worker: "Pending"}), want: []string{
			"1-2 Partial 0-5, control plane 0-3, worker 1-?", "9-3 InProgress 5-?, control plane 5-?, worker ?-?",
		}},
		{name: "a pool that was complete when first watched", steps: []seen{updating(20, "Completed", 10), {minute: 22, from: "1", to: "2", completed: 21, worker: "Completed", since: 10}}, want: []string{
			"1-2 Completed 0-21, control plane 0-21, worker ?-~20, gap 0-20, took 21m0s",
		}},
		{name: "a pool that is paused in a gap", steps: append(whole[:1:1], ready(3, "Paused", 2), seen{minute: 20, from: "1", to: "2", completed: 3, worker: "Paused", since: 2, restarted: true}, ready(22, "Paused", 2)), want: []string{
			"1-2 InProgress 0-?, control plane 0-3, worker ?-? paused 2m0s, gap 3-20",
		}},
		{name: "a pool that is paused while not watched", steps: append(whole[:1:1], ready(3, "Paused", 2), ready(20, "Paused", 2), ready(22, "Paused", 2)), want: []string{
			"1-2 InProgress 0-?, control plane 0-3, worker ?-? paused 2m0s, gap 3-20",
		}},
		{name: "the sources do not report", steps: append(whole[:2:2], seen{minute: 4, from: "1", to: "2", unavailable: "Some", worker: "Draining", since: 3}, ready(6, "Completed", 5)), want: []string{
			"1-2 Completed 0-~6, control plane 0-3, worker 1-~6, gap 2-6",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			fold := record.Resume(nil)
			for _, step := range test.steps {
				if step.restarted {
					fold = record.Resume(fold.Record())
				}
				if ended := fold.Observe(update.Read(step.status()), at(step.minute).Time); ended != nil {
					got = append(got, text(ended))
				}
			}
			if last := fold.Record(); last != nil {
				got = append(got, text(last))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCompletionTie: of two pools that are complete by the same moment, one of which was observed, that moment is the end. Pools have
// no order, so that it takes a few.
func TestCompletionTie(t *testing.T) {
	fold := record.Resume(nil)
	fold.Observe(update.Read(updating(0, "Pending", -9).status()), at(0).Time)
	stored := fold.Record()
	for name, times := range map[string]updatev1alpha1.RecordTimes{
		"in a gap, first": {CompletedBy: ref(20)}, "in a gap, second": {CompletedBy: ref(20)}, "in a gap, third": {CompletedBy: ref(20)},
		"worker": {CompletedAt: ref(20)},
	} {
		stored.Status.Pools = append(stored.Status.Pools, updatev1alpha1.PoolRecord{Name: name, RecordTimes: times})
	}
	for range 20 {
		resumed := record.Resume(stored)
		resumed.Observe(update.Read(ready(21, "Completed", 20).status()), at(21).Time)
		if got := resumed.Head(); got.CompletedBy != nil || !got.CompletedAt.Equal(ref(20)) {
			t.Fatalf("completed at %s, by %s", got.CompletedAt, got.CompletedBy)
		}
	}
}

// TestName checks that a record has a valid name, whatever its target.
func TestName(t *testing.T) {
	for target, want := range map[string]string{
		"4.20.3":                    "20260302-080000-4.20.3",
		"4.21.0-rc.1+Build_of us":   "20260302-080000-4.21.0-rc.1-build-of-us",
		"":                          "20260302-080000",
		"-.":                        "20260302-080000",
		strings.Repeat("<é>", 1000): "20260302-080000",
	} {
		fold := record.Resume(nil)
		fold.Observe(update.Read(seen{from: "1", to: target, worker: "Pending"}.status()), start)
		if got := fold.Record().Name; got != want {
			t.Errorf("%.20q: %s", target, got)
		}
	}
}

// TestNodesToJoin: an update is not complete while its pool says that nodes are to join it in place of others.
func TestNodesToJoin(t *testing.T) {
	fold := record.Resume(nil)
	for _, step := range []struct {
		seen seen
		pool metav1.ConditionStatus
		want updatev1alpha1.UpdateResult
	}{
		{seen{minute: 1, from: "4.20.1", to: "4.20.2", worker: updatev1alpha1.ReasonPending}, metav1.ConditionFalse, updatev1alpha1.ResultInProgress},
		{seen{minute: 40, from: "4.20.1", to: "4.20.2", completed: 30, worker: updatev1alpha1.ReasonCompleted}, metav1.ConditionTrue, updatev1alpha1.ResultInProgress},
		{seen{minute: 50, from: "4.20.1", to: "4.20.2", completed: 30, worker: updatev1alpha1.ReasonCompleted}, metav1.ConditionFalse, updatev1alpha1.ResultCompleted},
	} {
		status := step.seen.status()
		status.WorkerPools[0].Informers[0].Insights[0].MachineConfigPool.Conditions[0].Status = step.pool
		fold.Observe(update.Read(status), at(step.seen.minute).Time)
		if got := fold.Head().Result; got != step.want {
			t.Errorf("minute %d: %s, want %s", step.seen.minute, got, step.want)
		}
	}
}
