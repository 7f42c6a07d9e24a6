package simulator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

func conditionOf(conditions []configv1.ClusterOperatorStatusCondition, kind configv1.ClusterStatusConditionType) configv1.ClusterOperatorStatusCondition {
	at := slices.IndexFunc(conditions, func(condition configv1.ClusterOperatorStatusCondition) bool { return condition.Type == kind })
	if at < 0 {
		return configv1.ClusterOperatorStatusCondition{}
	}
	return conditions[at]
}

// told returns what a condition of an object said in its course, without repetitions.
func told(writes []simulator.Write, object string, kind configv1.ClusterStatusConditionType) []string {
	var lines []string
	for _, write := range writes {
		var conditions []configv1.ClusterOperatorStatusCondition
		switch after := write.After.(type) {
		case *configv1.ClusterVersion:
			conditions = after.Status.Conditions
		case *configv1.ClusterOperator:
			conditions = after.Status.Conditions
		}
		if write.Name != object || !write.Status {
			continue
		}
		condition := conditionOf(conditions, kind)
		lines = append(lines, strings.TrimSpace(strings.Join(strings.Fields(fmt.Sprint(condition.Status, " ", condition.Reason, " ", condition.Message)), " ")))
	}
	return slices.Compact(lines)
}

func TestCountRestarts(t *testing.T) {
	got := told(play(simulator.NewSimulation(simulator.Update{Seed: 1, Start: start})), "version", configv1.OperatorProgressing)
	want := []string{
		"True Working towards 4.20.2: 66 of 903 done (7% complete)",
		"True Working towards 4.20.2",
		"True ClusterOperatorUpdating Working towards 4.20.2: 20 of 903 done (2% complete), waiting on config-operator",
	}
	if diff := cmp.Diff(want, got[:3]); diff != "" {
		t.Errorf("it starts with (-want +got):\n%s", diff)
	}
	want = []string{
		"True ClusterOperatorUpdating Working towards 4.20.2: 871 of 903 done (96% complete), waiting on machine-config",
		"True Working towards 4.20.2: 898 of 903 done (99% complete)",
		"False Cluster version is 4.20.2",
	}
	if diff := cmp.Diff(want, got[len(got)-3:]); diff != "" {
		t.Errorf("it ends with (-want +got):\n%s", diff)
	}
}

// TestFailure: between the attempts that fail at a manifest no failure is reported for a moment. Once it is admitted the update completes.
func TestFailure(t *testing.T) {
	script := simulator.Update{Seed: 1, Start: start, AtLeast: time.Hour}
	simulator.Faults["refused-manifest"](&script)
	simulation := simulator.NewSimulation(script)
	writes := play(simulation)
	failing := told(writes, "version", "Failing")
	const refused = `True UpdatePayloadResourceForbidden Could not update deployment "openshift-monitoring/cluster-monitoring-operator" (517 of 903): ` +
		`the server has forbidden updates to this resource`
	if diff := cmp.Diff([]string{"False", refused, "False", refused}, failing[:4]); diff != "" {
		t.Errorf("Failing (-want +got):\n%s", diff)
	}
	progressing := told(writes, "version", configv1.OperatorProgressing)
	want := []string{
		"True UpdatePayloadResourceForbidden Unable to apply 4.20.2: the server is rejecting updates",
		"True Working towards 4.20.2: 791 of 903 done (87% complete)",
	}
	slices.Sort(want)
	last := slices.Sorted(slices.Values(progressing[len(progressing)-2:]))
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("Progressing (-want +got):\n%s", diff)
	}
	simulation.Admit()
	progressing = told(play(simulation), "version", configv1.OperatorProgressing)
	if got := progressing[len(progressing)-1]; got != "False Cluster version is 4.20.2" {
		t.Errorf("it ends with %s", got)
	}
}

