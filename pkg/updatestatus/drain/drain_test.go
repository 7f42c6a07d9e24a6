package drain_test

import (
	"fmt"
	"math"
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

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

var (
	start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	now   = start.Add(15 * time.Minute)

	ofSet = builders.OwnedBy("apps/v1", "StatefulSet", "db")
	dbPod = builders.Pod("shop", "db-0", ofSet, builders.PodLabel("app", "db"))
)

// dbBudget is a PodDisruptionBudget that selects dbPod.
func dbBudget(options ...builders.BudgetOption) *policyv1.PodDisruptionBudget {
	return builders.Budget("shop", "db", map[string]string{"app": "db"}, options...)
}

func maxUnavailable(pods int32) builders.BudgetOption {
	return builders.MaxUnavailablePods(intstr.FromInt32(pods))
}

func minAvailable(pods int32) builders.BudgetOption {
	return builders.MinAvailablePods(intstr.FromInt32(pods))
}

func minAvailableShare(percentage string) builders.BudgetOption {
	return builders.MinAvailablePods(intstr.FromString(percentage))
}

// numbers are those of the status of a budget that allows no disruption.
func numbers(desired, current, expected int32) builders.BudgetOption {
	return builders.Disruptions(0, desired, current, expected)
}

// input is the drain of node-a, with pods and budgets.
func input(objects ...metav1.Object) drain.Input {
	blockers := &drain.Blockers{}
	for _, object := range objects {
		switch object := object.(type) {
		case *corev1.Pod:
			blockers.Pods = append(blockers.Pods, object)
		case *policyv1.PodDisruptionBudget:
			blockers.Budgets = append(blockers.Budgets, object)
		}
	}
	return drain.Input{Node: "node-a", Blockers: blockers}
}

// endless makes a pod one that was deleted with a grace period whose end is unknown.
func endless(pod *corev1.Pod, seconds int64) {
	pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &metav1.Time{}, &seconds
}

func deleted(after, grace time.Duration, finalizers ...string) *corev1.Pod {
	return builders.Pod("shop", "slow", builders.Deleted(start.Add(after), grace, finalizers...))
}

// The summaries without their subject.
const (
	unreachable     = "does not drain: the node is unreachable"
	severalBudgets  = "does not drain: several PodDisruptionBudgets select the same pod"
	neverAllowed    = "does not drain: a PodDisruptionBudget never allows a disruption"
	allNeeded       = "does not drain: a PodDisruptionBudget requires all existing pods"
	unhealthy       = "does not drain: a PodDisruptionBudget protects pods that are not ready"
	virtualMachine  = "does not drain: a virtual machine does not migrate"
	terminating     = "does not drain: a deleted pod is stuck terminating"
	notAllowed      = "does not drain: a PodDisruptionBudget currently allows no disruption"
	causeUnknown    = "is taking long to drain, cause unknown"
	podsUnknown     = "is taking long to drain"
	noPods          = "The node has no pod left that a drain waits for."
	dbPodAndBudget  = "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget db allows 0 disruptions "
	neverAllowsFact = "(desired healthy 3, currently healthy 3, expected 3), and never can: its maxUnavailable is 0."
)

// explain returns the insight about a drain.
func explain(in drain.Input, at time.Time) *updatev1alpha1.HealthInsight {
	check := assess.Check[drain.Input]{
		HealthCheck: assess.HealthCheck{Name: "drain", Subject: assess.NodeNoun, Texts: drain.Texts},
		Find:        func(in drain.Input) *assess.Finding { return drain.Explain(in, at) },
	}
	found, _ := assess.CheckHealth([]assess.Check[drain.Input]{check}, in, assess.Subject{Resource: assess.NodeRef(in.Node)}, at)
	return found[0].Insight.Health
}

func TestExplain(t *testing.T) {
	notReady := builders.Pod("shop", "db-0", builders.PodLabel("app", "db"), builders.PodReady(corev1.ConditionFalse))
	never := dbBudget(maxUnavailable(0), numbers(3, 3, 3))
	atLimit := dbBudget(maxUnavailable(1), numbers(2, 2, 3))
	withMessages := func(operator, daemon string) drain.Input {
		in := input()
		in.OperatorMessage, in.DaemonMessage = operator, daemon
		return in
	}
	for _, test := range []struct {
		name string
		in   drain.Input
		// wantSummary is without the subject, and wantFacts the description after the advice.
		wantSummary, wantFacts string
	}{
		{
			name:        "maxUnavailable 0",
			in:          input(dbPod, never),
			wantSummary: neverAllowed,
			wantFacts:   dbPodAndBudget + neverAllowsFact,
		},
		{
			name:        "budget at its limit",
			in:          input(dbPod, atLimit),
			wantSummary: notAllowed,
			wantFacts:   dbPodAndBudget + "(desired healthy 2, currently healthy 2, expected 3).",
		},
		{
			name:        "minAvailable equals the existing pods",
			in:          input(dbPod, dbBudget(minAvailable(2), numbers(2, 2, 2))),
			wantSummary: allNeeded,
			wantFacts:   dbPodAndBudget + "(desired healthy 2, currently healthy 2, expected 2), because its minAvailable is 2.",
		},
		{
			name:        "minAvailable exceeds the existing pods",
			in:          input(dbPod, dbBudget(minAvailable(3), numbers(3, 2, 2))),
			wantSummary: allNeeded,
			wantFacts:   dbPodAndBudget + "(desired healthy 3, currently healthy 2, expected 2), because its minAvailable is 3.",
		},
		{
			name: "single pod of a Deployment",
			in: input(builders.Pod("shop", "web-5d4f-x", builders.OwnedBy("apps/v1", "ReplicaSet", "web-5d4f"),
				builders.PodLabel("pod-template-hash", "5d4f"), builders.PodLabel("app", "db")),
				dbBudget(minAvailable(1), numbers(1, 1, 1))),
			wantSummary: allNeeded,
			wantFacts: "Pod shop/web-5d4f-x of Deployment web: PodDisruptionBudget db allows 0 disruptions " +
				"(desired healthy 1, currently healthy 1, expected 1), because its minAvailable is 1.",
		},
		{
			name:        "all pods needed, and a deleted pod",
			in:          input(deleted(0, 0), dbPod, dbBudget(minAvailable(2), numbers(2, 2, 2))),
			wantSummary: allNeeded,
			wantFacts: dbPodAndBudget + "(desired healthy 2, currently healthy 2, expected 2), because its minAvailable is 2.\n" +
				"Pod shop/slow without a controller: it was deleted with a grace period of 0s, which ends at 2026-03-02T08:00:00Z.",
		},
		{
			name:        "minAvailable 100%, a pod elsewhere is unhealthy",
			in:          input(dbPod, dbBudget(minAvailableShare("100%"), numbers(2, 1, 2))),
			wantSummary: neverAllowed,
			wantFacts:   dbPodAndBudget + "(desired healthy 2, currently healthy 1, expected 2), and never can: its minAvailable is 100%.",
		},
		{
			name:        "minAvailable 50% of a single replica",
			in:          input(dbPod, dbBudget(minAvailableShare("50%"), numbers(1, 1, 1))),
			wantSummary: neverAllowed,
			wantFacts:   dbPodAndBudget + "(desired healthy 1, currently healthy 1, expected 1), and never can: its minAvailable is 50%.",
		},
		{
			name:        "neither minAvailable nor maxUnavailable",
			in:          input(dbPod, dbBudget(numbers(0, 3, 0))),
			wantSummary: neverAllowed,
			wantFacts:   dbPodAndBudget + "(desired healthy 0, currently healthy 3, expected 0), and never can: it sets neither minAvailable nor maxUnavailable.",
		},
		{
			name:        "budget cannot be computed",
			in:          input(dbPod, dbBudget(maxUnavailable(1), builders.BudgetFails("no scale"))),
			wantSummary: notAllowed,
			wantFacts:   dbPodAndBudget + "(desired healthy 0, currently healthy 0, expected 0), because the number cannot be computed: no scale.",
		},
		{
			name:        "pod not ready",
			in:          input(notReady, dbBudget(maxUnavailable(1), numbers(2, 1, 3))),
			wantSummary: unhealthy,
			wantFacts:   "Pod shop/db-0 without a controller: it is not ready; PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 1, expected 3).",
		},
		{
			name:        "pod not ready, enough others are healthy",
			in:          input(notReady, dbBudget(maxUnavailable(1), numbers(2, 2, 3))),
			wantSummary: causeUnknown,
			wantFacts:   "Pod shop/db-0 without a controller: it is not ready; PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 2, expected 3).",
		},
		{
			name:        "pod not ready, no healthy pod is desired",
			in:          input(notReady, dbBudget(maxUnavailable(3), numbers(0, 0, 3))),
			wantSummary: unhealthy,
			wantFacts:   "Pod shop/db-0 without a controller: it is not ready; PodDisruptionBudget db allows 0 disruptions (desired healthy 0, currently healthy 0, expected 3).",
		},
		{
			name:        "pod not ready, AlwaysAllow",
			in:          input(notReady, dbBudget(maxUnavailable(1), numbers(2, 1, 3), builders.UnhealthyPods(policyv1.AlwaysAllow))),
			wantSummary: causeUnknown,
			wantFacts:   "Pod shop/db-0 without a controller: it is not ready; PodDisruptionBudget db allows 0 disruptions (desired healthy 2, currently healthy 1, expected 3).",
		},
		{
			name:        "pod ready, AlwaysAllow",
			in:          input(dbPod, dbBudget(maxUnavailable(1), numbers(2, 2, 3), builders.UnhealthyPods(policyv1.AlwaysAllow))),
			wantSummary: notAllowed,
			wantFacts:   dbPodAndBudget + "(desired healthy 2, currently healthy 2, expected 3).",
		},
		{
			name:        "pod pending",
			in:          input(builders.Pod("shop", "db-0", builders.PodLabel("app", "db"), builders.PodPhase(corev1.PodPending)), never),
			wantSummary: causeUnknown,
			wantFacts:   "Pod shop/db-0 without a controller: PodDisruptionBudget db allows 0 disruptions " + neverAllowsFact,
		},
		{
			name:        "several budgets",
			in:          input(dbPod, never, builders.Budget("shop", "all", nil, builders.Disruptions(1, 4, 5, 5))),
			wantSummary: severalBudgets,
			wantFacts: "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget all allows 1 disruption (desired healthy 4, currently healthy 5, expected 5); " +
				"PodDisruptionBudget db allows 0 disruptions " + neverAllowsFact,
		},
		{
			name: "budget of another namespace, of other pods, and one that allows a disruption",
			in: input(dbPod, builders.Budget("other", "db", nil, numbers(3, 3, 3)),
				builders.Budget("shop", "web", map[string]string{"app": "web"}, numbers(3, 3, 3)),
				builders.Budget("shop", "allows", map[string]string{"app": "db"}, builders.Disruptions(1, 2, 3, 3))),
			wantSummary: causeUnknown,
			wantFacts:   "Pod shop/db-0 of StatefulSet db: PodDisruptionBudget allows allows 1 disruption (desired healthy 2, currently healthy 3, expected 3).",
		},
		{
			name:        "past the deletion time",
			in:          input(deleted(5*time.Minute, 30*time.Second, "example.com/a", "example.com/b")),
			wantSummary: terminating,
			wantFacts: "Pod shop/slow without a controller: it was deleted with a grace period of 30s, which ends at 2026-03-02T08:05:00Z, " +
				"and has the finalizers example.com/a, example.com/b.",
		},
		{
			name:        "long grace period",
			in:          input(deleted(time.Hour, time.Hour)),
			wantSummary: terminating,
			wantFacts:   "Pod shop/slow without a controller: it was deleted with a grace period of 1h0m0s, which ends at 2026-03-02T09:00:00Z.",
		},
		{
			name:        "unknown deletion time",
			in:          input(builders.Pod("shop", "slow", builders.Deleted(time.Time{}, 30*time.Second))),
			wantSummary: causeUnknown,
			wantFacts:   "Pod shop/slow without a controller: it was deleted with a grace period of 30s.",
		},
		{
			name:        "endless grace period",
			in:          input(builders.Pod("shop", "slow", func(pod *corev1.Pod) { endless(pod, math.MaxInt64) })),
			wantSummary: terminating,
			wantFacts:   "Pod shop/slow without a controller: it was deleted with a grace period of 8760h0m0s.",
		},
		{
			name:        "terminating in time",
			in:          input(deleted(20*time.Minute, 30*time.Second)),
			wantSummary: causeUnknown,
			wantFacts:   "Pod shop/slow without a controller: it was deleted with a grace period of 30s, which ends at 2026-03-02T08:20:00Z.",
		},
		{
			name: "virtual machine",
			in: input(builders.Pod("vms", "virt-launcher-a", builders.PodLabel("kubevirt.io", "virt-launcher"),
				builders.OwnedBy("kubevirt.io/v1", "VirtualMachineInstance", "a")),
				builders.Budget("vms", "kubevirt-disruption-budget", nil, minAvailable(1), numbers(1, 1, 1))),
			wantSummary: virtualMachine,
			wantFacts: "Pod vms/virt-launcher-a of VirtualMachineInstance a: PodDisruptionBudget kubevirt-disruption-budget allows 0 disruptions " +
				"(desired healthy 1, currently healthy 1, expected 1), because its minAvailable is 1.",
		},
		{
			name:        "node unreachable",
			in:          drain.Input{Node: "node-a", Unreachable: true, Blockers: &drain.Blockers{Pods: []*corev1.Pod{dbPod}}},
			wantSummary: unreachable,
			wantFacts:   "Pod shop/db-0 of StatefulSet db.",
		},
		{
			name: "only pods that a drain does not wait for",
			in: input(builders.Pod("a", "daemon", builders.OwnedBy("apps/v1", "DaemonSet", "daemon")),
				builders.Pod("a", "done", builders.PodPhase(corev1.PodSucceeded)), builders.Pod("a", "failed", builders.PodPhase(corev1.PodFailed)),
				builders.Pod("a", "static", builders.PodAnnotation(corev1.MirrorPodAnnotationKey, "x"))),
			wantSummary: causeUnknown,
			wantFacts:   noPods,
		},
		{
			name:        "several causes",
			in:          input(deleted(0, 0), builders.Pod("a", "other"), dbPod, atLimit),
			wantSummary: terminating,
			wantFacts: "Pod shop/slow without a controller: it was deleted with a grace period of 0s, which ends at 2026-03-02T08:00:00Z.\n" +
				dbPodAndBudget + "(desired healthy 2, currently healthy 2, expected 3).\nPod a/other without a controller.",
		},
		{
			name:        "pods unknown",
			in:          drain.Input{Node: "node-a", Blockers: &drain.Blockers{Unread: "no valid\nresponse"}},
			wantSummary: podsUnknown,
			wantFacts:   "The pods that block the drain are unknown: no valid response.",
		},
		{
			name:        "message of the operator",
			in:          withMessages("evicting\n  failed", "failed to drain node after 1 hour"),
			wantSummary: causeUnknown,
			wantFacts:   noPods + "\nThe Machine Config Operator reports: evicting failed",
		},
		{
			name:        "message of the daemon",
			in:          withMessages("", "failed to drain node after 1 hour"),
			wantSummary: causeUnknown,
			wantFacts:   noPods + "\nThe Machine Config Daemon reports: failed to drain node after 1 hour",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			explained := explain(test.in, now)
			if want := "Node node-a " + test.wantSummary; explained.Impact.Summary != want {
				t.Errorf("summary %q, want %q", explained.Impact.Summary, want)
			}
			if _, facts, _ := strings.Cut(explained.Impact.Description, "\n"); facts != test.wantFacts {
				t.Errorf("got  %s\nwant %s", facts, test.wantFacts)
			}
			if !strings.HasPrefix(explained.Remediation.Reference, "https://") {
				t.Errorf("reference %q", explained.Remediation.Reference)
			}
		})
	}
}

