package standalone_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

// drainingNode is a node whose daemon has requested a drain.
func drainingNode(options ...builders.NodeOption) *corev1.Node {
	return node(append([]builders.NodeOption{
		builders.Configs("rendered-worker-old", "rendered-worker-new"), builders.State("Working"),
		builders.Drain("drain-new", "uncordon-old"),
	}, options...)...)
}

func drainResult(node *corev1.Node, drain standalone.DrainInput, machineConfigNode ...*machineconfigv1.MachineConfigNode) func(time.Time) assess.Result {
	return func(now time.Time) assess.Result {
		return standalone.Node(standalone.NodeInput{
			Node: trimmed(node), Pool: trimmed(pool()), Target: standalone.Target{Known: true, Version: target}, Drain: drain,
			MachineConfigNode: append(machineConfigNode, nil)[0],
			VersionOf:         func(name string) string { return versions[name] },
		}, now)
	}
}

// observedDrain is a drain that was observed from the start of the update on.
func observedDrain(blockers drain.Blockers) standalone.DrainInput {
	return standalone.DrainInput{Observed: start, Blockers: &blockers}
}

// reported is a MachineConfigNode with one condition that was written some time after the start.
func reported(config string, step machineconfigv1.StateProgress, status metav1.ConditionStatus, after time.Duration, message string) *machineconfigv1.MachineConfigNode {
	return builders.MachineConfigNode("node-a", config, builders.Step(step, status, start.Add(after), message))
}

// evicting is what the Machine Config Operator writes at the start of each attempt, and failedEviction at the end of one.
const (
	evicting       = "Draining node. The drain will not be complete until desired drainer drain-new matches current drainer uncordon-old"
	failedEviction = "Error: Node Drain has not succeeded. Error is: [error when evicting pods/\"db-0\"]"
)

var (
	dbPod   = builders.Pod("shop", "db-0", builders.OwnedBy("apps/v1", "StatefulSet", "db"), builders.PodLabel("app", "db"))
	dbNever = builders.Budget("shop", "db", map[string]string{"app": "db"},
		builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 3, 3, 3))
	dbBlockers = drain.Blockers{Pods: []*corev1.Pod{dbPod}, Budgets: []*policyv1.PodDisruptionBudget{dbNever}}
)

const checkLogs = "Check the logs of the Machine Config Controller: " +
	"oc logs -n openshift-machine-config-operator deployment/machine-config-controller -c machine-config-controller"

