package simulator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// reports returns which conditions each write of a MachineConfigNode writes.
func reports(writes []simulator.Write, name string) []string {
	var lines []string
	for _, write := range writes {
		object, is := write.After.(*machineconfigv1.MachineConfigNode)
		if !is || write.Name != name || write.Before == nil {
			continue
		}
		before := write.Before.(*machineconfigv1.MachineConfigNode)
		if !write.Status {
			lines = append(lines, "spec")
			continue
		}
		var written []string
		for at, condition := range object.Status.Conditions {
			if condition != before.Status.Conditions[at] {
				written = append(written, condition.Type+"="+string(condition.Status))
			}
		}
		lines = append(lines, strings.Join(written, " "))
	}
	return lines
}

func TestMachineConfigNode(t *testing.T) {
	script := simulator.Update{Seed: 2, Start: start, Pools: pools(simulator.Pool{Nodes: 1})}
	want := []string{
		"spec",
		"Updated=False",
		"UpdatePrepared=True",
		"UpdateExecuted=Unknown Cordoned=True",
		"UpdateExecuted=Unknown Drained=Unknown",
		"UpdateExecuted=Unknown Drained=True",
		"UpdateExecuted=Unknown AppliedFilesAndOS=Unknown",
		"UpdateExecuted=True AppliedFilesAndOS=True",
		"UpdatePostActionComplete=Unknown RebootedNode=Unknown",
		"UpdatePostActionComplete=True RebootedNode=True",
		"UpdateComplete=True Uncordoned=True",
		"Resumed=True",
		"UpdatePrepared=False UpdateExecuted=False UpdatePostActionComplete=False UpdateComplete=False Resumed=False Drained=False " +
			"AppliedFilesAndOS=False Cordoned=False RebootedNode=False Updated=True Uncordoned=False",
	}
	writes := play(simulator.NewSimulation(script))
	if diff := cmp.Diff(want, reports(writes, worker0)); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
	for _, write := range writes {
		object, is := write.After.(*machineconfigv1.MachineConfigNode)
		if is && write.Status && !slices.ContainsFunc(object.Status.Conditions, func(condition metav1.Condition) bool {
			return condition.LastTransitionTime.Time.Equal(write.Time)
		}) {
			t.Errorf("%s: no condition has the time of the write", write.Time)
		}
	}

	script.Pools = pools(simulator.Pool{Nodes: 1, Disruption: simulator.NoDisruption})
	got := reports(play(simulator.NewSimulation(script)), worker0)
	if want := "UpdateExecuted=Unknown"; len(got) < 4 || got[3] != "UpdateExecuted=Unknown Drained=False" {
		t.Errorf("without a drain it is %q, not %s Drained=False", got, want)
	}
}

// TestBlockedDrainIsRetried holds what is said of a drain that is blocked: at each attempt that it goes on, then that it failed. After
// an hour the daemon gives up, and the controller does not.
func TestBlockedDrainIsRetried(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{
		Seed: 2, Start: start, Pools: pools(simulator.Pool{Nodes: 1}), Blocked: map[string]bool{worker0: true}, AtLeast: 3 * time.Hour,
	})
	var began time.Time
	var got []string
	writes := play(simulation)
	for _, write := range writes {
		object, is := write.After.(*machineconfigv1.MachineConfigNode)
		if !is || write.Name != worker0 {
			continue
		}
		for _, condition := range object.Status.Conditions {
			if condition.Type != "Drained" || condition.Status != metav1.ConditionUnknown {
				continue
			}
			if began.IsZero() {
				began = write.Time
			}
			if condition.LastTransitionTime.Time.Equal(write.Time) && len(got) < 12 {
				got = append(got, fmt.Sprintf("%s %.8s", write.Time.Sub(began), condition.Message))
			}
		}
	}
	want := []string{
		"0s Draining", "1m30s Error: N", "2m30s Draining", "4m0s Error: N", "5m0s Draining", "6m30s Error: N",
		"7m30s Draining", "9m0s Error: N", "10m0s Draining", "11m30s Error: N", "16m30s Draining", "18m0s Error: N",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("attempts (-want +got):\n%s", diff)
	}
	gaveUp := "Degraded(failed to drain node: " + worker0 + " after 1 hour. Please see machine-config-controller logs for more information) " +
		"assigned drain/uncordon cordoned +unschedulable"
	story := storyOf(writes, worker0)
	if last := story[len(story)-1]; last != gaveUp {
		t.Errorf("then it is %s", last)
	}
	simulation.Unblock(worker0)
	story = storyOf(play(simulation), worker0)
	if last := story[len(story)-1]; last != "Done uncordon/uncordon" {
		t.Errorf("unblocked it is %s", last)
	}
}

func TestMachineConfigNodesExist(t *testing.T) {
	for _, test := range []struct {
		script        simulator.Update
		before, after int
	}{
		{simulator.Update{From: "4.18.1", To: "4.18.2"}, 0, 0},
		{simulator.Update{From: "4.18.1", To: "4.19.0"}, 0, 9},
		{simulator.Update{From: "4.19.1", To: "4.19.2"}, 9, 9},
		{simulator.Update{From: "4.19.1", To: "4.19.2", NoMachineConfigNodes: true}, 0, 0},
	} {
		test.script.Start = start
		simulation := simulator.NewSimulation(test.script)
		count := func() int {
			names := map[string]bool{}
			for _, object := range simulation.Objects() {
				if one, is := object.(*machineconfigv1.MachineConfigNode); is {
					names[one.Name] = true
				}
			}
			return len(names)
		}
		before := count()
		play(simulation)
		if after := count(); before != test.before || after != test.after {
			t.Errorf("%s to %s: %d, then %d MachineConfigNodes", test.script.From, test.script.To, before, after)
		}
	}
}
