package hosted_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

// Parts of what is reported of long drains.
const (
	longDrain = "Node a is taking long to drain | A drain waits for every pod that a PodDisruptionBudget protects; " +
		"without a nodeDrainTimeout in the NodePool, it waits indefinitely. Check the logs of the Deployment cluster-api in the namespace of the " +
		"control plane, in the management cluster.\nThe pods that block the drain are unknown: "
	replicas = "Check whether the workload has all of its replicas: if pods are missing, the drain may continue once they exist and are " +
		"healthy. If none is missing, waiting does not help. Run more replicas of the workload, or change its PodDisruptionBudget to allow one " +
		"disruption, at least during the update; or delete the pod manually, if the workload may be interrupted.\n"
	isRefused = "Drain not completed yet (started at 2026-03-02T08:05:00Z):\n* Pod shop/cart-0: cannot evict pod as it would violate the " +
		"pod's disruption budget. The disruption budget cart needs 1 healthy pods and has 1 currently"
	refusedLine = "The Machine reports: Drain not completed yet (started at 2026-03-02T08:05:00Z): * Pod shop/cart-0: cannot evict pod as it would " +
		"violate the pod's disruption budget. The disruption budget cart needs 1 healthy pods and has 1 currently"
	isRefusedFor = "Node a does not drain: PodDisruptionBudget cart protects pod shop/cart-0 | " + replicas
	neverDrains  = "Node a does not drain: a PodDisruptionBudget never allows a disruption | The setting of the PodDisruptionBudget leaves no room for a " +
		"disruption: waiting does not help. Run more replicas of the workload, or change its PodDisruptionBudget to allow one " +
		"disruption, at least during the update; or delete the pod manually, if the workload may be interrupted.\n" +
		"Pod shop/cart-0 without a controller, a user workload: PodDisruptionBudget cart allows 0 disruptions (desired healthy 1, currently healthy 1, " +
		"expected 1), and never can: its maxUnavailable is 0."
	cartResources = " | nodes/a pods/cart-0 poddisruptionbudgets.policy/cart"
)

// blockedByCart is what is read of a node whose drain a PodDisruptionBudget never allows.
func blockedByCart() *drain.Blockers {
	app := builders.PodLabel("app", "cart")
	return &drain.Blockers{
		Pods: []*corev1.Pod{builders.Pod("shop", "cart-0", builders.OnNode("a"), app)},
		Budgets: []*policyv1.PodDisruptionBudget{builders.Budget("shop", "cart", map[string]string{"app": "cart"},
			builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 1, 1, 1))},
	}
}

// deletedOf is what is read of a node whose only pod was deleted, and stays.
func deletedOf(node string) map[string]*drain.Blockers {
	pod := builders.Pod("shop", "cart-0", builders.OnNode(node), builders.Deleted(start, time.Minute))
	return map[string]*drain.Blockers{node: {Pods: []*corev1.Pod{pod}}}
}

// drainResult assesses node a after a change, which happened at the start, with what was read of nodes.
func drainResult(upgradeType string, blockers map[string]*drain.Blockers, change func(*hostedWorld)) func(time.Time) assess.Result {
	w := newHostedWorld("surge", upgradeType)
	w.poolAsks(versionB)
	change(w)
	w.Blockers = blockers
	return func(now time.Time) assess.Result {
		message, _ := hosted.Nodes(w.Input, now)
		return assess.Result{Report: message.Reports[slices.IndexFunc(message.Reports, hasNodeA)]}
	}
}

func hasNodeA(report insight.Report) bool {
	return slices.ContainsFunc(report.Insights, func(one insight.ScopedInsight) bool {
		return one.Insight.Node != nil && one.Insight.Node.Name == "a"
	})
}

