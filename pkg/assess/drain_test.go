package assess_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// drainingNode is a node whose daemon has asked for a drain.
func drainingNode(options ...builders.NodeOption) *corev1.Node {
	return node(append([]builders.NodeOption{
		builders.Configs("rendered-worker-old", "rendered-worker-new"), builders.State("Working"),
		builders.Drain("drain-new", "uncordon-old"),
	}, options...)...)
}

func drainResult(node *corev1.Node, drain assess.DrainInput) func(time.Time) assess.Result {
	return func(now time.Time) assess.Result {
		return assess.Node(assess.NodeInput{
			Node: node, Pool: pool(), Target: assess.Target{Known: true, Version: target}, Drain: drain,
			VersionOf: func(name string) string { return versions[name] },
		}, now)
	}
}

// drainOf is a drain that was seen from the start of the update on, with pods and budgets.
func drainOf(objects ...metav1.Object) assess.DrainInput {
	blockers := &assess.Blockers{}
	for _, object := range objects {
		switch object := object.(type) {
		case *corev1.Pod:
			blockers.Pods = append(blockers.Pods, object)
		case *policyv1.PodDisruptionBudget:
			blockers.Budgets = append(blockers.Budgets, object)
		case *machineconfigv1.MachineConfigNode:
			blockers.MachineConfigNode = object
		}
	}
	return assess.DrainInput{Observed: start, Blockers: blockers}
}

func unreadDrain(why string) assess.DrainInput {
	return assess.DrainInput{Observed: start, Blockers: &assess.Blockers{Unread: why}}
}

// drainTold is the MachineConfigNode of the node, with a drain that goes on since some time after the start.
func drainTold(config string, status metav1.ConditionStatus, since time.Duration, message string) *machineconfigv1.MachineConfigNode {
	return builders.MachineConfigNode("node-a", config, builders.Drained(status, start.Add(since), message))
}

var (
	dbPod     = builders.Pod("shop", "db-0", builders.OwnedBy("apps/v1", "StatefulSet", "db"), builders.PodLabel("app", "db"))
	dbAtLimit = builders.Budget("shop", "db", map[string]string{"app": "db"}, builders.MaxUnavailablePods(intstr.FromInt32(1)), builders.Disruptions(0, 2, 2, 3))
	dbNever   = builders.Budget("shop", "db", map[string]string{"app": "db"}, builders.MaxUnavailablePods(intstr.FromInt32(0)), builders.Disruptions(0, 3, 3, 3))
	dbAll     = builders.Budget("shop", "db", map[string]string{"app": "db"}, builders.MinAvailablePods(intstr.FromInt32(2)), builders.Disruptions(0, 2, 2, 2))
)

const (
	stalledAtEight = "Update Stalled | 08:00:00 | Node node-a "
	theLog         = "See what the Machine Config Controller logs: oc logs -n openshift-machine-config-operator deployment/machine-config-controller -c machine-config-controller"
	budgetAdvice   = "Waiting does not help. Let the workload run more replicas or its PodDisruptionBudget allow one disruption, for the update at least; or delete the pod by hand, if the workload may be interrupted."
	allAdvice      = "See whether the workload has all of its replicas: if pods are missing, the drain may go on once they are there and healthy. If none is missing, waiting does not help. Let the workload run more replicas or its PodDisruptionBudget allow one disruption, for the update at least; or delete the pod by hand, if the workload may be interrupted."
)

