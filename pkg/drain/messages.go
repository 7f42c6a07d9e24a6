package assess

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Pages that help with drains.
const (
	docsBudgets         = "https://kubernetes.io/docs/tasks/run-application/configure-pdb/"
	docsUnhealthyPods   = "https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy"
	docsStuckEvictions  = "https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/#troubleshooting-stuck-evictions"
	docsPodTermination  = "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination"
	docsNodeHealth      = "https://docs.openshift.com/container-platform/latest/support/troubleshooting/verifying-node-health.html"
	docsLiveMigration   = "https://docs.openshift.com/container-platform/latest/virt/live_migration/virt-about-live-migration.html"
	runbookDrainFailing = "https://github.com/openshift/runbooks/blob/master/alerts/machine-config-operator/MachineConfigControllerDrainError.md"
)

// drainWords is what is said of a cause: the end of the summary, and what to do.
type drainWords struct {
	because, advice, reference string
}

const seeLog = "See what the Machine Config Controller logs: " +
	"oc logs -n openshift-machine-config-operator deployment/machine-config-controller -c machine-config-controller"

var wordsOfCause = map[drainCause]drainWords{
	causeUnreachable: {
		"does not drain: the node is unreachable",
		"The kubelet does not tell any more whether pods have ended. Bring the node back. If it is surely off, delete the " +
			"pods with --force, or the Node.",
		docsNodeHealth,
	},
	causeSeveralBudgets: {
		"does not drain: several PodDisruptionBudgets select the same pod",
		"Evictions of such a pod are always refused. Change the selectors, or delete PodDisruptionBudgets, so that only one " +
			"selects the pod.",
		docsStuckEvictions,
	},
	causeNeverAllowed: {
		"does not drain: a PodDisruptionBudget never allows a disruption",
		"Waiting does not help. Let the workload run more replicas or its PodDisruptionBudget allow one disruption, for the " +
			"update at least; or delete the pod by hand, if the workload may be interrupted.",
		docsBudgets,
	},
	causeAllNeeded: {
		"does not drain: a PodDisruptionBudget asks for all pods that there are",
		"See whether the workload has all of its replicas: if pods are missing, the drain may go on once they are there and " +
			"healthy. If none is missing, waiting does not help. Let the workload run more replicas or its PodDisruptionBudget " +
			"allow one disruption, for the update at least; or delete the pod by hand, if the workload may be interrupted.",
		docsBudgets,
	},
	causeUnhealthy: {
		"does not drain: a PodDisruptionBudget protects pods that are not ready",
		"Mend the pods or delete them by hand; with unhealthyPodEvictionPolicy: AlwaysAllow in the PodDisruptionBudget, pods " +
			"that are not ready can be evicted.",
		docsUnhealthyPods,
	},
	causeVirtualMachine: {
		"does not drain: a virtual machine does not migrate",
		"See whether the VirtualMachineInstance is LiveMigratable and how its migration gets on, or stop the virtual machine.",
		docsLiveMigration,
	},
	causeTerminating: {
		"does not drain: a pod that was deleted does not go",
		"A long grace period passes by itself. See why the containers don't end, and what is to remove the finalizers.",
		docsPodTermination,
	},
	causeNotAllowed: {
		"does not drain: a PodDisruptionBudget allows no disruption now",
		"The drain goes on when enough of the workload's pods are healthy: see why they are not, on other nodes as well.",
		docsBudgets,
	},
	causeUnknown: {"takes long to drain, for no reason that is known here", seeLog, runbookDrainFailing},
	causeUnread:  {"takes long to drain", seeLog, runbookDrainFailing},
}

func (e explanation) words() drainWords {
	return wordsOfCause[e.cause]
}

func (e explanation) summary(node string) string {
	return fmt.Sprintf("Node %s %s", node, e.words().because)
}

// How much of a drain is named: together with the node no more than a scope may have.
const (
	namedPods    = 7
	namedBudgets = 4
	namedOwners  = 4
)

// Texts of the cluster are cut where they could fill the description.
const (
	toldLength   = 512
	phraseLength = 128
)

// description says what to do first: texts are cut at their end.
func (e explanation) description(node *nodeFacts) string {
	lines := []string{e.words().advice}
	switch {
	case e.unread != "":
		lines = append(lines, "Which pods keep the node is not known: "+phrase(e.unread)+".")
	case len(e.pods) == 0:
		lines = append(lines, "No pod is left on the node that a drain waits for.")
	}
	for _, one := range e.pods[:min(len(e.pods), namedPods)] {
		lines = append(lines, one.sentence())
	}
	if more := len(e.pods) - namedPods; more > 0 {
		lines = append(lines, fmt.Sprintf("And %s.", numberOf(more, "more pod")))
	}
	if told := node.drainTold().Message; told != "" {
		lines = append(lines, "The Machine Config Operator says: "+insight.Shorten(insight.OneLine(told), toldLength))
	} else if reason := node.node.Annotations[ReasonAnnotation]; reason != "" {
		lines = append(lines, "The node's daemon says: "+insight.Shorten(insight.OneLine(reason), toldLength))
	}
	return strings.Join(lines, "\n")
}