func drainCases() []healthcases.Case {
	blocked := func(options ...builders.NodeOption) func(time.Time) assess.Result {
		return drainResult(drainingNode(options...), observedDrain(dbBlockers))
	}
	return []healthcases.Case{
		{Name: "10 minutes", Result: blocked(), At: 10 * time.Minute},
		{
			Name:   "more than 10 minutes",
			Result: blocked(),
			At:     10*time.Minute + time.Second,
			Want: "Warning | Update Stalled | 08:00:00 | Node node-a does not drain: a PodDisruptionBudget never allows a disruption | " +
				"The setting of the PodDisruptionBudget leaves no room for a disruption: waiting does not help. " +
				"Run more replicas of the workload, or change its PodDisruptionBudget to allow one disruption, at least during the update; " +
				"or delete the pod manually, if the workload may be interrupted.\n" +
				"Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions " +
				"(desired healthy 3, currently healthy 3, expected 3), and never can: its maxUnavailable is 0. | " +
				"nodes/node-a pods/db-0 poddisruptionbudgets.policy/db statefulsets.apps/db",
		},
		{
			Name:   "an hour, pods unknown",
			Result: drainResult(drainingNode(), observedDrain(drain.Blockers{Unread: "no valid response from the API server"})),
			At:     time.Hour,
			Want: "Error | Update Stalled | 08:00:00 | Node node-a is taking long to drain | " + checkLogs + "\n" +
				"The pods that block the drain are unknown: no valid response from the API server. | nodes/node-a",
		},
		{
			Name: "messages of the operator and the daemon",
			Result: drainResult(drainingNode(builders.Annotation(builders.AnnotationReason, "drain failed")), observedDrain(drain.Blockers{}),
				reported("rendered-worker-new", machineconfigv1.MachineConfigNodeUpdateDrained, metav1.ConditionUnknown, 0, failedEviction)),
			At: 11 * time.Minute,
			Want: "Warning | Update Stalled | 08:00:00 | Node node-a is taking long to drain, cause unknown | " + checkLogs + "\n" +
				"The node has no pod left that a drain waits for.\nThe Machine Config Operator reports: " + failedEviction + " | nodes/node-a",
		},
		{
			Name: "message of the operator, during the next attempt",
			Result: drainResult(drainingNode(), standalone.DrainInput{Observed: start, Blockers: &drain.Blockers{}, FailedWith: failedEviction},
				reported("rendered-worker-new", machineconfigv1.MachineConfigNodeUpdateDrained, metav1.ConditionUnknown, 0, evicting)),
			At: 11 * time.Minute,
			Want: "Warning | Update Stalled | 08:00:00 | Node node-a is taking long to drain, cause unknown | " + checkLogs + "\n" +
				"The node has no pod left that a drain waits for.\nThe Machine Config Operator reports: " + failedEviction + " | nodes/node-a",
		},
		{
			Name: "message of the operator, during the first attempt",
			Result: drainResult(drainingNode(), observedDrain(drain.Blockers{}),
				reported("rendered-worker-new", machineconfigv1.MachineConfigNodeUpdateDrained, metav1.ConditionUnknown, 0, evicting)),
			At: 11 * time.Minute,
			Want: "Warning | Update Stalled | 08:00:00 | Node node-a is taking long to drain, cause unknown | " + checkLogs + "\n" +
				"The node has no pod left that a drain waits for. | nodes/node-a",
		},
		{
			Name: "message of the operator about another configuration",
			Result: drainResult(drainingNode(), observedDrain(drain.Blockers{}),
				reported("rendered-worker-old", machineconfigv1.MachineConfigNodeUpdateDrained, metav1.ConditionUnknown, 0, failedEviction)),
			At: 11 * time.Minute,
			Want: "Warning | Update Stalled | 08:00:00 | Node node-a is taking long to drain, cause unknown | " + checkLogs + "\n" +
				"The node has no pod left that a drain waits for. | nodes/node-a",
		},
		{
			Name: "message of the operator about a drain that is done",
			Result: drainResult(drainingNode(), observedDrain(drain.Blockers{}),
				reported("rendered-worker-new", machineconfigv1.MachineConfigNodeUpdateDrained, metav1.ConditionTrue, 0, failedEviction)),
			At: 11 * time.Minute,
			Want: "Warning | Update Stalled | 08:00:00 | Node node-a is taking long to drain, cause unknown | " + checkLogs + "\n" +
				"The node has no pod left that a drain waits for. | nodes/node-a",
		},
		{
			Name:   "message of the daemon",
			Result: drainResult(drainingNode(builders.Annotation(builders.AnnotationReason, "drain failed")), observedDrain(drain.Blockers{})),
			At:     11 * time.Minute,
			Want: "Warning | Update Stalled | 08:00:00 | Node node-a is taking long to drain, cause unknown | " + checkLogs + "\n" +
				"The node has no pod left that a drain waits for.\nThe Machine Config Daemon reports: drain failed | nodes/node-a",
		},
		{
			Name:   "unreachable",
			Result: drainResult(drainingNode(builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, start, "", "")), observedDrain(drain.Blockers{Pods: []*corev1.Pod{dbPod}})),
			At:     11 * time.Minute,
			Want: "Warning | Update Stalled | 08:00:00 | Node node-a does not drain: the node is unreachable | " +
				"The kubelet has stopped reporting, so it is unknown whether pods have terminated. Recover the node. " +
				"If it is certainly powered off, delete the pods with --force, or the Node.\n" +
				"Pod shop/db-0 of StatefulSet db. | nodes/node-a pods/db-0 statefulsets.apps/db",
		},
		{Name: "not read yet", Result: drainResult(drainingNode(), standalone.DrainInput{Observed: start}), At: time.Hour},
		{Name: "not requested", Result: blocked(builders.Drain("uncordon-old", "uncordon-old")), At: time.Hour},
		{Name: "done", Result: blocked(builders.Drain("drain-new", "drain-new")), At: time.Hour},
		{Name: "rollout without a release", Result: blocked(builders.Configs("rendered-worker-new", "rendered-worker-newer")), At: time.Hour},
	}
}