func drainCases() []healthCase {
	return []healthCase{
		{"not long yet", drainResult(drainingNode(), drainOf(dbPod, dbNever)), 10 * time.Minute, ""},
		{"not read yet", drainResult(drainingNode(), assess.DrainInput{Observed: start}), time.Hour, ""},
		{"not asked for", drainResult(drainingNode(builders.Drain("uncordon-old", "uncordon-old")), drainOf(dbPod, dbNever)), time.Hour, ""},
		{"done", drainResult(drainingNode(builders.Drain("drain-new", "drain-new")), drainOf(dbPod, dbNever)), time.Hour, ""},
		{"of another rollout", drainResult(drainingNode(builders.Configs("rendered-worker-new", "rendered-worker-newer")), drainOf(dbPod, dbNever)), time.Hour, ""},
		{
			"maxUnavailable 0", drainResult(drainingNode(), drainOf(dbPod, dbNever)), 11 * time.Minute,
			"Warning | " + stalledAtEight + "does not drain: a PodDisruptionBudget never allows a disruption | " + budgetAdvice +
				"\nPod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 3, currently healthy 3, expected 3), and never can: its maxUnavailable is 0. | nodes/node-a pods/db-0 poddisruptionbudgets.policy/db statefulsets.apps/db",
		},
		{
			"minAvailable as pods, of which some may be missing", drainResult(drainingNode(), drainOf(dbPod, dbAll)), 11 * time.Minute,
			"Warning | " + stalledAtEight + "does not drain: a PodDisruptionBudget asks for all pods that there are | " + allAdvice +
				"\nPod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 2, expected 2), since its minAvailable is 2, and there are 2 pods. | nodes/node-a pods/db-0 poddisruptionbudgets.policy/db statefulsets.apps/db",
		},
		{
			"for an hour", drainResult(drainingNode(), unreadDrain("the API server gives no answer")), time.Hour,
			"Error | " + stalledAtEight + "takes long to drain | " + theLog + "\nWhich pods keep the node is not known: the API server gives no answer. | nodes/node-a",
		},
	}
}

// describeDrain returns the cause that the summary gives and what the description says behind the advice.
func describeDrain(t *testing.T, result assess.Result) (cause, facts string) {
	t.Helper()
	found := health(result)
	if len(found) != 1 {
		t.Fatalf("%d insights", len(found))
	}
	impact := found[0].Health.Impact
	_, facts, _ = strings.Cut(impact.Description, "\n")
	return strings.TrimPrefix(impact.Summary, "Node node-a "), facts
}

