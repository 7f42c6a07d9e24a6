package drain

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// Blockers are the objects that may block the drain of a node. They are immutable.
type Blockers struct {
	// Pods are the pods of the node, and Budgets the PodDisruptionBudgets of their namespaces.
	Pods    []*corev1.Pod
	Budgets []*policyv1.PodDisruptionBudget
	// Unread is why Pods and Budgets are unknown, in words, empty if they are known.
	Unread string
}

// Input is what an explanation is made from.
type Input struct {
	// Node is the name of the node, and Drainer what drains it.
	Node    string
	Drainer Drainer
	// Unreachable is whether the kubelet has stopped reporting: its pods stay until they are deleted by force.
	Unreachable bool
	Blockers    *Blockers
	// OperatorMessage is what the drainer reports about the drain, and DaemonMessage what the Machine Config Daemon reports about the
	// node. Either may be empty.
	OperatorMessage, DaemonMessage string
}

// Explain returns why a drain takes long: a finding of one of Texts, without its start. The pods, their PodDisruptionBudgets and workloads
// block it: with the node as many as a health scope may have.
func Explain(in Input, now time.Time) *assess.Finding {
	var pods []blockingPod
	cause := causeUnread
	if in.Blockers.Unread == "" {
		pods, cause = blockingPods(in, now), causeUnknown
	} else if named, found := namedByMachine(in.OperatorMessage); found && in.Drainer == ClusterAPI {
		return named.explain(in)
	}
	if len(pods) > 0 {
		cause = pods[0].cause
	}
	text := textFor(cause, in.Drainer)
	return &assess.Finding{
		Case:      text.name,
		Words:     in.words(text.advice, pods),
		Reported:  in.reported(),
		Reference: text.reference,
		Blockers:  resources(pods),
		NextCheck: nextLate(pods, now),
	}
}

// nextLate returns when the next pod has failed to terminate in time, zero if none will.
func nextLate(pods []blockingPod, now time.Time) time.Time {
	var next time.Time
	for _, one := range pods {
		if late := lateFrom(one.pod); late.After(now) && (next.IsZero() || late.Before(next)) {
			next = late
		}
	}
	return next
}