// tainted adds a taint, without a time if that is zero.
func tainted(key string, at time.Time) builders.NodeOption {
	return func(node *corev1.Node) {
		taint := corev1.Taint{Key: key}
		if !at.IsZero() {
			taint.TimeAdded = &metav1.Time{Time: at}
		}
		node.Spec.Taints = append(node.Spec.Taints, taint)
	}
}

// TestDrainStart expects the same start in the node's insight and in that of its health, and the same from a controller that
// starts later and knows the previous start only.
func TestDrainStart(t *testing.T) {
	cordoned := func(at time.Duration) *corev1.Node { return drainingNode(builders.CordonedSince(start.Add(at))) }
	observed := func(at time.Duration, blockers drain.Blockers) standalone.DrainInput {
		return standalone.DrainInput{Observed: start.Add(at), Blockers: &blockers}
	}
	inFiles := func(updateStarted time.Duration, blockers drain.Blockers) standalone.DrainInput {
		return standalone.DrainInput{UpdateStarted: start.Add(updateStarted), Blockers: &blockers}
	}
	cordonedAt := func(at time.Duration) *machineconfigv1.MachineConfigNode {
		return reported("rendered-worker-new", machineconfigv1.MachineConfigNodeUpdateCordoned, metav1.ConditionTrue, at, "Cordoned node.")
	}
	none := drain.Blockers{}
	for _, test := range []struct {
		name  string
		node  *corev1.Node
		drain standalone.DrainInput
		// reported is the MachineConfigNode, nil if there is none.
		reported *machineconfigv1.MachineConfigNode
		want     string
	}{
		{name: "observed", node: drainingNode(), drain: observed(time.Minute, none), want: "08:01:00"},
		{name: "observed within a second", node: drainingNode(), drain: observed(time.Minute+time.Millisecond, none), want: "08:01:01"},
		{name: "cordoned by an administrator before", node: cordoned(-time.Hour), drain: observed(time.Minute, none), want: "08:01:00"},
		{name: "cordoned again for a second drain", node: cordoned(2 * time.Minute), drain: observed(time.Minute, none), want: "08:02:00"},
		{name: "operator reports an earlier start", node: cordoned(2 * time.Minute), drain: observed(time.Minute, none), reported: cordonedAt(-time.Minute), want: "07:59:00"},
		{name: "operator reports a later start", node: cordoned(2 * time.Minute), drain: observed(time.Minute, none), reported: cordonedAt(9 * time.Minute), want: "08:02:00"},
		{
			name: "operator reports another MachineConfig", node: drainingNode(), want: "08:01:00", drain: observed(time.Minute, none),
			reported: reported("rendered-worker-old", machineconfigv1.MachineConfigNodeUpdateCordoned, metav1.ConditionTrue, -time.Hour, ""),
		},
		{
			name: "operator could not cordon the node before", node: drainingNode(), want: "08:01:00", drain: observed(time.Minute, none),
			reported: reported("rendered-worker-new", machineconfigv1.MachineConfigNodeUpdateCordoned, metav1.ConditionUnknown, -time.Hour, ""),
		},
		{
			// It is written at each attempt.
			name: "operator reports an attempt of the drain", node: drainingNode(), want: "08:01:00", drain: observed(time.Minute, none),
			reported: reported("rendered-worker-new", machineconfigv1.MachineConfigNodeUpdateDrained, metav1.ConditionUnknown, -time.Hour, evicting),
		},
		{name: "files", node: cordoned(time.Minute), drain: inFiles(0, none), want: "08:01:00"},
		{name: "files, cordoned before the update", node: cordoned(-time.Hour), drain: inFiles(3*time.Minute, none), want: "08:03:00"},
		{name: "files, reported by the operator", node: cordoned(time.Minute), drain: inFiles(0, none), reported: cordonedAt(2 * time.Minute), want: "08:02:00"},
		{
			name: "files, with other taints", node: drainingNode(tainted("example.com/other", start.Add(9*time.Minute)), tainted(corev1.TaintNodeUnschedulable, time.Time{}),
				builders.CordonedSince(start.Add(time.Minute))), drain: inFiles(0, none), want: "08:01:00",
		},
		{name: "files without a time", node: drainingNode(), drain: inFiles(0, none), want: ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			format := func(at *metav1.Time) string {
				if at == nil {
					return ""
				}
				return at.UTC().Format("15:04:05.999")
			}
			result := drainResult(test.node, test.drain, test.reported)(start.Add(30 * time.Minute))
			started := drainStartOf(result)
			if got := format(started); got != test.want {
				t.Errorf("drainStartedAt %q, want %q", got, test.want)
			}
			for _, one := range healthcases.Health(result) {
				if got := format(one.Health.StartedAt); got != test.want {
					t.Errorf("startedAt of the health insight %q, want %q", got, test.want)
				}
			}
			if len(healthcases.Health(result)) == 0 != (test.want == "") {
				t.Errorf("%d health insights", len(healthcases.Health(result)))
			}
			if started == nil || test.drain.Observed.IsZero() {
				return
			}
			test.drain.Observed = started.Time
			if got := format(drainStartOf(drainResult(test.node, test.drain, test.reported)(start.Add(time.Hour)))); got != test.want {
				t.Errorf("drainStartedAt %q after a restart, want %q", got, test.want)
			}
		})
	}
}