func TestCausesOfDrains(t *testing.T) {
	deleted := func(after, grace time.Duration, finalizers ...string) *corev1.Pod {
		return builders.Pod("shop", "slow", builders.Deleted(start.Add(after), grace, finalizers...))
	}
	budget := func(options ...builders.BudgetOption) *policyv1.PodDisruptionBudget {
		return builders.Budget("shop", "db", map[string]string{"app": "db"}, options...)
	}
	notReady := builders.Pod("shop", "db-0", builders.PodLabel("app", "db"), builders.PodReady(corev1.ConditionFalse))
	const (
		never     = "does not drain: a PodDisruptionBudget never allows a disruption"
		all       = "does not drain: a PodDisruptionBudget asks for all pods that there are"
		now       = "does not drain: a PodDisruptionBudget allows no disruption now"
		unhealthy = "does not drain: a PodDisruptionBudget protects pods that are not ready"
		several   = "does not drain: several PodDisruptionBudgets select the same pod"
		gone      = "does not drain: a pod that was deleted does not go"
		migrates  = "does not drain: a virtual machine does not migrate"
		silent    = "does not drain: the node is unreachable"
		unknown   = "takes long to drain, for no reason that is known here"
	)
	for _, test := range []struct {
		name         string
		node         *corev1.Node
		drain        assess.DrainInput
		cause, facts string
	}{
		{
			name: "at its limit", drain: drainOf(dbPod, dbAtLimit), cause: now,
			facts: "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 2, expected 3).",
		},
		{
			name: "minAvailable more than there are pods", drain: drainOf(dbPod, budget(builders.MinAvailablePods(intstr.FromInt32(3)), builders.Disruptions(0, 3, 2, 2))), cause: all,
			facts: "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 3, currently healthy 2, expected 2), since its minAvailable is 3, and there are 2 pods.",
		},
		{
			name: "a single pod", drain: drainOf(builders.Pod("shop", "web-5d4f-x", builders.OwnedBy("apps/v1", "ReplicaSet", "web-5d4f"), builders.PodLabel("pod-template-hash", "5d4f"), builders.PodLabel("app", "db")),
				budget(builders.MinAvailablePods(intstr.FromInt32(1)), builders.Disruptions(0, 1, 1, 1))), cause: all,
			facts: "Pod shop/web-5d4f-x of Deployment web: PodDisruptionBudget db allows 0 disruptions (desired healthy 1, currently healthy 1, expected 1), since its minAvailable is 1, and there is a single pod.",
		},
		{
			name: "all pods that there are, and one that is deleted", drain: drainOf(deleted(0, 0), dbPod, dbAll), cause: all,
			facts: "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 2, expected 2), since its minAvailable is 2, and there are 2 pods.\n" +
				"Pod shop/slow, of no workload: it was deleted, to be gone by 2026-03-02T08:00:00Z after a grace period of 0s.",
		},
		{
			name: "minAvailable as a percentage, one pod elsewhere is not healthy", drain: drainOf(dbPod, budget(builders.MinAvailablePods(intstr.FromString("100%")), builders.Disruptions(0, 2, 1, 2))), cause: never,
			facts: "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 1, expected 2), and never can: its minAvailable is 100%, and there are 2 replicas.",
		},
		{
			name: "a percentage of a single replica", drain: drainOf(dbPod, budget(builders.MinAvailablePods(intstr.FromString("50%")), builders.Disruptions(0, 1, 1, 1))), cause: never,
			facts: "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 1, currently healthy 1, expected 1), and never can: its minAvailable is 50%, and there is a single replica.",
		},
		{
			name: "can't be computed", drain: drainOf(dbPod, budget(builders.BudgetFails("no scale"))), cause: now,
			facts: "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 0, currently healthy 0, expected 0), since it can't be computed: no scale.",
		},
		{
			name: "not ready", drain: drainOf(notReady, budget(builders.Disruptions(0, 2, 1, 3))), cause: unhealthy,
			facts: "Pod shop/db-0, of no workload: it is not ready; PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 1, expected 3).",
		},
		{
			name: "not ready, but enough others are", drain: drainOf(notReady, budget(builders.Disruptions(0, 2, 2, 3))), cause: unknown,
			facts: "Pod shop/db-0, of no workload: it is not ready; PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 2, expected 3).",
		},
		{
			name: "not ready, and may be evicted always", drain: drainOf(notReady, budget(builders.Disruptions(0, 2, 1, 3), builders.UnhealthyPods(policyv1.AlwaysAllow))), cause: unknown,
			facts: "Pod shop/db-0, of no workload: it is not ready; PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 1, expected 3).",
		},
		{
			name: "does not run yet", drain: drainOf(builders.Pod("shop", "db-0", builders.PodLabel("app", "db"), builders.PodPhase(corev1.PodPending)), dbNever), cause: unknown,
			facts: "Pod shop/db-0, of no workload: PodDisruptionBudget db allows 0 disruptions (desired healthy 3, currently healthy 3, expected 3), and never can: its maxUnavailable is 0.",
		},
		{
			name: "several budgets", drain: drainOf(dbPod, dbNever, builders.Budget("shop", "all", nil, builders.Disruptions(1, 4, 5, 5))), cause: several,
			facts: "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget all allows 1 disruption (desired healthy 4, currently healthy 5, expected 5); PodDisruptionBudget db allows 0 disruptions (desired healthy 3, currently healthy 3, expected 3), and never can: its maxUnavailable is 0.",
		},
		{
			name: "a budget of another namespace, of other pods, and that allows it", cause: unknown, facts: "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget allows allows 1 disruption (desired healthy 2, currently healthy 3, expected 3).",
			drain: drainOf(dbPod, builders.Budget("other", "db", nil, builders.Disruptions(0, 3, 3, 3)), builders.Budget("shop", "web", map[string]string{"app": "web"}, builders.Disruptions(0, 3, 3, 3)),
				builders.Budget("shop", "allows", map[string]string{"app": "db"}, builders.Disruptions(1, 2, 3, 3))),
		},
		{
			name: "past its deletion time", drain: drainOf(deleted(5*time.Minute, 30*time.Second, "example.com/a", "example.com/b")), cause: gone,
			facts: "Pod shop/slow, of no workload: it was deleted, to be gone by 2026-03-02T08:05:00Z after a grace period of 30s, and has the finalizers example.com/a, example.com/b.",
		},
		{
			name: "a long grace period", drain: drainOf(deleted(time.Hour, time.Hour)), cause: gone,
			facts: "Pod shop/slow, of no workload: it was deleted, to be gone by 2026-03-02T09:00:00Z after a grace period of 1h0m0s.",
		},
		{
			name: "on its way", drain: drainOf(deleted(20*time.Minute, 30*time.Second)), cause: unknown,
			facts: "Pod shop/slow, of no workload: it was deleted, to be gone by 2026-03-02T08:20:00Z after a grace period of 30s.",
		},
		{
			name: "a virtual machine", drain: drainOf(builders.Pod("vms", "virt-launcher-a", builders.PodLabel("kubevirt.io", "virt-launcher"), builders.OwnedBy("kubevirt.io/v1", "VirtualMachineInstance", "a")),
				builders.Budget("vms", "kubevirt-disruption-budget", nil, builders.MinAvailablePods(intstr.FromInt32(1)), builders.Disruptions(0, 1, 1, 1))), cause: migrates,
			facts: "Pod vms/virt-launcher-a of VirtualMachineInstance a: PodDisruptionBudget kubevirt-disruption-budget allows 0 disruptions (desired healthy 1, currently healthy 1, expected 1), since its minAvailable is 1, and there is a single pod.",
		},
		{
			name: "unreachable", node: drainingNode(builders.NodeCondition(corev1.NodeReady, corev1.ConditionUnknown, start, "", "")), drain: drainOf(dbPod), cause: silent,
			facts: "Pod shop/db-0 of StatefulSet db.",
		},
		{
			name: "nobody is left", cause: unknown, facts: "No pod is left on the node that a drain waits for.",
			drain: drainOf(builders.Pod("a", "daemon", builders.OwnedBy("apps/v1", "DaemonSet", "daemon")), builders.Pod("a", "done", builders.PodPhase(corev1.PodSucceeded)), builders.Pod("a", "failed", builders.PodPhase(corev1.PodFailed)),
				builders.Pod("a", "static", builders.PodAnnotation(corev1.MirrorPodAnnotationKey, "x"))),
		},
		{
			name: "the first of several", drain: drainOf(deleted(0, 0), builders.Pod("a", "other"), dbPod, dbAtLimit), cause: gone,
			facts: "Pod shop/slow, of no workload: it was deleted, to be gone by 2026-03-02T08:00:00Z after a grace period of 0s.\n" +
				"Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 2, expected 3).\nPod a/other, of no workload.",
		},
		{
			name: "what the operator says", drain: drainOf(drainTold("rendered-worker-new", metav1.ConditionUnknown, 0, "evicting\n  failed")), cause: unknown,
			facts: "No pod is left on the node that a drain waits for.\nThe Machine Config Operator says: evicting failed",
		},
		{
			name: "what it says of another drain", drain: drainOf(drainTold("rendered-worker-old", metav1.ConditionUnknown, 0, "evicting")), cause: unknown,
			facts: "No pod is left on the node that a drain waits for.",
		},
		{
			name: "what the daemon says", node: drainingNode(builders.Annotation(builders.AnnotationReason, "failed to drain node after 1 hour")), drain: drainOf(), cause: unknown,
			facts: "No pod is left on the node that a drain waits for.\nThe node's daemon says: failed to drain node after 1 hour",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.node == nil {
				test.node = drainingNode()
			}
			cause, facts := describeDrain(t, drainResult(test.node, test.drain)(start.Add(15*time.Minute)))
			if cause != test.cause || facts != test.facts {
				t.Errorf("got  %s\n%s\nwant %s\n%s", cause, facts, test.cause, test.facts)
			}
		})
	}
}

