package drain

import (
	"cmp"
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
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

const (
	waitingDoesNotHelp = "waiting does not help. Run more replicas of the workload, or change its PodDisruptionBudget to allow one " +
		"disruption, at least during the update; or delete the pod manually, if the workload may be interrupted."
	checkLogs = "Check the logs of the Machine Config Controller: " +
		"oc logs -n openshift-machine-config-operator deployment/machine-config-controller -c machine-config-controller"
)

// causeText is what to do about a cause, and a page about it. Its name is the case of the insight.
type causeText struct {
	name, advice, reference string
}

var textOfCause = map[cause]causeText{
	causeUnreachable: {
		name: "NodeUnreachable",
		advice: "The kubelet has stopped reporting, so it is unknown whether pods have terminated. Recover the node. If it is " +
			"certainly powered off, delete the pods with --force, or the Node.",
		reference: reference.NodeHealth,
	},
	causeSeveralBudgets: {
		name: "SeveralBudgets",
		advice: "The API server refuses every eviction of such a pod. Change the selectors, or delete PodDisruptionBudgets, so " +
			"that only one selects the pod.",
		reference: reference.StuckEvictions,
	},
	causeNeverAllowed: {
		name:      "BudgetAllowsNone",
		advice:    "The setting of the PodDisruptionBudget leaves no room for a disruption: " + waitingDoesNotHelp,
		reference: reference.Budgets,
	},
	causeAllNeeded: {
		name: "BudgetNeedsAll",
		advice: "Check whether the workload has all of its replicas: if pods are missing, the drain may continue once they exist " +
			"and are healthy. If none is missing, " + waitingDoesNotHelp,
		reference: reference.Budgets,
	},
	causeUnhealthy: {
		name: "PodsNotReady",
		advice: "Fix the pods or delete them manually; with unhealthyPodEvictionPolicy: AlwaysAllow in the PodDisruptionBudget, " +
			"pods that are not ready can be evicted.",
		reference: reference.UnhealthyPods,
	},
	causeVirtualMachine: {
		name: "VirtualMachine",
		advice: "Check whether the VirtualMachineInstance is LiveMigratable and how its migration is progressing, or stop the " +
			"virtual machine.",
		reference: reference.LiveMigration,
	},
	causeTerminating: {
		name:      "PodTerminating",
		advice:    "A long grace period ends by itself. Check why the containers do not exit, and what should remove the finalizers.",
		reference: reference.PodTermination,
	},
	causeNotAllowed: {
		name:      "BudgetUsedUp",
		advice:    "The drain continues when enough pods of the workload are healthy: check why they are not, also on other nodes.",
		reference: reference.Budgets,
	},
	causeUnknown: {name: "CauseUnknown"},
	causeUnread:  {name: "PodsUnread"},
}

// textFor returns the text of a cause. What to do about one that is unknown depends on the drainer.
func textFor(cause cause, drainer Drainer) causeText {
	text, own := textOfCause[cause], textOfDrainer[drainer]
	text.advice, text.reference = cmp.Or(text.advice, own.advice), cmp.Or(text.reference, own.reference)
	return text
}

// Limits of what an explanation names: with the node as many resources as a health scope may have.
const (
	namedPods    = 7
	namedBudgets = 4
	namedOwners  = 4
)

// Texts of the cluster are cut where they could fill the description, in characters.
const (
	reportLength = 512
	phraseLength = 128
)

// words are the details of an explanation, after what to do, since long texts are cut at their end.
func (in Input) words(advice string, pods []blockingPod) assess.Words {
	var lines []string
	switch {
	case in.Blockers.Unread != "":
		lines = append(lines, "The pods that block the drain are unknown: "+phrase(in.Blockers.Unread)+".")
	case len(pods) == 0:
		lines = append(lines, "The node has no pod left that a drain waits for.")
	}
	for _, one := range pods[:min(len(pods), namedPods)] {
		lines = append(lines, one.sentence(in.Drainer))
	}
	if more := len(pods) - namedPods; more > 0 {
		lines = append(lines, fmt.Sprintf("And %s.", insight.Count(more, "more pod")))
	}
	return in.wordsOf(advice, lines)
}

// wordsOf returns what to do, details, and what is reported about the drain, in lines.
func (in Input) wordsOf(advice string, details []string) assess.Words {
	lines := append([]string{advice}, details...)
	switch {
	case in.OperatorMessage != "":
		lines = append(lines, textOfDrainer[in.Drainer].reports+in.excerptMark()+": "+in.reported().Message)
	case in.DaemonMessage != "":
		lines = append(lines, "The Machine Config Daemon reports: "+in.reported().Message)
	}
	return assess.Words{"details": strings.Join(lines, "\n")}
}

// reported returns what is reported about the drain, nil if nothing is.
func (in Input) reported() *updatev1alpha1.ComponentReport {
	switch {
	case in.OperatorMessage != "":
		return &updatev1alpha1.ComponentReport{Component: textOfDrainer[in.Drainer].component, Message: shorten(in.OperatorMessage, reportLength)}
	case in.DaemonMessage != "":
		return &updatev1alpha1.ComponentReport{Component: updatev1alpha1.ComponentMachineConfigDaemon, Message: shorten(in.DaemonMessage, reportLength)}
	default:
		return nil
	}
}

func (p blockingPod) sentence(drainer Drainer) string {
	subject := fmt.Sprintf("Pod %s/%s", p.pod.Namespace, p.pod.Name)
	if p.owner.kind == "" {
		subject += " without a controller"
	} else {
		subject += fmt.Sprintf(" of %s %s", phrase(p.owner.kind), phrase(p.owner.name))
	}
	if drainer.isOfHosted() {
		subject += ", " + ownerOf(p.pod.Namespace)
	}
	var facts []string
	if p.pod.DeletionTimestamp != nil {
		facts = append(facts, deletion(p.pod))
	} else if p.pod.Status.Phase != corev1.PodPending && !isReady(p.pod) {
		facts = append(facts, "it is not ready")
	}
	for _, budget := range p.budgets[:min(len(p.budgets), namedBudgets)] {
		facts = append(facts, budgetFacts(budget))
	}
	if len(facts) == 0 {
		return subject + "."
	}
	return subject + ": " + strings.Join(facts, "; ") + "."
}

func deletion(pod *corev1.Pod) string {
	text := fmt.Sprintf("it was deleted with a grace period of %s", gracePeriod(pod))
	if !pod.DeletionTimestamp.IsZero() {
		text += ", which ends at " + pod.DeletionTimestamp.UTC().Format(time.RFC3339)
	}
	if len(pod.Finalizers) > 0 {
		text += ", and has the finalizers " + phrase(strings.Join(pod.Finalizers, ", "))
	}
	return text
}

// budgetFacts returns the numbers of a budget, and why it allows no disruption.
func budgetFacts(budget *policyv1.PodDisruptionBudget) string {
	status := budget.Status
	text := fmt.Sprintf("PodDisruptionBudget %s allows %s (desired healthy %d, currently healthy %d, expected %d)",
		budget.Name, insight.Count(int(status.DisruptionsAllowed), "disruption"), status.DesiredHealthy, status.CurrentHealthy, status.ExpectedPods)
	failed := meta.FindStatusCondition(status.Conditions, policyv1.DisruptionAllowedCondition)
	switch {
	case status.DisruptionsAllowed > 0:
	case neverAllows(budget):
		text += ", and never can: " + whyNone(budget)
	case needsAll(budget):
		text += ", because " + whyNone(budget)
	case failed != nil && failed.Reason == policyv1.SyncFailedReason:
		text += ", because the number cannot be computed: " + phrase(failed.Message)
	}
	return text
}

// whyNone returns which setting of a budget leaves no room for a disruption.
func whyNone(budget *policyv1.PodDisruptionBudget) string {
	spec := budget.Spec
	switch {
	case spec.MaxUnavailable != nil:
		return "its maxUnavailable is " + phrase(spec.MaxUnavailable.String())
	case spec.MinAvailable == nil:
		return "it sets neither minAvailable nor maxUnavailable"
	default:
		return "its minAvailable is " + phrase(spec.MinAvailable.String())
	}
}

func phrase(text string) string {
	return shorten(text, phraseLength)
}

func shorten(text string, characters int) string {
	return insight.Shorten(insight.OneLine(text), characters)
}

// resources returns the pods, the budgets that select them, and the workloads.
func resources(blocking []blockingPod) []updatev1alpha1.ResourceRef {
	var pods, budgets, owners []updatev1alpha1.ResourceRef
	for _, one := range blocking {
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

// workload owns a pod. It is empty for a pod without a controller.
type workload struct {
	group, kind, name string
}

// workloadOf reads the pod alone. The ReplicaSet of a Deployment is named after the Deployment and the hash of its template,
// which is a label of the pod. The API server does not validate the names of owners.
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
	hash := pod.Labels["pod-template-hash"]
	if deployment, ofDeployment := strings.CutSuffix(name, "-"+hash); kind == "ReplicaSet" && hash != "" && ofDeployment && deployment != "" {
		return workload{group, "Deployment", deployment}
	}
	return workload{group, kind, name}
}

// reference returns the workload by the resource name that its kind usually has.
func (w workload) reference(namespace string) updatev1alpha1.ResourceRef {
	plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: w.kind})
	return updatev1alpha1.ResourceRef{
		Group:     insight.Shorten(w.group, updatev1alpha1.NameMaxLength),
		Resource:  insight.Shorten(plural.Resource, updatev1alpha1.ResourceMaxLength),
		Name:      insight.Shorten(w.name, updatev1alpha1.NameMaxLength),
		Namespace: namespace,
	}
}