// replaced is a node that is drained since five minutes after the deletion of its Machine, which reports a message.
func replaced(message string, more ...func(*hostedWorld)) func(*hostedWorld) {
	return func(w *hostedWorld) {
		w.leaves("a")
		w.condition(&w.machine("a").Status.Conditions, "DrainingSucceeded", "False", "Draining", message)
		w.machine("a").Status.Deletion = &clusterapiv1beta1.MachineDeletionStatus{NodeDrainStartTime: ptrTime(start.Add(5 * time.Minute))}
		for _, change := range more {
			change(w)
		}
	}
}

// deleting sets the stage of the deletion of a Machine.
func deleting(reason, message string) func(*hostedWorld) {
	return func(w *hostedWorld) {
		w.machine("a").Status.V1Beta2 = &clusterapiv1beta1.MachineV1Beta2Status{Conditions: []metav1.Condition{
			{Type: "Deleting", Status: metav1.ConditionTrue, Reason: reason, Message: message},
		}}
	}
}

// machineIs sets a condition of the Machine.
func machineIs(kind string, status metav1.ConditionStatus, message string) func(*hostedWorld) {
	return func(w *hostedWorld) { w.condition(&w.machine("a").Status.Conditions, kind, status, "", message) }
}

// drainedInPlace is a node that is drained for its update in place.
func drainedInPlace(w *hostedWorld) {
	w.group().Template.Spec.Version = ptr(versionB)
	w.MachineSets[0].Annotations[hosted.TargetConfigAnnotation] = "H"
	w.annotate("a", "currentConfig", "G", "desiredConfig", "H", "state", "Working", "desiredDrain", "drain-H", "lastAppliedDrain", "uncordon-G")
	w.Observed = map[string]time.Time{"a": start}
}

