package record_test

import (
	"encoding/json"
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

// with returns a status of an update with more insights.
func with(minute int, insights ...updatev1alpha1.Insight) *updatev1alpha1.UpdateStatusStatus {
	status := updating(minute, "Pending", -9).status()
	informer := &status.ControlPlane.Informers[0]
	informer.Insights = append(informer.Insights, insights...)
	return status
}

func operator(name string, is metav1.ConditionStatus, reason string, since int) updatev1alpha1.Insight {
	return updatev1alpha1.Insight{ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{Name: name, Conditions: []metav1.Condition{
		{Type: updatev1alpha1.ConditionUpdating, Status: is, Reason: reason, LastTransitionTime: at(since)},
	}}}
}

func health(uid string, level updatev1alpha1.HealthLevel, since int, summary string) updatev1alpha1.Insight {
	return updatev1alpha1.Insight{UID: uid, Health: &updatev1alpha1.HealthInsight{
		StartedAt: ref(since), Impact: updatev1alpha1.HealthImpact{Level: level, Summary: summary},
	}}
}

// TestOperators checks which operators a record has, and when they started and ended.
func TestOperators(t *testing.T) {
	const pending, progressing, updated = updatev1alpha1.ReasonPending, updatev1alpha1.ReasonProgressing, updatev1alpha1.ReasonUpdated
	for _, test := range []struct {
		name  string
		steps []updatev1alpha1.Insight // at the minutes 0, 2, 4, …
		want  string
	}{
		{name: "updated before", steps: []updatev1alpha1.Insight{operator("a", "False", updated, -9), operator("a", "False", updated, -9)}},
		{name: "unknown", steps: []updatev1alpha1.Insight{operator("a", "Unknown", "Some", 0)}},
		{name: "updated", steps: []updatev1alpha1.Insight{operator("a", "False", pending, -9), operator("a", "True", progressing, 1), operator("a", "False", updated, 4)}, want: "a 1-4"},
		{name: "between two observations", steps: []updatev1alpha1.Insight{operator("a", "False", pending, -9), operator("a", "False", updated, -9)}, want: "a ?-2"},
		{name: "back again", steps: []updatev1alpha1.Insight{
			operator("a", "True", progressing, 0), operator("a", "False", updated, 1), operator("a", "True", progressing, 3), operator("a", "False", updated, 5),
		}, want: "a 0-5"},
		{name: "progressing before the update", steps: []updatev1alpha1.Insight{operator("a", "True", progressing, -5)}, want: "a ?-?"},
		{name: "rounded up", steps: []updatev1alpha1.Insight{secondsLater(1, operator("a", "True", progressing, 0))}, want: "a 0-?"},
		{name: "a little later", steps: []updatev1alpha1.Insight{secondsLater(2, operator("a", "True", progressing, 0))}, want: "a ?-?"},
		{name: "progressing from the future", steps: []updatev1alpha1.Insight{operator("a", "True", progressing, 500)}, want: "a ?-?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fold := record.Resume(nil)
			for step, one := range test.steps {
				fold.Observe(update.Read(with(2*step, one)), at(2*step).Time)
			}
			var got string
			for _, one := range fold.Record().Status.Operators {
				got = one.Name + " " + minutes(one.StartedAt) + "-" + minutes(one.CompletedAt)
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// secondsLater changes when the conditions of an operator have changed.
func secondsLater(seconds int, one updatev1alpha1.Insight) updatev1alpha1.Insight {
	for at := range one.ClusterOperator.Conditions {
		changed := &one.ClusterOperator.Conditions[at].LastTransitionTime
		*changed = metav1.NewTime(changed.Add(time.Duration(seconds) * time.Second))
	}
	return one
}

func minutes(at *metav1.Time) string {
	if at == nil {
		return "?"
	}
	return fmt.Sprint(at.Sub(start).Minutes())
}

// TestEpisodes checks that a health insight that comes, gets worse, goes and comes back is two episodes, and that those that have ended
// stay so after a restart.
func TestEpisodes(t *testing.T) {
	fold := record.Resume(nil)
	const info, warning, critical = updatev1alpha1.LevelInfo, updatev1alpha1.LevelWarning, updatev1alpha1.LevelCritical
	fold.Observe(update.Read(with(0, health("a", warning, 0, "slow"), health("b", info, -700, "old"))), at(0).Time)
	fold.Observe(update.Read(with(2, health("a", critical, 0, "stuck"))), at(2).Time)
	fold.Observe(update.Read(with(4, health("a", info, 0, "nearly gone"))), at(4).Time)
	fold.Observe(update.Read(with(6)), at(6).Time)
	fold.Observe(update.Read(with(8, health("a", warning, 7, "again"))), at(8).Time)
	fold = record.Resume(fold.Record())
	fold.Observe(update.Read(with(20, health("c", warning, 15, "from the gap"))), at(20).Time)
	fold = record.Resume(fold.Record())
	fold.Observe(update.Read(with(30, health("c", warning, 15, "from the gap"))), at(30).Time)
	want := []string{
		"b Info -700-2 by ?: old", "a Critical 0-6 by ?: nearly gone", "a Warning 7-? by 20: again", "c Warning ?-? by ?: from the gap",
	}
	var got []string
	for _, one := range fold.Record().Status.Episodes {
		got = append(got, fmt.Sprintf("%s %s %s-%s by %s: %s", one.UID, one.Level, minutes(one.StartedAt), minutes(one.EndedAt), minutes(one.EndedBy), one.Summary))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("episodes (-want +got):\n%s", diff)
	}
}

// TestManyEpisodes checks that of many episodes the worst and longest stay, by their start.
func TestManyEpisodes(t *testing.T) {
	fold := record.Resume(nil)
	for minute := range 400 {
		level := updatev1alpha1.LevelInfo
		if minute%10 == 0 {
			level = updatev1alpha1.LevelWarning
		}
		fold.Observe(update.Read(with(minute, health(fmt.Sprint("i", minute), level, minute, "flaps"))), at(minute).Time)
	}
	warnings := 0
	got := fold.Record().Status.Episodes
	for at, one := range got {
		if one.Level == updatev1alpha1.LevelWarning {
			warnings++
		}
		if at > 0 && one.StartedAt.Before(got[at-1].StartedAt) {
			t.Errorf("%s before %s", got[at-1].UID, one.UID)
		}
	}
	if len(got) != updatev1alpha1.RecordMaxEpisodes || warnings != 40 {
		t.Errorf("%d episodes, %d warnings", len(got), warnings)
	}
}

// TestGaps checks that of many gaps the nearest are one.
func TestGaps(t *testing.T) {
	fold := record.Resume(nil)
	minute := 0
	for kill := range 100 {
		fold.Observe(update.Read(updating(minute, "Pending", -9).status()), at(minute).Time)
		minute += 5 // a gap
		fold.Observe(update.Read(updating(minute, "Pending", -9).status()), at(minute).Time)
		for range 2 + kill%30 { // watched the longer the more
			minute++
			fold.Observe(update.Read(updating(minute, "Pending", -9).status()), at(minute).Time)
		}
	}
	gaps := fold.Record().Status.Gaps
	if len(gaps) != updatev1alpha1.RecordMaxGaps {
		t.Fatalf("%d gaps", len(gaps))
	}
	for at := 1; at < len(gaps); at++ {
		if !gaps[at-1].To.Before(&gaps[at].From) {
			t.Errorf("gap %d: %s to %s, the next from %s", at-1, gaps[at-1].From, gaps[at-1].To, gaps[at].From)
		}
	}
}

// TestFit checks that the record of a cluster with the longest names and messages, in which all goes wrong, fits its object.
func TestFit(t *testing.T) {
	name := func(kind string, at int) string {
		return fmt.Sprintf("%s%d", strings.Repeat(kind+".", 62), at)
	}
	status := updating(0, "Pending", -9).status()
	for at := range 300 {
		one := operator(name("ope", at), "True", "Progressing", 0)
		bad := health(fmt.Sprint("uid", at), updatev1alpha1.LevelError, at%60, strings.Repeat("<", 256))
		for cause := range 8 {
			bad.Health.CausedBy = append(bad.Health.CausedBy, updatev1alpha1.HealthCause{Informer: "control-plane-informer", UID: fmt.Sprint("uid", cause)})
		}
		status.ControlPlane.Informers[0].Insights = append(status.ControlPlane.Informers[0].Insights, one, bad)
	}
	worker := status.WorkerPools[0].Informers[0].Insights
	for number := range 5000 {
		pool := *worker[0].MachineConfigPool.DeepCopy()
		node := *worker[1].Node.DeepCopy()
		pool.Name, node.Name, node.Pool = name("poo", number%100), name("nod", number), name("poo", number%100)
		pool.NodeDurations = []updatev1alpha1.NodeDurations{{Phase: "Draining", Seconds: make([]int32, 100)}}
		for i := range pool.NodeDurations[0].Seconds {
			pool.NodeDurations[0].Seconds[i] = int32(100000 + i)
		}
		node.Conditions[0] = metav1.Condition{Type: updatev1alpha1.ConditionUpdating, Status: "True", Reason: "Draining", LastTransitionTime: at(0)}
		status.WorkerPools[0].Informers[0].Insights = append(status.WorkerPools[0].Informers[0].Insights,
			updatev1alpha1.Insight{MachineConfigPool: &pool}, updatev1alpha1.Insight{Node: &node})
	}
	fold := record.Resume(nil)
	fold.Observe(update.Read(status), start)
	fold.Observe(update.Read(status), start.Add(time.Minute))
	made := fold.Record().Status
	encoded, err := json.Marshal(made)
	if err != nil || len(encoded) > record.MaxBytes || len(encoded) < record.MaxBytes*3/4 {
		t.Errorf("%d bytes, error %v", len(encoded), err)
	}
	if min(len(made.Operators), len(made.Pools), len(made.Nodes), len(made.Episodes)) < 5 {
		t.Errorf("%d operators, %d pools, %d nodes, %d episodes", len(made.Operators), len(made.Pools), len(made.Nodes), len(made.Episodes))
	}
}

// BenchmarkObserve is what a status of 5,000 nodes costs, which are all being updated, and a record of it.
func BenchmarkObserve(b *testing.B) {
	status := updating(0, "Pending", -9).status()
	worker := status.WorkerPools[0].Informers[0].Insights
	for number := range 5000 {
		node := *worker[1].Node.DeepCopy()
		node.Name = fmt.Sprintf("worker-%d", number)
		node.Conditions[0] = metav1.Condition{Type: updatev1alpha1.ConditionUpdating, Status: "True", Reason: "Draining", LastTransitionTime: at(0)}
		status.WorkerPools[0].Informers[0].Insights = append(status.WorkerPools[0].Informers[0].Insights, updatev1alpha1.Insight{Node: &node})
	}
	fold := record.Resume(nil)
	b.Run("observe", func(b *testing.B) {
		for b.Loop() {
			fold.Observe(update.Read(status), start)
		}
	})
	b.Run("record", func(b *testing.B) {
		for b.Loop() {
			fold.Record()
		}
	})
}

// TestSurplus checks which records are kept: the newest ten, and the last one that completed.
func TestSurplus(t *testing.T) {
	of := func(name string, day int, result updatev1alpha1.UpdateResult) updatev1alpha1.UpdateRecord {
		one := updatev1alpha1.UpdateRecord{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: updatev1alpha1.UpdateRecordStatus{Result: result}}
		if day > 0 {
			one.Status.StartedAt = ref(day * 24 * 60)
		}
		return one
	}
	var records []updatev1alpha1.UpdateRecord
	for day := 1; day <= 10; day++ {
		records = append(records, of(fmt.Sprint("day ", day+10), day+10, updatev1alpha1.ResultPartial))
	}
	if got := record.Surplus(records, "day 11"); len(got) != 0 {
		t.Errorf("of ten: %v", got)
	}
	records = append(records, of("day 3", 3, updatev1alpha1.ResultCompleted), of("not written", 0, ""), of("day 5", 5, updatev1alpha1.ResultCompleted), of("day 4", 4, updatev1alpha1.ResultPartial))
	if diff := cmp.Diff([]string{"day 4", "day 3", "not written"}, record.Surplus(records, "day 11")); diff != "" {
		t.Errorf("surplus (-want +got):\n%s", diff)
	}
	if records[0].Name != "day 11" {
		t.Error("the argument is sorted")
	}
	records[9].Status.Result = updatev1alpha1.ResultCompleted
	if diff := cmp.Diff([]string{"day 5", "day 4", "day 3", "not written"}, record.Surplus(records, "day 11")); diff != "" {
		t.Errorf("surplus (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"day 5", "day 3", "not written"}, record.Surplus(records, "day 4")); diff != "" {
		t.Errorf("surplus during the update of day 4 (-want +got):\n%s", diff)
	}
}

// TestNodeThatIsGone checks that a node that was deleted while it was being updated is not in the record, and one that was done is.
func TestNodeThatIsGone(t *testing.T) {
	other := func(reason string, since int) updatev1alpha1.Insight {
		return updatev1alpha1.Insight{Node: &updatev1alpha1.NodeInsight{
			Name: "gone", Pool: "worker",
			Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: map[bool]metav1.ConditionStatus{true: "True", false: "False"}[reason == "Draining"], Reason: reason, LastTransitionTime: at(since)}},
		}}
	}
	for name, test := range map[string]struct {
		reason string
		want   int
	}{"while it drained": {"Draining", 1}, "when it was done": {"Completed", 2}} {
		fold := record.Resume(nil)
		fold.Observe(update.Read(withWorker(0, other("Draining", 0))), at(0).Time)
		fold.Observe(update.Read(withWorker(1, other(test.reason, 1))), at(1).Time)
		fold.Observe(update.Read(withWorker(2)), at(2).Time)
		if nodes := fold.Record().Status.Nodes; len(nodes) != test.want {
			t.Errorf("%s: the record has %d nodes, want %d: %v", name, len(nodes), test.want, nodes)
		}
	}
}

// withWorker returns a status of an update in which the worker drains, with more insights.
func withWorker(minute int, insights ...updatev1alpha1.Insight) *updatev1alpha1.UpdateStatusStatus {
	status := updating(minute, "Draining", 0).status()
	informer := &status.WorkerPools[0].Informers[0]
	informer.Insights = append(informer.Insights, insights...)
	return status
}
