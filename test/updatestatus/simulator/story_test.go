package simulator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// line returns what of a node the Machine Config Operator and Kubernetes write, on one line.
func line(node *corev1.Node) string {
	annotations := node.Annotations
	verb := func(key string) string { return strings.SplitN(annotations[key], "-", 2)[0] }
	words := []string{annotations[builders.AnnotationState]}
	if reason := annotations[builders.AnnotationReason]; reason != "" {
		words[0] += "(" + reason + ")"
	}
	if annotations[builders.AnnotationCurrentConfig] != annotations[builders.AnnotationDesiredConfig] {
		words = append(words, "assigned")
	}
	words = append(words, verb(builders.AnnotationDesiredDrain)+"/"+verb(builders.AnnotationLastAppliedDrain))
	if node.Spec.Unschedulable {
		words = append(words, "cordoned")
	}
	if action := annotations[builders.AnnotationPostConfigAction]; action != "" {
		words = append(words, action)
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady && condition.Status != corev1.ConditionTrue {
			words = append(words, "ready="+string(condition.Status))
		}
	}
	for _, taint := range node.Spec.Taints {
		words = append(words, "+"+strings.TrimPrefix(taint.Key, "node.kubernetes.io/"))
	}
	return strings.Join(words, " ")
}

// storyOf returns the lines of a node, without repetitions.
func storyOf(writes []simulator.Write, name string) []string {
	var lines []string
	for _, write := range writes {
		if node, is := write.After.(*corev1.Node); is && write.Name == name {
			lines = append(lines, line(node))
		}
	}
	return slices.Compact(lines)
}

func pools(worker simulator.Pool) []simulator.Pool {
	worker.Name = "worker"
	return []simulator.Pool{{Name: "master", Nodes: 3}, worker}
}

var (
	worker0 = simulator.NodeName("worker", 0)

	// What every update of a node starts with, and what it ends with.
	assigned = []string{
		"Done uncordon/uncordon +UpdateInProgress",
		"Done assigned uncordon/uncordon +UpdateInProgress",
		"Working assigned uncordon/uncordon +UpdateInProgress",
		"Working assigned uncordon/uncordon",
	}
	drainedNode = []string{
		"Working assigned drain/uncordon",
		"Working assigned drain/uncordon cordoned +unschedulable",
		"Working assigned drain/drain cordoned +unschedulable",
	}
	rebootedNode = []string{
		"STATE assigned drain/drain cordoned Rebooting +unschedulable",
		"STATE assigned drain/drain cordoned Rebooting ready=Unknown +unschedulable",
		"STATE assigned drain/drain cordoned Rebooting ready=Unknown +unschedulable +unreachable +unreachable",
		"STATE assigned drain/drain cordoned Rebooting ready=False +unschedulable +unreachable +unreachable",
		"STATE assigned drain/drain cordoned Rebooting ready=False +unschedulable +not-ready +not-ready",
		"STATE assigned drain/drain cordoned Rebooting +unschedulable +not-ready +not-ready",
		"STATE assigned drain/drain cordoned Rebooting +unschedulable",
		"STATE assigned drain/drain cordoned +unschedulable",
		"STATE assigned uncordon/drain cordoned +unschedulable",
		"STATE assigned uncordon/drain",
		"STATE assigned uncordon/uncordon",
		"Done uncordon/uncordon",
	}
)

func withState(state string, lines []string) []string {
	var result []string
	for _, line := range lines {
		result = append(result, strings.Replace(line, "STATE", state, 1))
	}
	return result
}