// TestExplainIsStable draws pods in any order: the summary depends on the cause only, the rest on the facts only.
func TestExplainIsStable(t *testing.T) {
	atLimit := dbBudget(maxUnavailable(1), numbers(2, 2, 3))
	var pods []metav1.Object
	for at := range 12 {
		pods = append(pods, builders.Pod("shop", fmt.Sprintf("db-%02d", at), builders.PodLabel("app", "db"), ofSet))
	}
	first := explain(input(dbPod, atLimit), now)
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.Permutation(pods).Draw(t, "pods")[:rapid.IntRange(1, len(pods)).Draw(t, "count")]
		sorted := slices.SortedFunc(slices.Values(drawn), func(a, b metav1.Object) int { return strings.Compare(a.GetName(), b.GetName()) })
		at := start.Add(time.Duration(rapid.IntRange(601, 7200).Draw(t, "seconds")) * time.Second)
		got := explain(input(append(slices.Clone(drawn), atLimit)...), at)
		if diff := cmp.Diff(explain(input(append(sorted, atLimit)...), at), got); diff != "" {
			t.Errorf("another order (-sorted +drawn):\n%s", diff)
		}
		if got.Impact.Summary != first.Impact.Summary {
			t.Errorf("summary %q, want %q", got.Impact.Summary, first.Impact.Summary)
		}
	})
	for count, more := range map[int]string{7: "", 8: "\nAnd 1 more pod.", 12: "\nAnd 5 more pods."} {
		explained := explain(input(append(slices.Clone(pods[:count]), atLimit)...), now)
		if !strings.HasSuffix(explained.Impact.Description, "expected 3)."+more) || len(explained.Scope.Resources) != 1+7+1+1 {
			t.Errorf("%d pods: %d resources, %s", count, len(explained.Scope.Resources), explained.Impact.Description)
		}
	}
}