// TestStartOfDrains: what tells when a drain began, and that nothing makes it older than it was seen to be.
func TestStartOfDrains(t *testing.T) {
	cordoned := func(at time.Duration) *corev1.Node { return drainingNode(builders.CordonedSince(start.Add(at))) }
	seen := func(at time.Duration, objects ...metav1.Object) assess.DrainInput {
		drain := drainOf(objects...)
		drain.Observed = start.Add(at)
		return drain
	}
	inFiles := func(started time.Duration, objects ...metav1.Object) assess.DrainInput {
		drain := drainOf(objects...)
		drain.Observed, drain.UpdateStarted = time.Time{}, start.Add(started)
		return drain
	}
	told := func(at time.Duration) metav1.Object {
		return drainTold("rendered-worker-new", metav1.ConditionUnknown, at, "")
	}
	for _, test := range []struct {
		name  string
		node  *corev1.Node
		drain assess.DrainInput
		want  string
	}{
		{"as seen", drainingNode(), seen(time.Minute), "08:01:00"},
		{"a moment is not older than it is", drainingNode(), seen(time.Minute + time.Millisecond), "08:01:01"},
		{"cordoned by hand before", cordoned(-time.Hour), seen(time.Minute), "08:01:00"},
		{"cordoned anew for a second drain", cordoned(2 * time.Minute), seen(time.Minute), "08:02:00"},
		{"the operator knows of an earlier one", cordoned(2 * time.Minute), seen(time.Minute, told(-time.Minute)), "07:59:00"},
		{"the operator says it anew", cordoned(2 * time.Minute), seen(time.Minute, told(9*time.Minute)), "08:02:00"},
		{"another configuration", drainingNode(), seen(time.Minute, drainTold("rendered-worker-old", metav1.ConditionUnknown, -time.Hour, "")), "08:01:00"},
		{"a drain that is done", drainingNode(), seen(time.Minute, drainTold("rendered-worker-new", metav1.ConditionTrue, -time.Hour, "")), "08:01:00"},
		{"in files", cordoned(time.Minute), inFiles(0), "08:01:00"},
		{"in files, cordoned by hand before the update", cordoned(-time.Hour), inFiles(3 * time.Minute), "08:03:00"},
		{"in files with the operator's word", cordoned(time.Minute), inFiles(0, told(2*time.Minute)), "08:02:00"},
		{"in files without a word", drainingNode(), inFiles(0), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			for _, one := range health(drainResult(test.node, test.drain)(start.Add(30 * time.Minute))) {
				got = one.Health.StartedAt.UTC().Format(time.TimeOnly)
			}
			if got != test.want {
				t.Errorf("since %q, want %q", got, test.want)
			}
		})
	}
}