// TestNode is the update of a node, as its daemon, the controllers and the kubelet write it.
func TestNode(t *testing.T) {
	full := map[string]string{worker0: "disk full"}
	for _, test := range []struct {
		name   string
		script simulator.Update
		pool   simulator.Pool
		// then is what is done when the update is stuck.
		then func(*simulator.Simulation)
		want []string
	}{{
		name: "never state Rebooting, and Done after the uncordon",
		want: slices.Concat(assigned, drainedNode, withState("Working", rebootedNode)),
	}, {
		name:   "a failed node stays cordoned, and Degraded through its reboot",
		script: simulator.Update{Degraded: full},
		then:   func(s *simulator.Simulation) { s.Repair(worker0) },
		want: slices.Concat(assigned, drainedNode,
			[]string{"Degraded(disk full) assigned drain/drain cordoned +unschedulable"}, withState("Degraded(disk full)", rebootedNode)),
	}, {
		name:   "a failed preflight leaves it schedulable",
		script: simulator.Update{Degraded: full, Preflight: map[string]bool{worker0: true}},
		want:   slices.Concat(assigned, []string{"Degraded(disk full) assigned uncordon/uncordon"}),
	}, {
		name:   "unreconcilable",
		script: simulator.Update{Unreconcilable: map[string]string{worker0: "FIPS"}},
		want:   slices.Concat(assigned, []string{"Unreconcilable(FIPS) assigned uncordon/uncordon"}),
	}, {
		name: "without a disruption",
		pool: simulator.Pool{Disruption: simulator.NoDisruption},
		want: slices.Concat(assigned, []string{"Done uncordon/uncordon"}),
	}, {
		name:   "it does not come back",
		script: simulator.Update{Lost: map[string]bool{worker0: true}},
		want:   slices.Concat(assigned, drainedNode, withState("Working", rebootedNode[:3])),
	}, {
		name:   "no post-config-action before 4.15",
		script: simulator.Update{From: "4.14.1", To: "4.14.2"},
		want: slices.Compact(slices.Collect(func(yield func(string) bool) {
			for _, line := range slices.Concat(assigned, drainedNode, withState("Working", rebootedNode)) {
				if !yield(strings.Replace(line, " Rebooting", "", 1)) {
					return
				}
			}
		})),
	}, {
		name: "in a paused pool nothing is written",
		pool: simulator.Pool{Paused: true},
	}} {
		t.Run(test.name, func(t *testing.T) {
			test.pool.Nodes = 1
			test.script.Seed, test.script.Start, test.script.Pools = 2, start, pools(test.pool)
			simulation := simulator.NewSimulation(test.script)
			writes := play(simulation)
			if test.then != nil {
				test.then(simulation)
				writes = append(writes, play(simulation)...)
			}
			if diff := cmp.Diff(test.want, storyOf(writes, worker0)); diff != "" {
				t.Errorf("worker-0 (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNodeTimes holds the durations that a script draws.
func TestNodeTimes(t *testing.T) {
	drain, update, reboot := 7*time.Minute, 3*time.Minute, 25*time.Minute
	script := simulator.Update{Seed: 1, Start: start, Pools: pools(simulator.Pool{Nodes: 1}), NodeTimes: constantTimes(drain, update, reboot)}
	at := map[string]time.Time{}
	for _, write := range play(simulator.NewSimulation(script)) {
		if node, is := write.After.(*corev1.Node); is && write.Name == worker0 {
			words := strings.Fields(line(node))
			for _, word := range []string{"drain/uncordon", "drain/drain", "Rebooting"} {
				if _, seen := at[word]; !seen && slices.Contains(words, word) {
					at[word] = write.Time
				}
			}
			if _, seen := at["started"]; !seen && !at["Rebooting"].IsZero() && !slices.Contains(words, "Rebooting") {
				at["started"] = write.Time
			}
		}
	}
	got := []time.Duration{
		at["drain/drain"].Sub(at["drain/uncordon"]), at["Rebooting"].Sub(at["drain/drain"]), at["started"].Sub(at["Rebooting"]),
	}
	if want := []time.Duration{drain, update, reboot}; !slices.Equal(got, want) {
		t.Errorf("it took %s", got)
	}

	script.NodeTimes = constantTimes(drain, update, 0)
	for _, line := range storyOf(play(simulator.NewSimulation(script)), worker0) {
		if strings.Contains(line, "Rebooting") {
			t.Errorf("a node that needs no reboot: %s", line)
		}
	}
}

// TestRetries holds that a daemon tries for ever, and writes each time why it failed.
func TestRetries(t *testing.T) {
	simulation := simulator.NewSimulation(simulator.Update{
		Seed: 1, Start: start, Pools: pools(simulator.Pool{Nodes: 1}), Degraded: map[string]string{worker0: "disk full"}, AtLeast: 3 * time.Hour,
	})
	tries := 0
	for _, write := range play(simulation) {
		if node, is := write.After.(*corev1.Node); is && write.Name == worker0 && strings.HasPrefix(line(node), "Degraded") {
			tries++
		}
	}
	if tries < 60 {
		t.Errorf("%d tries in more than two hours", tries)
	}
}

func TestConditionsAreUnknownDuringReboot(t *testing.T) {
	for _, write := range play(simulator.NewSimulation(simulator.Update{Seed: 1, Start: start})) {
		node, is := write.After.(*corev1.Node)
		if !is || !strings.Contains(line(node), "ready=Unknown") {
			continue
		}
		for _, condition := range node.Status.Conditions {
			if got := fmt.Sprint(condition.Status, " ", condition.Reason); got != "Unknown NodeStatusUnknown" {
				t.Errorf("%s of %s is %s", condition.Type, node.Name, got)
			}
		}
		return
	}
	t.Error("no node was lost during its reboot")
}