// TestExplainIsBounded draws names and messages of any form: the API server accepts the result.
func TestExplainIsBounded(t *testing.T) {
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
		in := input(objects...)
		in.OperatorMessage = text.Draw(t, "message")
		explained := explain(in, now)
		if n := len(explained.Scope.Resources); n > updatev1alpha1.ScopeMaxResources {
			t.Errorf("%d resources besides the node", n)
		}
		for _, ref := range explained.Scope.Resources {
			for _, field := range []struct {
				text     string
				min, max int
			}{{ref.Group, 0, 253}, {ref.Resource, 1, 63}, {ref.Name, 1, 253}, {ref.Namespace, 0, 63}} {
				if n := utf8.RuneCountInString(field.text); n < field.min || n > field.max || !utf8.ValidString(field.text) {
					t.Errorf("reference %+v", ref)
				}
			}
		}
	})
}

// TestTrimPod compares the explanation of trimmed pods with that of whole ones.
func TestTrimPod(t *testing.T) {
	never := dbBudget(maxUnavailable(0), numbers(3, 3, 3))
	whole, trimmed := []metav1.Object{never}, []metav1.Object{never}
	for _, pod := range []*corev1.Pod{
		dbPod.DeepCopy(), deleted(0, time.Minute, "example.com/a"),
		builders.Pod("shop", "static", builders.PodAnnotation(corev1.MirrorPodAnnotationKey, "x")),
		builders.Pod("shop", "not-ready", builders.PodReady(corev1.ConditionFalse)), builders.Pod("shop", "done", builders.PodPhase(corev1.PodSucceeded)),
	} {
		pod.Spec.Containers = []corev1.Container{{Name: "large"}}
		whole = append(whole, pod)
		cut := drain.TrimPod(pod)
		if len(cut.Spec.Containers) > 0 {
			t.Error("containers are not trimmed")
		}
		trimmed = append(trimmed, cut)
	}
	if diff := cmp.Diff(explain(input(whole...), now), explain(input(trimmed...), now)); diff != "" {
		t.Errorf("explanation (-whole +trimmed):\n%s", diff)
	}
}