func hostedDrainCases() []healthcases.Case {
	unread := map[string]*drain.Blockers{"a": {Unread: "the controller is not allowed to read Pods or PodDisruptionBudgets"}}
	read := map[string]*drain.Blockers{"a": blockedByCart()}
	const infrastructure = "WaitingForInfrastructureDeletion"
	return []healthcases.Case{
		{
			Name:   "for eleven minutes",
			At:     11 * time.Minute,
			Result: hostedNodeResult(func(w *hostedWorld) { w.leaves("a") }),
			Want: "Warning | Update Stalled | 08:00:00 | " + longDrain + "the pods of the hosted cluster are not read.\n" +
				"The Machine reports: Drain not completed yet: pod shop/cart-0 | nodes/a",
		},
		{
			Name: "for an hour, without a word",
			At:   time.Hour,
			Result: hostedNodeResult(func(w *hostedWorld) {
				w.leaves("a")
				w.machine("a").Status.Conditions = nil
			}),
			Want: "Error | Update Stalled | 08:00:00 | " + longDrain + "the pods of the hosted cluster are not read. | nodes/a",
		},
		{
			Name:   "since it started, with a message",
			At:     16 * time.Minute,
			Result: drainResult("Replace", nil, replaced(isRefused)),
			Want: "Warning | Update Stalled | 08:05:00 | " + isRefusedFor + "Pod shop/cart-0 is a user workload.\n" +
				"Other pods that block the drain are unknown: the pods of the hosted cluster are not read.\n" + refusedLine + cartResources,
		},
		{
			Name: "since a time that is not known",
			At:   11 * time.Minute,
			Result: drainResult("Replace", read, replaced("", func(w *hostedWorld) {
				w.machine("a").Status.Deletion.NodeDrainStartTime = ptrTime(start.AddDate(10, 0, 0))
			})),
			Want: "Warning | Update Stalled | 08:00:00 | " + neverDrains + cartResources,
		},
		{
			Name:   "the pods may not be read",
			At:     16 * time.Minute,
			Result: drainResult("Replace", unread, replaced(isRefused)),
			Want: "Warning | Update Stalled | 08:05:00 | " + isRefusedFor + "Pod shop/cart-0 is a user workload.\n" +
				"Other pods that block the drain are unknown: the controller is not allowed to read Pods or PodDisruptionBudgets.\n" + refusedLine + cartResources,
		},
		{
			Name:   "the pods were read",
			At:     16 * time.Minute,
			Result: drainResult("Replace", read, replaced(isRefused, deleting("DrainingNode", ""))),
			Want:   "Warning | Update Stalled | 08:05:00 | " + neverDrains + "\n" + refusedLine + cartResources,
		},
		{
			Name:   "in place",
			At:     11 * time.Minute,
			Result: drainResult("InPlace", read, drainedInPlace),
			Want:   "Warning | Update Stalled | 08:00:00 | " + neverDrains + cartResources,
		},
		{
			Name: "in place, without a Machine",
			At:   11 * time.Minute,
			Result: drainResult("InPlace", read, func(w *hostedWorld) {
				drainedInPlace(w)
				w.Machines = nil
			}),
			Want: "Warning | Update Stalled | 08:00:00 | " + neverDrains + cartResources,
		},
		{
			Name: "in place, the pods are not read",
			At:   11 * time.Minute,
			Result: drainResult("InPlace", map[string]*drain.Blockers{"b": blockedByCart()}, func(w *hostedWorld) {
				drainedInPlace(w)
				w.annotate("a", "reason", "waiting for the drain")
			}),
			Want: "Warning | Update Stalled | 08:00:00 | Node a is taking long to drain | A drain waits for every pod that a PodDisruptionBudget protects, and is " +
				"retried until it succeeds. Check the logs of the Deployment hosted-cluster-config-operator in the namespace of the control plane, in " +
				"the management cluster.\nThe pods that block the drain are unknown: the pods of the hosted cluster are not read.\n" +
				"The Machine Config Daemon reports: waiting for the drain | nodes/a",
		},
		{
			Name: "unreachable, with a deleted pod",
			At:   16 * time.Minute,
			Result: drainResult("Replace", deletedOf("a"), replaced("", func(w *hostedWorld) {
				w.ready("a", corev1.ConditionUnknown)
			})),
			Want: "Warning | Update Stalled | 08:05:00 | Node a is taking long to drain, cause unknown | A drain waits for every pod that a PodDisruptionBudget " +
				"protects; without a nodeDrainTimeout in the NodePool, it waits indefinitely. Check the logs of the Deployment cluster-api in the namespace of " +
				"the control plane, in the management cluster.\nThe node has no pod left that a drain waits for. | nodes/a",
		},
		{Name: "for ten minutes", At: 15 * time.Minute, Result: drainResult("Replace", nil, replaced(isRefused))},
		{Name: "the pods are being read", At: time.Hour, Result: drainResult("Replace", map[string]*drain.Blockers{"a": nil}, replaced(isRefused))},
		{Name: "its drain ended by a timeout", At: time.Hour, Result: drainResult("Replace", read, replaced(isRefused, deleting(infrastructure, "")))},
		{Name: "its drain is done", At: time.Hour, Result: drainResult("Replace", read, replaced("", machineIs("DrainingSucceeded", "True", "")))},
		{Name: "its volumes are detached", At: time.Hour, Result: drainResult("Replace", read, replaced("", machineIs("VolumeDetachSucceeded", "True", "")))},
		{Name: "waits", At: time.Hour, Result: hostedNodeResult(func(*hostedWorld) {})},
	}
}