// TestDrainByTheClock: the level, the wish to read and what is said of a pod change at moments that NextCheck tells.
func TestDrainByTheClock(t *testing.T) {
	ending := builders.Pod("shop", "slow", builders.Deleted(start.Add(20*time.Minute), time.Minute))
	result := drainResult(drainingNode(), drainOf(ending))
	var got []string
	for now := start; !now.IsZero(); {
		at := result(now)
		line := fmt.Sprintf("%s %t", now.Sub(start).Truncate(time.Second), at.LongDrain)
		for _, one := range health(at) {
			line += fmt.Sprintf(" %s %s", one.Health.Impact.Level, one.Health.Impact.Summary)
		}
		got = append(got, line)
		now = at.NextCheck
	}
	want := []string{
		"0s false",
		"10m0s true Warning Node node-a takes long to drain, for no reason that is known here",
		"21m0s true Warning Node node-a does not drain: a pod that was deleted does not go",
		"1h0m0s true Error Node node-a does not drain: a pod that was deleted does not go",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("course of a drain (-want +got):\n%s", diff)
	}
}

// TestDrainDoesNotFlicker: neither level, nor counts, nor the order of what was read make another insight or summary, and
// the description is the same for the same facts.
func TestDrainDoesNotFlicker(t *testing.T) {
	var pods []metav1.Object
	for at := range 12 {
		pods = append(pods, builders.Pod("shop", fmt.Sprintf("db-%02d", at), builders.PodLabel("app", "db"), builders.OwnedBy("apps/v1", "StatefulSet", "db")))
	}
	rapid.Check(t, func(t *rapid.T) {
		left := rapid.Permutation(pods).Draw(t, "pods")[:rapid.IntRange(1, 12).Draw(t, "left")]
		objects := append(slices.Clone(left), dbAtLimit)
		ordered := slices.Clone(objects)
		slices.SortFunc(ordered, func(a, b metav1.Object) int { return strings.Compare(a.GetName(), b.GetName()) })
		at := start.Add(time.Duration(rapid.IntRange(601, 7200).Draw(t, "seconds")) * time.Second)
		got, same := health(drainResult(drainingNode(), drainOf(objects...))(at)), health(drainResult(drainingNode(), drainOf(ordered...))(at))
		if diff := cmp.Diff(same, got); diff != "" {
			t.Errorf("another order (-ordered +got):\n%s", diff)
		}
		first := health(drainResult(drainingNode(), drainOf(dbPod, dbAtLimit))(start.Add(11 * time.Minute)))[0]
		if got[0].UID != first.UID || got[0].Health.Impact.Summary != first.Health.Impact.Summary {
			t.Errorf("another insight: %s %s", got[0].UID, got[0].Health.Impact.Summary)
		}
	})
	for count, more := range map[int]string{7: "", 8: "\nAnd 1 more pod.", 12: "\nAnd 5 more pods."} {
		all := health(drainResult(drainingNode(), drainOf(append(slices.Clone(pods[:count]), dbAtLimit)...))(start.Add(time.Hour)))[0].Health
		if !strings.HasSuffix(all.Impact.Description, "expected 3)."+more) || len(all.Scope.Resources) != 1+7+1+1 {
			t.Errorf("%d pods: %d resources, %s", count, len(all.Scope.Resources), all.Impact.Description)
		}
	}
}