func drainStartOf(result assess.Result) *metav1.Time {
	return result.Report.Insights[0].Insight.Node.DrainStartedAt
}

// TestDrainStartOnlyWhileDraining uses nodes that are not being drained for the update.
func TestDrainStartOnlyWhileDraining(t *testing.T) {
	for name, option := range map[string]builders.NodeOption{
		"not requested":             builders.Drain("uncordon-old", "uncordon-old"),
		"done":                      builders.Drain("drain-new", "drain-new"),
		"uncordon requested":        builders.Drain("uncordon-new", "drain-new"),
		"rollout without a release": builders.Configs("rendered-worker-new", "rendered-worker-newer"),
	} {
		t.Run(name, func(t *testing.T) {
			result := drainResult(drainingNode(builders.CordonedSince(start), option), observedDrain(dbBlockers))(start.Add(time.Hour))
			if started := drainStartOf(result); started != nil {
				t.Errorf("drainStartedAt %s", started)
			}
		})
	}
}

// TestDrainNextCheck follows NextCheck through the levels and causes of a drain.
func TestDrainNextCheck(t *testing.T) {
	terminating := builders.Pod("shop", "slow", builders.Deleted(start.Add(20*time.Minute), time.Minute))
	result := drainResult(drainingNode(), observedDrain(drain.Blockers{Pods: []*corev1.Pod{terminating}}))
	var got []string
	for now := start; !now.IsZero(); {
		at := result(now)
		line := fmt.Sprintf("%s %t", now.Sub(start).Truncate(time.Second), at.LongDrain)
		for _, one := range healthcases.Health(at) {
			line += fmt.Sprintf(" %s %s", one.Health.Impact.Level, one.Health.Impact.Summary)
		}
		got = append(got, line)
		now = at.NextCheck
	}
	want := []string{
		"0s false",
		"10m0s true Warning Node node-a is taking long to drain, cause unknown",
		"21m0s true Warning Node node-a does not drain: a deleted pod is stuck terminating",
		"1h0m0s true Error Node node-a does not drain: a deleted pod is stuck terminating",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("course of a drain (-want +got):\n%s", diff)
	}
}

// TestDrainUID expects one insight for a drain, whatever its level and cause.
func TestDrainUID(t *testing.T) {
	warning := healthcases.Health(drainResult(drainingNode(), observedDrain(dbBlockers))(start.Add(11 * time.Minute)))[0]
	failure := healthcases.Health(drainResult(drainingNode(), observedDrain(drain.Blockers{}))(start.Add(time.Hour)))[0]
	if warning.UID != failure.UID || warning.Health.Impact.Level == failure.Health.Impact.Level {
		t.Errorf("uid %s of level %s, uid %s of level %s", warning.UID, warning.Health.Impact.Level, failure.UID, failure.Health.Impact.Level)
	}
}