func volumesCases() []healthcases.Case {
	isDrained := machineIs("DrainingSucceeded", "True", "")
	waits := func(w *hostedWorld) {
		w.now = start.Add(6 * time.Minute)
		machineIs("VolumeDetachSucceeded", "False", "Waiting for node volumes to be detached")(w)
	}
	since := func(w *hostedWorld) {
		w.machine("a").Status.Deletion.WaitForNodeVolumeDetachStartTime = ptrTime(start.Add(7 * time.Minute))
	}
	const names = "Waiting for Node volumes to be detached (started at 2026-03-02T08:07:00Z)\n* PersistentVolumeClaims: shop/data-cart-0"
	const waitsLong = " waits for its volumes to detach | Without a nodeVolumeDetachTimeout in the NodePool, the Machine waits indefinitely. It reports: "
	return []healthcases.Case{
		{
			Name:   "drained, with the names of volumes",
			At:     18 * time.Minute,
			Result: drainResult("Replace", nil, replaced("", isDrained, waits, since, deleting("WaitingForVolumeDetach", names))),
			Want: "Warning | Update Stalled | 08:07:00 | Node a has drained and" + waitsLong +
				"Waiting for Node volumes to be detached (started at 2026-03-02T08:07:00Z) * PersistentVolumeClaims: shop/data-cart-0 | nodes/a",
		},
		{
			Name: "drained, of an older version",
			At:   66 * time.Minute,
			Result: drainResult("Replace", nil, replaced("", isDrained, waits, func(w *hostedWorld) {
				w.machine("a").Status.Deletion = nil
			})),
			Want: "Error | Update Stalled | 08:06:00 | Node a has drained and" + waitsLong + "Waiting for node volumes to be detached | nodes/a",
		},
		{
			Name:   "its drain ended by a timeout, no word",
			At:     20 * time.Minute,
			Result: drainResult("Replace", nil, replaced(isRefused, since, deleting("WaitingForVolumeDetach", ""))),
			Want:   "Warning | Update Stalled | 08:07:00 | Node a" + waitsLong + "<no message> | nodes/a",
		},
		{Name: "for ten minutes", At: 17 * time.Minute, Result: drainResult("Replace", nil, replaced("", isDrained, waits, since))},
		{Name: "the wait ended by a timeout", At: time.Hour, Result: drainResult("Replace", nil, replaced("", isDrained, waits, since, deleting("DeletingNode", "")))},
		{Name: "they are detached", At: time.Hour, Result: drainResult("Replace", nil, replaced("", isDrained, since, machineIs("VolumeDetachSucceeded", "True", "")))},
		{Name: "the stage is another one", At: 20 * time.Minute, Result: drainResult("Replace", nil, replaced("", isDrained, deleting("InternalError", "")))},
	}
}

// TestDrainsThatLast: the pods of a node are read if it has been draining for more than ten minutes, not if it waits for volumes.
func TestDrainsThatLast(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*hostedWorld)
		after  time.Duration
		want   []string
	}{
		"short":             {replaced(isRefused), 15 * time.Minute, nil},
		"long":              {replaced(isRefused), 15*time.Minute + time.Millisecond, []string{"a"}},
		"not known":         {func(w *hostedWorld) { replaced(isRefused)(w); w.Nodes = nil }, time.Hour, []string{"a"}},
		"waits for volumes": {replaced("", machineIs("VolumeDetachSucceeded", "False", "")), time.Hour, nil},
		"waits":             {func(*hostedWorld) {}, time.Hour, nil},
	} {
		w := newHostedWorld("surge", "Replace")
		w.poolAsks(versionB)
		test.change(w)
		now := start.Add(test.after)
		message, _ := hosted.Nodes(w.Input, now)
		if got := hosted.LongDrains(message, now); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestDrainResources: what blocks a drain is in the hosted cluster, and so are the commands.
func TestDrainResources(t *testing.T) {
	found := healthcases.Health(drainResult("Replace", map[string]*drain.Blockers{"a": blockedByCart()}, replaced(isRefused))(start.Add(time.Hour)))
	if len(found) != 1 {
		t.Fatalf("%d insights", len(found))
	}
	for _, resource := range found[0].Health.Scope.Resources {
		if resource.Cluster != updatev1alpha1.ClusterHosted {
			t.Errorf("%s is in %q", resource.Name, resource.Cluster)
		}
	}
	commands := found[0].Health.Remediation.Commands
	for _, command := range commands {
		if command.Cluster != updatev1alpha1.ClusterHosted {
			t.Errorf("%v is run in %q", command.Argv, command.Cluster)
		}
	}
	if len(commands) != updatev1alpha1.MaxCommands || !slices.Contains(commands[0].Argv, "cart") {
		t.Errorf("commands %v", commands)
	}
}