// TestDrainIsBounded: whatever is called as it likes, what is written is what the API server accepts.
func TestDrainIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringN(200, 400, -1), rapid.SampledFrom([]string{" ", "\n", strings.Repeat("x\n", 500)}))
		var objects []metav1.Object
		for range rapid.IntRange(0, 20).Draw(t, "pods") {
			objects = append(objects, builders.Pod("shop", rapid.StringMatching(`[a-z]{1,253}`).Draw(t, "pod"), builders.PodLabel("app", "db"),
				builders.OwnedBy(text.Draw(t, "version"), text.Draw(t, "kind"), text.Draw(t, "owner"))))
		}
		for range rapid.IntRange(0, 6).Draw(t, "budgets") {
			objects = append(objects, builders.Budget("shop", rapid.StringMatching(`[a-z]{1,253}`).Draw(t, "budget"), nil, builders.BudgetFails(text.Draw(t, "failure"))))
		}
		objects = append(objects, drainTold("rendered-worker-new", metav1.ConditionUnknown, 0, text.Draw(t, "told")))
		for _, one := range health(drainResult(drainingNode(), drainOf(objects...))(start.Add(time.Hour))) {
			if n := utf8.RuneCountInString(one.Health.Impact.Description); n > updatev1alpha1.DescriptionMaxLength {
				t.Errorf("a description of %d characters", n)
			}
			if strings.Contains(one.Health.Impact.Description, "more resource") {
				t.Errorf("resources were cut: %v", one.Health.Scope.Resources)
			}
			for _, ref := range one.Health.Scope.Resources {
				for _, field := range []struct {
					text     string
					min, max int
				}{{ref.Group, 0, 253}, {ref.Resource, 1, 63}, {ref.Name, 1, 253}, {ref.Namespace, 0, 63}} {
					if n := utf8.RuneCountInString(field.text); n < field.min || n > field.max || !utf8.ValidString(field.text) {
						t.Errorf("reference %+v", ref)
					}
				}
			}
		}
	})
}

func TestKeptDrains(t *testing.T) {
	updatingSince := func(status metav1.ConditionStatus, reason string) []metav1.Condition {
		return []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: status, Reason: reason, LastTransitionTime: metav1.NewTime(start)}}
	}
	nodeOf := func(name string, conditions []metav1.Condition) updatev1alpha1.Insight {
		return updatev1alpha1.Insight{Type: updatev1alpha1.InsightNode, Node: &updatev1alpha1.NodeInsight{Name: name, Conditions: conditions}}
	}
	explained := health(drainResult(drainingNode(), drainOf(dbPod))(start.Add(time.Hour)))[0]
	explained.Health.StartedAt = ptrTime(start.Add(time.Minute))
	other := *explained.DeepCopy()
	other.UID = "health-of-something-else"
	other.Health.StartedAt = ptrTime(start.Add(time.Hour))
	draining := updatingSince(metav1.ConditionTrue, updatev1alpha1.ReasonDraining)
	got := assess.KeptDrains(&updatev1alpha1.UpdateStatusStatus{
		ControlPlane: &updatev1alpha1.ControlPlane{Informers: []updatev1alpha1.Informer{
			{Name: "node-informer", Insights: []updatev1alpha1.Insight{nodeOf("master-0", draining)}},
			{Name: "of-somebody-else", Insights: []updatev1alpha1.Insight{nodeOf("master-1", draining)}},
		}},
		WorkerPools: []updatev1alpha1.WorkerPool{{Informers: []updatev1alpha1.Informer{{Name: "node-informer", Insights: []updatev1alpha1.Insight{
			nodeOf("node-a", draining), nodeOf("rebooting", updatingSince(metav1.ConditionTrue, updatev1alpha1.ReasonRebooting)),
			nodeOf("pending", updatingSince(metav1.ConditionFalse, updatev1alpha1.ReasonPending)), explained, other,
		}}}}},
	})
	if diff := cmp.Diff(map[string]time.Time{"master-0": start, "node-a": start.Add(time.Minute)}, got); diff != "" {
		t.Errorf("drains (-want +got):\n%s", diff)
	}
}