// TestAcceptance holds that nothing is written until a release is accepted or refused.
func TestAcceptance(t *testing.T) {
	refused := simulator.Refusal{Reason: "PreconditionChecks", Message: builders.CVOSyncWorker.Says(`Preconditions failed for payload loaded version="4.20.2"`), Tries: 2}
	for _, test := range []struct {
		name    string
		refused simulator.Refusal
		want    []string
	}{
		{"accepted", simulator.Refusal{}, []string{"5m0s True PayloadLoaded Partial observed 2"}},
		{"refused twice", refused, []string{"5m0s False PreconditionChecks Completed observed 2", "15m0s True PayloadLoaded Partial observed 2"}},
		{"refused", simulator.Refusal{Reason: "RetrievePayload"}, []string{"5m0s False RetrievePayload Completed observed 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			simulation := simulator.NewSimulation(simulator.Update{Seed: 1, Start: start, Acceptance: 5 * time.Minute, Refused: test.refused})
			var got []string
			for _, write := range play(simulation)[1:] {
				if version, is := write.After.(*configv1.ClusterVersion); is && write.Time.Sub(start) <= 15*time.Minute {
					accepted := conditionOf(version.Status.Conditions, "ReleaseAccepted")
					got = append(got, fmt.Sprintf("%s %s %s %s observed %d", write.Time.Sub(start), accepted.Status, accepted.Reason,
						version.Status.History[0].State, version.Status.ObservedGeneration))
				}
			}
			if len(got) > len(test.want) {
				got = got[:len(test.want)]
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("it writes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCompletesAfterAllVersions holds that the ClusterVersion is completed some seconds after the last operator reports its version, and
// an operator with several only after the last of them.
func TestCompletesAfterAllVersions(t *testing.T) {
	for seed := range uint64(10) {
		var own, all, completed time.Time
		for _, write := range play(simulator.NewSimulation(simulator.Update{Seed: seed, Start: start})) {
			switch object := write.After.(type) {
			case *configv1.ClusterOperator:
				if object.Name != "etcd" && object.Name != "machine-config" {
					continue
				}
				before := write.Before.(*configv1.ClusterOperator).Status.Versions
				if object.Status.Versions[0] != before[0] {
					own = write.Time
				}
				if !slices.Equal(object.Status.Versions, before) {
					all = write.Time
				}
			case *configv1.ClusterVersion:
				progressing := conditionOf(object.Status.Conditions, configv1.OperatorProgressing).Message
				if strings.HasSuffix(progressing, "(8% complete)") && (!own.Before(all) || !all.Before(write.Time)) {
					t.Errorf("seed %d: etcd is seen at %s, its own version at %s, all at %s", seed, write.Time, own, all)
				}
				if completed.IsZero() && object.Status.History[0].Version == "4.20.2" && object.Status.History[0].State == configv1.CompletedUpdate {
					completed = write.Time
				}
			}
		}
		if after := completed.Sub(all); after < 5*time.Second || after > time.Minute {
			t.Errorf("seed %d: completed %s after the last version", seed, after)
		}
	}
}

func TestFailing(t *testing.T) {
	for _, test := range []struct {
		name   string
		script simulator.Update
		want   []string
	}{{
		name: "slow", script: simulator.Update{SlowOperators: map[string]time.Duration{"etcd": time.Hour}},
		want: []string{"False", "Unknown SlowClusterOperator waiting on etcd over 30 minutes which is longer than expected", "False"},
	}, {
		name: "slow before 4.19", script: simulator.Update{From: "4.18.1", To: "4.18.2", SlowOperators: map[string]time.Duration{"etcd": time.Hour}},
		want: []string{"False"},
	}, {
		name: "degraded", script: simulator.Update{FailingOperators: map[string]string{"etcd": "no quorum"}, AtLeast: 2 * time.Hour},
		want: []string{"False", "True ClusterOperatorDegraded Cluster operator etcd is degraded"},
	}, {
		name:   "unavailable",
		script: simulator.Update{UnavailableOperators: map[string]string{"etcd": "no quorum"}, AtLeast: 2 * time.Hour},
		want:   []string{"False", "True ClusterOperatorNotAvailable Cluster operator etcd is not available"},
	}, {
		name: "several",
		script: simulator.Update{
			FailingOperators: map[string]string{"dns": "no pods", "network": "no pods"}, AtLeast: 3 * time.Hour,
		},
		// First there are errors of two kinds, then only operators that may be degraded for 40 minutes.
		want: []string{
			"False", "True ClusterOperatorDegraded Cluster operator dns is degraded",
			"False", "True ClusterOperatorsDegraded Cluster operators dns, network are degraded",
		},
	}, {
		name: "of two kinds",
		script: simulator.Update{
			FailingOperators: map[string]string{"ingress": "no router", "console": "no route"},
			SlowOperators:    map[string]time.Duration{"monitoring": 4 * time.Hour}, AtLeast: 3 * time.Hour,
		},
		want: []string{
			"False", "True ClusterOperatorDegraded Cluster operator console is degraded",
			"True MultipleErrors Multiple errors are preventing progress: * Cluster operator console is degraded * Cluster operator ingress is degraded",
			"True ClusterOperatorsDegraded Cluster operators console, ingress are degraded",
		},
	}} {
		t.Run(test.name, func(t *testing.T) {
			test.script.Seed, test.script.Start = 1, start
			if diff := cmp.Diff(test.want, told(play(simulator.NewSimulation(test.script)), "version", "Failing")); diff != "" {
				t.Errorf("Failing (-want +got):\n%s", diff)
			}
		})
	}
}

// TestMachineConfigDegrades holds that machine-config waits for every degraded pool, and is degraded after ten minutes for each machine
// of the required ones; at once if one of these is paused.
func TestMachineConfigDegrades(t *testing.T) {
	degraded := `True RequiredPoolsFailed Unable to apply 4.20.2: error during syncRequiredMachineConfigPools: [context deadline exceeded, ` +
		`error MachineConfigPool worker is not ready, retrying. Status: (pool degraded: true total: 1, ready 0, updated: 0, unavailable: 1)]`
	script := simulator.Update{
		Seed: 1, Start: start, Pools: pools(simulator.Pool{Nodes: 1}), Degraded: map[string]string{worker0: "disk full"}, AtLeast: 3 * time.Hour,
	}
	simulation := simulator.NewSimulation(script)
	writes := play(simulation)
	if diff := cmp.Diff([]string{"False", degraded}, told(writes, "machine-config", configv1.OperatorDegraded)); diff != "" {
		t.Errorf("Degraded (-want +got):\n%s", diff)
	}
	if isCompleted(simulation) {
		t.Error("completed with a degraded pool")
	}
	simulation.Repair(worker0)
	if diff := cmp.Diff([]string{degraded, "False"}, told(play(simulation), "machine-config", configv1.OperatorDegraded)); diff != "" || !isCompleted(simulation) {
		t.Errorf("after the repair (-want +got), completed %t:\n%s", isCompleted(simulation), diff)
	}

	paused := simulator.Update{Seed: 1, Start: start, Pools: pools(simulator.Pool{Nodes: 1})}
	paused.Pools[0].Paused = true
	got := told(play(simulator.NewSimulation(paused)), "machine-config", configv1.OperatorDegraded)
	want := "True RequiredPoolsFailed Unable to apply 4.20.2: error required MachineConfigPool master is paused and cannot sync until it is unpaused"
	if got[len(got)-1] != want {
		t.Errorf("with a paused pool it is %s", got)
	}
}

// TestDegradedAfterwards holds what is said when a pool degrades once the update is completed.
func TestDegradedAfterwards(t *testing.T) {
	script := simulator.Update{
		Seed: 2, Start: start, Pools: pools(simulator.Pool{Nodes: 1}), Blocked: map[string]bool{worker0: true}, AtLeast: 4 * time.Hour,
	}
	writes := play(simulator.NewSimulation(script))
	failing := told(writes, "version", "Failing")
	progressing := told(writes, "version", configv1.OperatorProgressing)
	if got := failing[len(failing)-1]; got != "True ClusterOperatorDegraded Cluster operator machine-config is degraded" {
		t.Errorf("Failing is %s", got)
	}
	if got := progressing[len(progressing)-1]; got != "False ClusterOperatorDegraded Error while reconciling 4.20.2: the cluster operator machine-config is degraded" {
		t.Errorf("Progressing is %s", got)
	}
}

// TestRequest holds a second update while a worker lags: it finishes with what it was assigned.
func TestRequest(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{
		Seed: 4, Start: start, From: "4.22.1", To: "4.22.2", Blocked: map[string]bool{worker0: true}, Pools: pools(simulator.Pool{Nodes: 3, MaxUnavailable: 2}),
	})
	for !isCompleted(simulation) {
		simulation.Next()
	}
	play(simulation)
	simulation.Request("4.22.3")
	order := ofPool("worker", assignments(play(simulation)))
	if slices.Contains(order, "worker-0") || len(order) != 2 {
		t.Errorf("while worker-0 is drained, %v are assigned", order)
	}
	simulation.Unblock(worker0)
	if order := assignments(play(simulation)); !slices.Equal(order, []string{"worker-0"}) {
		t.Errorf("then %v are assigned", order)
	}
	if got := countsOf(simulation)["worker"]; got != (counts{3, 3, 0}) {
		t.Errorf("at the end the pool is at %v", got)
	}
}

// TestRequestDuringUpdate holds that an update that is abandoned stays Partial.
func TestRequestDuringUpdate(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{Seed: 4, Start: start})
	for write, more := simulation.Next(); more && write.Time.Sub(start) < 20*time.Minute; write, more = simulation.Next() {
	}
	simulation.Request("4.20.3")
	play(simulation)
	for _, object := range simulation.Objects() {
		version, is := object.(*configv1.ClusterVersion)
		if !is {
			continue
		}
		var got []string
		for _, item := range version.Status.History {
			got = append(got, fmt.Sprint(item.Version, " ", item.State, " ", item.CompletionTime != nil))
		}
		want := []string{"4.20.3 Completed true", "4.20.2 Partial true", "4.20.1 Completed true", "4.19.12 Completed true"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("history (-want +got):\n%s", diff)
		}
	}
	if got := countsOf(simulation)["worker"]; got != (counts{4, 4, 0}) {
		t.Errorf("the pool is at %v", got)
	}
}