func TestObservedStarts(t *testing.T) {
	informer := func(name string, nodes ...*updatev1alpha1.NodeInsight) []updatev1alpha1.Informer {
		made := updatev1alpha1.Informer{Name: name}
		for _, one := range nodes {
			made.Insights = append(made.Insights, updatev1alpha1.Insight{Type: updatev1alpha1.InsightNode, Node: one})
		}
		return []updatev1alpha1.Informer{made, {Name: "other", Insights: []updatev1alpha1.Insight{{Type: updatev1alpha1.InsightHealth}}}}
	}
	draining := func(name string, since time.Duration) *updatev1alpha1.NodeInsight {
		return &updatev1alpha1.NodeInsight{Name: name, DrainStartedAt: ptrTime(start.Add(since))}
	}
	operator := func(name, resource string, status metav1.ConditionStatus) updatev1alpha1.Insight {
		one := &updatev1alpha1.ClusterOperatorInsight{Name: name, Resource: updatev1alpha1.ResourceRef{Resource: resource}}
		one.Conditions = []metav1.Condition{{Type: "Updating", Status: status, LastTransitionTime: metav1.NewTime(start.Add(2 * time.Minute))}}
		return updatev1alpha1.Insight{ControlPlaneComponent: one}
	}
	observed := assess.ObservedBefore(&updatev1alpha1.UpdateStatusStatus{
		ControlPlane: &updatev1alpha1.ControlPlane{Informers: append(informer("node-informer", draining("master-0", 0)), updatev1alpha1.Informer{
			Name: "control-plane-informer", Insights: []updatev1alpha1.Insight{
				operator("etcd", "controlplanecomponents", "True"), operator("oauth", "controlplanecomponents", "False"),
				operator("network", "clusteroperators", "True"),
			},
		})},
		WorkerPools: []updatev1alpha1.WorkerPool{
			{Informers: informer("node-informer", draining("node-a", time.Minute), &updatev1alpha1.NodeInsight{Name: "node-b"})},
			{Informers: informer("unknown-informer", draining("node-c", time.Minute))},
		},
	})
	if diff := cmp.Diff(map[string]time.Time{"master-0": start, "node-a": start.Add(time.Minute), "etcd": start.Add(2 * time.Minute)}, observed.Starts); diff != "" {
		t.Errorf("starts (-want +got):\n%s", diff)
	}
	if got := assess.ObservedBefore(&updatev1alpha1.UpdateStatusStatus{}); len(got.Starts)+len(got.DrainFailures) > 0 {
		t.Errorf("observed by an empty status: %v", got)
	}
}

