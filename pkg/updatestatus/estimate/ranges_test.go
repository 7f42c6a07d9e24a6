package estimate

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// TestBelief checks how evidence is weighed: by how certain it is, and what it contradicts counts less.
func TestBelief(t *testing.T) {
	hour := math.Log(3600)
	known := distribution{hour, 0.04, updatev1alpha1.BasisHistory}
	for _, test := range []struct {
		name            string
		evidence        distribution
		minutes, factor float64
		basis           updatev1alpha1.EstimateBasis
	}{
		{"as certain", distribution{hour + 0.2, 0.04, updatev1alpha1.BasisObserved}, 66.3, 1.152, updatev1alpha1.BasisHistory},
		{"more certain", distribution{hour + 0.2, 0.01, updatev1alpha1.BasisObserved}, 70.4, 1.094, updatev1alpha1.BasisObserved},
		{"less certain", distribution{hour + 0.2, 0.36, updatev1alpha1.BasisObserved}, 61.2, 1.209, updatev1alpha1.BasisHistory},
		{"a surprise", distribution{hour + 1, 0.01, updatev1alpha1.BasisObserved}, 161.5, 1.104, updatev1alpha1.BasisObserved},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := known.with(test.evidence)
			if minutes, factor := got.seconds()/60, math.Exp(math.Sqrt(got.variance)); math.Abs(minutes-test.minutes) > 0.1 || math.Abs(factor-test.factor) > 0.002 || got.basis != test.basis {
				t.Errorf("%.1f minutes by %.3f, %s", minutes, factor, got.basis)
			}
		})
	}
}

// TestRest checks what is left of an hour that is certain by a factor of 1.22.
func TestRest(t *testing.T) {
	known := distribution{math.Log(3600), 0.04, updatev1alpha1.BasisHistory}
	for elapsed, want := range map[float64]string{
		0: "45 60 79", 30: "15 30 49", 50: "2 13 31", 60: "1 9 25", 90: "1 5 22", 600: "0 0 150",
	} {
		s := known.rest(elapsed * 60)
		if got := fmt.Sprintf("%.0f %.0f %.0f", s.low/60, s.middle/60, s.high/60); got != want {
			t.Errorf("after %.0f minutes: %s, want %s", elapsed, got, want)
		}
	}
}

// recorded is a record of an update whose control plane took some minutes, and the nodes of a pool, which started after 30 minutes.
func recorded(previous, target string, controlPlane int, pool string, nodes ...int32) updatev1alpha1.UpdateRecordStatus {
	start := metav1.NewTime(time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC))
	started := metav1.NewTime(start.Add(30 * time.Minute))
	one := updatev1alpha1.PoolRecord{
		Name: pool, ScopeType: updatev1alpha1.ScopeWorkerPool, RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &started},
		NodeDurations: []updatev1alpha1.NodeDurations{
			{Phase: updatev1alpha1.PhaseDraining, Count: int32(len(nodes))}, {Phase: updatev1alpha1.PhaseRebooting, Count: int32(len(nodes))},
		},
	}
	for _, minutes := range nodes {
		one.NodeDurations[0].Seconds = append(one.NodeDurations[0].Seconds, minutes*60)
		one.NodeDurations[1].Seconds = append(one.NodeDurations[1].Seconds, minutes*20)
	}
	return updatev1alpha1.UpdateRecordStatus{
		Versions:    updatev1alpha1.SummaryVersions{Previous: previous, Target: target},
		RecordTimes: updatev1alpha1.RecordTimes{StartedAt: &start}, Pools: []updatev1alpha1.PoolRecord{one},
		Took: updatev1alpha1.RecordTook{ControlPlane: &metav1.Duration{Duration: time.Duration(controlPlane) * time.Minute}},
	}
}

// rebooted returns a record in which only some of the nodes rebooted.
func rebooted(one updatev1alpha1.UpdateRecordStatus, nodes int) updatev1alpha1.UpdateRecordStatus {
	reboots := &one.Pools[0].NodeDurations[1]
	reboots.Count, reboots.Seconds = int32(nodes), reboots.Seconds[:nodes]
	return one
}

