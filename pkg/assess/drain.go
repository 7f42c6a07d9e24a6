package assess

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// drainPatience is what the Machine Config Operator has with a drain: it tries an eviction again every minute, after ten
// minutes every five, and after an hour it reports the drain as failed.
var drainPatience = patience{warning: 10 * time.Minute, failure: time.Hour}

// DrainInput is what is known of the drain of a node besides the node itself.
type DrainInput struct {
	// Observed is when the node was first seen draining, zero if nobody watched, as in files.
	Observed time.Time
	// UpdateStarted is when the update started, which is not after the drain. It counts where nobody watched.
	UpdateStarted time.Time
	// Blockers is what was read because the drain takes long (Result.LongDrain), nil if it has not been read yet: nothing is
	// said of the drain until then.
	Blockers *Blockers
}

// Blockers is what may keep a node from being drained. It is never changed once it is made.
type Blockers struct {
	// Pods are those of the node, and Budgets the PodDisruptionBudgets of their namespaces.
	Pods    []*corev1.Pod
	Budgets []*policyv1.PodDisruptionBudget
	// MachineConfigNode is that of the node, nil in a cluster without.
	MachineConfigNode *machineconfigv1.MachineConfigNode
	// Unread is why Pods and Budgets are not known, in words, empty if they are.
	Unread string
}

// IsDraining is whether the node is being drained for the update: its daemon has asked for it, and it is not done.
func IsDraining(in NodeInput) bool {
	return factsOf(in).beingDrained()
}

func (f nodeFacts) beingDrained() bool {
	desired := f.node.Annotations[DesiredDrainAnnotation]
	return f.updating() && f.draining() && strings.HasPrefix(desired, drainVerb) &&
		desired != f.node.Annotations[LastAppliedDrainAnnotation]
}

// drainStart is when the drain began, zero if nothing tells. Nothing that was observed makes it older than it is: a cordon
// may be an administrator's from long before, and what was observed may be the drain before this one, so that the later of
// both counts. What the Machine Config Operator says itself makes it older; it does not make it newer, since a condition
// may be set anew with every try.
func (f nodeFacts) drainStart() time.Time {
	cordoned, told := f.cordoned(), f.drainTold()
	var start time.Time
	switch {
	case !f.drain.Observed.IsZero():
		start = earliest(later(f.drain.Observed, cordoned), told.LastTransitionTime.Time)
	case !told.LastTransitionTime.IsZero():
		start = told.LastTransitionTime.Time
	case !cordoned.IsZero():
		start = later(cordoned, f.drain.UpdateStarted)
	}
	return wholeSecond(start)
}

// cordoned is when the node was cordoned last, zero if it does not tell.
func (f nodeFacts) cordoned() time.Time {
	for _, taint := range f.node.Spec.Taints {
		if taint.Key == corev1.TaintNodeUnschedulable && taint.TimeAdded != nil {
			return taint.TimeAdded.Time
		}
	}
	return time.Time{}
}

// drainTold is the condition with which the MachineConfigNode tells of the drain while it goes on, empty if there is none,
// or it is about another configuration than the node is to have.
func (f nodeFacts) drainTold() metav1.Condition {
	if f.drain.Blockers == nil || f.drain.Blockers.MachineConfigNode == nil {
		return metav1.Condition{}
	}
	told := f.drain.Blockers.MachineConfigNode
	drained := meta.FindStatusCondition(told.Status.Conditions, string(machineconfigv1.MachineConfigNodeUpdateDrained))
	if drained == nil || drained.Status != metav1.ConditionUnknown || told.Spec.ConfigVersion.Desired != f.desiredConfig {
		return metav1.Condition{}
	}
	return *drained
}

// drainLevel returns how serious the drain is by its age, empty if it is not, and when that changes by the clock alone.
func (f nodeFacts) drainLevel(now time.Time) (updatev1alpha1.HealthLevel, time.Time) {
	start := f.drainStart()
	if start.IsZero() || !f.beingDrained() {
		return "", time.Time{}
	}
	return drainPatience.judge(start, now)
}

// nodeDrainBlocked explains a drain that takes long. Its summary changes with the cause only; whom it is about, and counts,
// are in the description.
func nodeDrainBlocked(facts healthFacts) *finding {
	node := facts.node
	level, nextCheck := node.drainLevel(facts.now)
	if level == "" || node.drain.Blockers == nil {
		return &finding{nextCheck: nextCheck}
	}
	found := explainDrain(node, facts.now)
	return &finding{
		since:       node.drainStart(),
		level:       level,
		impact:      updatev1alpha1.ImpactUpdateStalled,
		summary:     found.summary(node.node.Name),
		description: found.description(node),
		reference:   found.words().reference,
		others:      found.resources(),
		nextCheck:   earliest(nextCheck, found.nextCheck),
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// KeptDrains returns since when nodes drain, by name, as far as an UpdateStatus tells: what a controller that has just
// started has not observed itself. It is the start that an explained drain was given, or else the time that the node keeps
// while it is updated, which is not after the drain.
func KeptDrains(status *updatev1alpha1.UpdateStatusStatus) map[string]time.Time {
	kept := map[string]time.Time{}
	informers := []updatev1alpha1.Informer{}
	if status.ControlPlane != nil {
		informers = append(informers, status.ControlPlane.Informers...)
	}
	for _, pool := range status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	for _, informer := range informers {
		if informer.Name == string(insight.NodeInformer) {
			keepDrains(kept, informer.Insights)
		}
	}
	return kept
}

// keepDrains takes health insights as they come: in a list they are behind the nodes, and tell more.
func keepDrains(kept map[string]time.Time, insights []updatev1alpha1.Insight) {
	for _, one := range insights {
		switch {
		case one.Node != nil:
			updating := meta.FindStatusCondition(one.Node.Conditions, updatev1alpha1.ConditionUpdating)
			if updating != nil && updating.Status == metav1.ConditionTrue && updating.Reason == updatev1alpha1.ReasonDraining {
				kept[one.Node.Name] = updating.LastTransitionTime.Time
			}
		case one.Health != nil && one.Health.StartedAt != nil && len(one.Health.Scope.Resources) > 0:
			node := one.Health.Scope.Resources[0].Name
			if one.UID == healthUID(checkNodeDrainBlocked, node) {
				kept[node] = one.Health.StartedAt.Time
			}
		}
	}
}