// TestDrainsInFiles explains drains with the pods that were collected, of which some or all may be missing.
func TestDrainsInFiles(t *testing.T) {
	on := func(node string) func(*corev1.Pod) { return func(pod *corev1.Pod) { pod.Spec.NodeName = node } }
	input := func() standalone.Input {
		return standalone.Input{
			ClusterVersion: updating(), MachineConfigPools: []*machineconfigv1.MachineConfigPool{pool()},
			MachineConfigs: []*metav1.PartialObjectMetadata{config("rendered-worker-old", before), config("rendered-worker-new", target)},
			Nodes:          []*corev1.Node{drainingNode(builders.Role("worker"), builders.CordonedSince(start))},
		}
	}
	summaries := func(in standalone.Input) string {
		var found []string
		for _, message := range standalone.Assess(in, start.Add(time.Hour)) {
			for _, report := range message.Reports {
				for _, scoped := range report.Insights {
					if one := scoped.Insight.Health; one != nil && strings.Contains(one.Impact.Summary, "drain") {
						found = append(found, one.Impact.Summary+"\n"+one.Impact.Description)
					}
				}
			}
		}
		return strings.Join(found, "\n")
	}
	without := input()
	without.Pods = []*corev1.Pod{
		builders.Pod("shop", "elsewhere", on("node-b")),
		builders.Pod("shop", "daemon", on("node-a"), builders.OwnedBy("apps/v1", "DaemonSet", "daemon")),
	}
	without.MachineConfigNodes = []*machineconfigv1.MachineConfigNode{
		reported("rendered-worker-new", machineconfigv1.MachineConfigNodeUpdateDrained, metav1.ConditionUnknown, 0, failedEviction),
	}
	want := "Node node-a is taking long to drain\n" + checkLogs +
		"\nThe pods that block the drain are unknown: none that a drain waits for was collected.\nThe Machine Config Operator reports: " + failedEviction
	if got := summaries(without); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	old := input()
	old.Nodes = []*corev1.Node{drainingNode(builders.Role("worker"), builders.CordonedSince(start.Add(-24*time.Hour)))}
	old.ClusterVersion = builders.ClusterVersion(builders.Completed(before, installed, installed.Add(time.Minute)), builders.Partial(target, start.Add(55*time.Minute)))
	if got := summaries(old); got != "" {
		t.Errorf("cordoned before the update started: %s", got)
	}
	with := input()
	pod := dbPod.DeepCopy()
	on("node-a")(pod)
	with.Pods, with.PodDisruptionBudgets = []*corev1.Pod{pod}, []*policyv1.PodDisruptionBudget{dbNever}
	if got := summaries(with); !strings.HasPrefix(got, "Node node-a does not drain: a PodDisruptionBudget never allows a disruption\n") {
		t.Errorf("got %s", got)
	}
}

// TestBeingDrained checks which requests of the daemon are a drain that goes on.
func TestBeingDrained(t *testing.T) {
	for name, tc := range map[string]struct {
		node *corev1.Node
		want bool
	}{
		"requested":          {drainingNode(), true},
		"applied":            {drainingNode(builders.Drain("drain-new", "drain-new"), builders.State("Done")), false},
		"uncordon requested": {drainingNode(builders.Drain("uncordon-new", "drain-new")), false},
		"not requested":      {drainingNode(builders.Drain("uncordon-old", "uncordon-old"), builders.State("Done")), false},
		"none requested":     {drainingNode(builders.Drain("", "uncordon-old"), builders.State("Done")), false},
		"none applied yet":   {drainingNode(builders.Drain("uncordon-old", ""), builders.State("Done")), false},
		"updated":            {drainingNode(builders.Configs("rendered-worker-new", "rendered-worker-new")), false},
	} {
		in := standalone.NodeInput{
			Node: tc.node, Pool: pool(), Target: standalone.Target{Known: true, Version: target},
			VersionOf: func(name string) string { return versions[name] }, Drain: standalone.DrainInput{Observed: start},
		}
		if got := !standalone.Node(in, start).DrainObserved.IsZero(); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestObservedDrainFailures: what a drain failed with is read back from the insight that was made of it.
func TestObservedDrainFailures(t *testing.T) {
	blocked := func(node, component, message string) updatev1alpha1.Insight {
		return updatev1alpha1.Insight{Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
			Scope:    updatev1alpha1.HealthScope{Resources: builders.Resources(updatev1alpha1.ResourceRef{Resource: "nodes", Name: node})},
			Impact:   updatev1alpha1.HealthImpact{Type: updatev1alpha1.ImpactUpdateStalled},
			Reported: &updatev1alpha1.ComponentReport{Component: component, Message: message},
		}}
	}
	const controller, daemon = updatev1alpha1.ComponentMachineConfigOperator, updatev1alpha1.ComponentMachineConfigDaemon
	observed := assess.ObservedBefore(&updatev1alpha1.UpdateStatusStatus{WorkerPools: []updatev1alpha1.WorkerPool{{
		Informers: []updatev1alpha1.Informer{{Name: "node-informer", Insights: []updatev1alpha1.Insight{
			blocked("node-a", controller, failedEviction),
			blocked("node-b", daemon, "disk full"),
		}}, {Name: "other", Insights: []updatev1alpha1.Insight{blocked("node-c", controller, "theirs")}}},
	}}})
	if diff := cmp.Diff(map[string]string{"node-a": failedEviction}, observed.DrainFailures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}