// TestHistory checks what records tell: the same kind of update and the same pool more than others, and what has changed.
func TestHistory(t *testing.T) {
	patch := updatev1alpha1.SummaryVersions{Previous: "4.20.3", Target: "4.20.4"}
	slow := recorded("4.20.2", "4.20.3", 60, "worker", 30, 30, 30)
	quick := recorded("4.20.2", "4.20.3", 60, "worker", 10, 10, 10)
	for _, test := range []struct {
		name    string
		history History
		// of the control plane, of a node of pool worker, and when that starts
		want string
	}{
		{"no record", nil, "75m Default, 15m Default, 60 %"},
		{"one", History{quick}, "60m History, 10m History, 50 %"},
		{"one of a minor version", History{recorded("4.19.9", "4.20.1", 120, "worker", 10, 10, 10)}, "108m History, 10m History, 25 %"},
		{"one of each kind", History{recorded("4.19.9", "4.20.1", 120, "worker", 10, 10, 10), quick}, "60m History, 10m History, 25 %"},
		{"another pool", History{recorded("4.20.2", "4.20.3", 60, "infra", 30, 30, 30)}, "60m History, 22m History, 60 %"},
		{"another pool, then its own", History{quick, recorded("4.20.1", "4.20.2", 60, "infra", 30, 30, 30)}, "60m History, 10m History, 50 %"},
		{"other hardware since", History{slow, quick}, "60m History, 29m History, 50 %"},
		{"nothing known in it", History{{Versions: patch}}, "75m Default, 15m Default, 60 %"},
		{"no node rebooted", History{rebooted(recorded("4.20.2", "4.20.3", 60, "worker", 1, 1, 1), 0)}, "60m History, 15m Default, 50 %"},
		{"most nodes did not reboot", History{rebooted(recorded("4.20.2", "4.20.3", 60, "worker", 1, 10, 1), 1)}, "60m History, 15m Default, 50 %"},
		{"the reboot of a node was not observed", History{rebooted(recorded("4.20.2", "4.20.3", 60, "worker", 10, 10, 10), 2)}, "60m History, 10m History, 50 %"},
		{"no node rebooted, after others", History{rebooted(recorded("4.20.3", "4.20.4", 40, "worker", 1, 1, 1), 0), quick}, "41m History, 10m History, 75 %"},
		{"no node of the control plane rebooted", History{rebooted(recorded("4.20.2", "4.20.3", 40, "master", 1, 1, 1), 0)}, "75m Default, 15m Default, 60 %"},
		{"the nodes of the control plane rebooted", History{recorded("4.20.2", "4.20.3", 40, "master", 9, 9, 9)}, "41m History, 11m History, 60 %"},
		{"no node of the control plane is known", History{recorded("4.20.2", "4.20.3", 40, "master")}, "41m History, 15m Default, 60 %"},
		{"a negative duration", History{recorded("4.20.1", "4.20.2", -5, "infra")}, "75m Default, 15m Default, 60 %"},
	} {
		t.Run(test.name, func(t *testing.T) {
			controlPlane := test.history.controlPlane(patch)
			nodes, sample := test.history.nodes("worker")
			share, _ := test.history.start("worker")
			got := fmt.Sprintf("%.0fm %s, %.0fm %s, %.0f %%", controlPlane.seconds()/60, controlPlane.basis, nodes.seconds()/60, nodes.basis, 100*share)
			if got != test.want || len(sample[wholeUpdate].Seconds) == 0 {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestRanges checks the ranges at some moments of an update with a record, in minutes from its start.
func TestRanges(t *testing.T) {
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	at := func(minute int) *metav1.Time {
		moment := metav1.NewTime(start.Add(time.Duration(minute) * time.Minute))
		return &moment
	}
	condition := func(status metav1.ConditionStatus, reason string, since int) []metav1.Condition {
		return []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status, Reason: reason, LastTransitionTime: *at(since)}}
	}
	operator := func(name string, isUpdated, isWaiting bool) *updatev1alpha1.ClusterOperatorInsight {
		one := &updatev1alpha1.ClusterOperatorInsight{Name: name, Conditions: condition(metav1.ConditionTrue, updatev1alpha1.ReasonProgressing, 5)}
		if isUpdated {
			one.Conditions = condition(metav1.ConditionFalse, updatev1alpha1.ReasonUpdated, 9)
		}
		if isWaiting {
			one.Conditions = condition(metav1.ConditionFalse, updatev1alpha1.ReasonPending, 0)
		}
		return one
	}
	pool := func(name string, phases ...insight.NodePhase) PoolNodes {
		made := PoolNodes{Insight: &updatev1alpha1.MachineConfigPoolInsight{Name: name, MaxUnavailable: 1}}
		for number, phase := range phases {
			status := metav1.ConditionFalse
			if phase == insight.PhaseDraining {
				status = metav1.ConditionTrue
			}
			made.Nodes = append(made.Nodes, &updatev1alpha1.NodeInsight{
				Name: fmt.Sprint(name, number), Pool: name, Version: "4.20.3",
				Conditions: condition(status, string(phase), 40), Phases: []updatev1alpha1.NodePhase{{Phase: updatev1alpha1.PhaseDraining, StartedAt: *at(40)}},
			})
		}
		return made
	}
	const pending, draining, completed = insight.PhasePending, insight.PhaseDraining, insight.PhaseCompleted
	both, last, none := []string{"etcd", "machine-config"}, []string{"machine-config"}, []string{}
	for _, test := range []struct {
		name   string
		minute int
		left   []string
		done   *metav1.Time
		pools  []PoolNodes
		want   string
	}{
		{"at the start", 0, both, nil, []PoolNodes{pool("master", pending), pool("worker", pending, pending, pending)}, "control plane 50-73 History, worker 51-73 History"},
		{"later than expected", 80, both, nil, []PoolNodes{pool("master", pending), pool("worker", pending, pending, pending)}, "control plane 80-100 History, worker 103-133 History"},
		{"a worker on its way to the version before", 0, both, nil, []PoolNodes{pool("master", pending), pool("worker", draining, pending, pending)}, "control plane 50-73 History, worker 51-73 History"},
		{"such a worker is half done", 45, both, nil, []PoolNodes{pool("master", pending), pool("worker", draining, pending, pending)}, "control plane 50-74 History, worker 68-91 History"},
		{"all of them wait", 45, both, nil, []PoolNodes{pool("master", pending), pool("worker", pending, pending, pending)}, "control plane 50-74 History, worker 68-91 History"},
		{"the nodes of the control plane", 45, last, nil, []PoolNodes{pool("master", draining, pending), pool("worker", pending)}, "control plane 56-80 History, worker 53-66 History"},
		{"the last operator has waited for its nodes", 45, none, nil, []PoolNodes{pool("master", completed)}, "control plane 45-46 Observed, worker none"},
		{"the control plane is stuck", 45, last, nil, []PoolNodes{pool("master", insight.PhasePaused, draining), pool("worker", pending)}, "control plane none, worker 53-66 History"},
		{"workers alone", 62, none, at(60), []PoolNodes{pool("master", completed), pool("worker", completed, completed, pending)}, "control plane none, worker 69-76 History"},
		{"no operators are known", 62, nil, at(60), []PoolNodes{pool("worker", pending, pending)}, "control plane none, worker 78-95 History"},
		{"a paused pool", 62, none, at(60), []PoolNodes{pool("master", completed), pool("worker", completed, insight.PhasePaused)}, "control plane none, worker none"},
	} {
		t.Run(test.name, func(t *testing.T) {
			update := Update{
				Now: at(test.minute).Time, Pools: test.pools, Versions: updatev1alpha1.SummaryVersions{Previous: "4.20.3", Target: "4.20.4"},
				History: History{recorded("4.20.2", "4.20.3", 60, "worker", 10, 10, 10)},
				Version: &updatev1alpha1.ClusterVersionInsight{StartedAt: at(0), CompletedAt: test.done},
			}
			for _, name := range both {
				if test.left != nil {
					update.Operators = append(update.Operators, operator(name, !slices.Contains(test.left, name), name == machineConfigOperator && slices.Contains(test.left, "etcd")))
				}
			}
			text := func(one *updatev1alpha1.SummaryEstimate) string {
				if one == nil {
					return "none"
				}
				return fmt.Sprintf("%.0f-%.0f %s", one.Earliest.Sub(start).Minutes(), one.Latest.Sub(start).Minutes(), one.Basis)
			}
			controlPlane, pools := update.Ranges()
			if got := "control plane " + text(controlPlane) + ", worker " + text(pools["worker"]); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestRangeOfMixedPool checks the range of a pool of which every other node reboots, which takes ten minutes and not one: what is left is
// the mean of both, and not known to a factor of thousands.
func TestRangeOfMixedPool(t *testing.T) {
	update := Update{Now: dawn, Version: &updatev1alpha1.ClusterVersionInsight{StartedAt: &metav1.Time{Time: dawn.Add(-time.Hour)}}}
	pool := NewPool(1, nil)
	for at := range 20 {
		pool.Add(node(insight.PhaseCompleted, 0))
		pool.durations.add([]phaseDurations{{10 * 60, 9 * 60, 8 * 60}, {10, 10, 0}}[at%2])
	}
	for _, one := range waiting(20) {
		pool.Add(one)
	}
	left, _ := update.nodes("worker", pool)
	if want := 20 * 5.1 * 60.; left.low > want || left.high < want || left.high > 3*want {
		t.Errorf("%.0f to %.0f minutes are left", left.low/60, left.high/60)
	}
}

// TestPace checks when the pace of the operators counts, which expects 150 minutes: with caution, 120 more after half an hour.
func TestPace(t *testing.T) {
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name       string
		minute     int
		completion int32
		expected   time.Duration
		want       string
	}{
		{"after half an hour", 30, 20, 150 * time.Minute, "117m Observed"},
		{"no operator is updated", 30, 0, 150 * time.Minute, "75m Default"},
		{"the first minutes", 4, 20, 150 * time.Minute, "75m Default"},
		{"not known", 30, 20, 0, "75m Default"},
		{"it has passed", 150, 99, 120 * time.Minute, "105m Observed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			started := metav1.NewTime(start)
			update := Update{Now: start.Add(time.Duration(test.minute) * time.Minute), Version: &updatev1alpha1.ClusterVersionInsight{StartedAt: &started, Completion: test.completion}}
			if test.expected > 0 {
				at := metav1.NewTime(start.Add(test.expected))
				update.Version.EstimatedCompletedAt = &at
			}
			known := update.controlPlane()
			if got := fmt.Sprintf("%.0fm %s", known.seconds()/60, known.basis); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