func (r remaining) sentence() string {
	pod := fmt.Sprintf("Pod %s/%s", r.pod.Namespace, r.pod.Name)
	if r.owner.kind == "" {
		pod += ", of no workload"
	} else {
		pod += fmt.Sprintf(" of %s %s", phrase(r.owner.kind), phrase(r.owner.name))
	}
	var facts []string
	if r.pod.DeletionTimestamp != nil {
		facts = append(facts, deletion(r.pod))
	} else if r.pod.Status.Phase != corev1.PodPending && !isReady(r.pod) {
		facts = append(facts, "it is not ready")
	}
	for _, budget := range r.budgets[:min(len(r.budgets), namedBudgets)] {
		facts = append(facts, budgetFacts(budget))
	}
	if len(facts) == 0 {
		return pod + "."
	}
	return pod + ": " + strings.Join(facts, "; ") + "."
}

func deletion(pod *corev1.Pod) string {
	words := fmt.Sprintf("it was deleted, to be gone by %s after a grace period of %s",
		pod.DeletionTimestamp.UTC().Format(time.RFC3339), gracePeriod(pod))
	if len(pod.Finalizers) > 0 {
		words += ", and has the finalizers " + phrase(strings.Join(pod.Finalizers, ", "))
	}
	return words
}

// budgetFacts are the numbers of a budget, and why it allows nothing.
func budgetFacts(budget *policyv1.PodDisruptionBudget) string {
	status := budget.Status
	words := fmt.Sprintf("PodDisruptionBudget %s allows %s (desired healthy %d, currently healthy %d, expected %d)",
		budget.Name, numberOf(int(status.DisruptionsAllowed), "disruption"), status.DesiredHealthy, status.CurrentHealthy, status.ExpectedPods)
	failed := meta.FindStatusCondition(status.Conditions, policyv1.DisruptionAllowedCondition)
	switch {
	case status.DisruptionsAllowed > 0:
	case neverAllows(budget):
		words += ", and never can: " + whyNone(budget)
	case needsAll(budget):
		words += ", since " + whyNone(budget)
	case failed != nil && failed.Reason == policyv1.SyncFailedReason:
		words += ", since it can't be computed: " + phrase(failed.Message)
	}
	return words
}

// whyNone says what in a budget leaves no room for a disruption.
func whyNone(budget *policyv1.PodDisruptionBudget) string {
	spec := budget.Spec
	switch {
	case spec.MaxUnavailable != nil:
		return "its maxUnavailable is " + phrase(spec.MaxUnavailable.String())
	case spec.MinAvailable == nil:
		return "it asks for all of its pods"
	default:
		return fmt.Sprintf("its minAvailable is %s, and %s", phrase(spec.MinAvailable.String()), expected(budget))
	}
}

// expected counts the pods that a budget is about.
func expected(budget *policyv1.PodDisruptionBudget) string {
	pods, thing := int(budget.Status.ExpectedPods), "pod"
	if expectsReplicas(budget) {
		thing = "replica"
	}
	if pods == 1 {
		return "there is a single " + thing
	}
	return "there are " + numberOf(pods, thing)
}

func phrase(text string) string {
	return insight.Shorten(insight.OneLine(text), phraseLength)
}

// resources are the pods, the budgets of those that a budget keeps, and the workloads.
func (e explanation) resources() []updatev1alpha1.ResourceRef {
	var pods, budgets, owners []updatev1alpha1.ResourceRef
	for _, one := range e.pods {
		pods = add(pods, namedPods, updatev1alpha1.ResourceRef{Resource: "pods", Name: one.pod.Name, Namespace: one.pod.Namespace})
		for _, budget := range one.budgets {
			budgets = add(budgets, namedBudgets, insight.Budget(budget.Namespace, budget.Name))
		}
		if one.owner.kind != "" {
			owners = add(owners, namedOwners, one.owner.reference(one.pod.Namespace))
		}
	}
	return slices.Concat(pods, budgets, owners)
}

func add(refs []updatev1alpha1.ResourceRef, limit int, ref updatev1alpha1.ResourceRef) []updatev1alpha1.ResourceRef {
	if len(refs) == limit || slices.Contains(refs, ref) {
		return refs
	}
	return append(refs, ref)
}

// workload is what a pod belongs to, empty if to nothing.
type workload struct {
	group, kind, name string
}

// workloadOf goes by the pod alone. The ReplicaSet of a Deployment is named after it and the hash of its template, which the
// pod has as a label. What an owner is called is not checked by the API server.
func workloadOf(pod *corev1.Pod) workload {
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil {
		return workload{}
	}
	kind, name := insight.OneLine(owner.Kind), insight.OneLine(owner.Name)
	if kind == "" || name == "" {
		return workload{}
	}
	group := schema.FromAPIVersionAndKind(owner.APIVersion, kind).Group
	hash := pod.Labels[podTemplateHash]
	if deployment, ofDeployment := strings.CutSuffix(name, "-"+hash); kind == "ReplicaSet" && hash != "" && ofDeployment && deployment != "" {
		return workload{group, "Deployment", deployment}
	}
	return workload{group, kind, name}
}

const podTemplateHash = "pod-template-hash"

// reference names the workload by the resource that its kind usually has.
func (w workload) reference(namespace string) updatev1alpha1.ResourceRef {
	plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: w.kind})
	return updatev1alpha1.ResourceRef{
		Group:     insight.Shorten(w.group, nameMaxLength),
		Resource:  insight.Shorten(plural.Resource, resourceMaxLength),
		Name:      insight.Shorten(w.name, nameMaxLength),
		Namespace: namespace,
	}
}

const resourceMaxLength = 63