// TestDrainsInFiles: what files hold of pods explains drains, and what they don't hold is not made up.
func TestDrainsInFiles(t *testing.T) {
	on := func(node string) func(*corev1.Pod) { return func(pod *corev1.Pod) { pod.Spec.NodeName = node } }
	input := func() assess.ClusterInput {
		return assess.ClusterInput{
			ClusterVersion: updating(), MachineConfigPools: []*machineconfigv1.MachineConfigPool{pool()},
			MachineConfigs: []*metav1.PartialObjectMetadata{config("rendered-worker-old", before), config("rendered-worker-new", target)},
			Nodes:          []*corev1.Node{drainingNode(builders.Role("worker"), builders.CordonedSince(start))},
		}
	}
	summaries := func(in assess.ClusterInput) string {
		var found []string
		for _, message := range assess.Cluster(in, start.Add(time.Hour)) {
			for _, report := range message.Reports {
				for _, placed := range report.Insights {
					if one := placed.Insight.Health; one != nil && strings.Contains(one.Impact.Summary, "drain") {
						found = append(found, one.Impact.Summary+"\n"+one.Impact.Description)
					}
				}
			}
		}
		return strings.Join(found, "\n")
	}
	without := input()
	without.Pods = []*corev1.Pod{builders.Pod("shop", "elsewhere", on("node-b")), builders.Pod("shop", "daemon", on("node-a"), builders.OwnedBy("apps/v1", "DaemonSet", "daemon"))}
	without.MachineConfigNodes = []*machineconfigv1.MachineConfigNode{drainTold("rendered-worker-new", metav1.ConditionUnknown, 0, "evicting")}
	want := "Node node-a takes long to drain\n" + theLog + "\nWhich pods keep the node is not known: none was collected that a drain waits for.\nThe Machine Config Operator says: evicting"
	if got := summaries(without); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	with := input()
	pod := dbPod.DeepCopy()
	on("node-a")(pod)
	with.Pods, with.PodDisruptionBudgets = []*corev1.Pod{pod}, []*policyv1.PodDisruptionBudget{dbNever}
	if got := summaries(with); !strings.HasPrefix(got, "Node node-a does not drain: a PodDisruptionBudget never allows a disruption\n") {
		t.Errorf("got %s", got)
	}
}

// TestTrimmedIsEnough: what is explained of trimmed objects is what is explained of whole ones.
func TestTrimmedIsEnough(t *testing.T) {
	whole := []metav1.Object{
		dbPod, builders.Pod("shop", "slow", builders.Deleted(start, time.Minute, "example.com/a")), builders.Pod("shop", "static", builders.PodAnnotation(corev1.MirrorPodAnnotationKey, "x")),
		dbNever, drainTold("rendered-worker-new", metav1.ConditionUnknown, 0, "evicting"),
	}
	var trimmed []metav1.Object
	for _, object := range whole {
		switch object := object.(type) {
		case *corev1.Pod:
			object = object.DeepCopy()
			object.Spec.Containers = []corev1.Container{{Name: "large"}}
			cut := assess.TrimPod(object)
			if len(cut.Spec.Containers) > 0 {
				t.Error("containers are kept")
			}
			trimmed = append(trimmed, cut)
		case *policyv1.PodDisruptionBudget:
			trimmed = append(trimmed, assess.TrimBudget(object))
		case *machineconfigv1.MachineConfigNode:
			trimmed = append(trimmed, assess.TrimMachineConfigNode(object))
		}
	}
	at := start.Add(time.Hour)
	if diff := cmp.Diff(health(drainResult(drainingNode(), drainOf(whole...))(at)), health(drainResult(drainingNode(), drainOf(trimmed...))(at))); diff != "" {
		t.Errorf("(-whole +trimmed):\n%s", diff)
	}
}
