package podstate

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// patience is how long a pod may be on its way before it is a problem: created, started, made ready, scheduled.
const patience = 10 * time.Minute

// Input is what the worst pod is chosen from.
type Input struct {
	// Pods are those of the namespaces of one operator, or of these the ones that were read in full.
	Pods []*corev1.Pod
	// Rows are those of all pods of the namespaces, if Pods are only some of them.
	Rows []Row
	// Away are the nodes whose pods say nothing about the operator.
	Away Away
	// OperatorMessage is what the operator reports: it may name the revision that is not installed.
	OperatorMessage string
}

// Worst returns the pod that says most about why an operator fails, nil if none does. Of pods that are alike it is the one that has been
// so for longest, so that it stays the same from one time to the next.
func Worst(in Input, now time.Time) *updatev1alpha1.PodReport {
	var counted []observed
	for _, pod := range in.Pods {
		if one := observe(pod, now); in.counts(one, now) {
			counted = append(counted, one)
		}
	}
	if len(counted) == 0 {
		return nil
	}
	failing := failingRevisions(in.OperatorMessage)
	slices.SortFunc(counted, func(a, b observed) int {
		return cmp.Or(
			-compareBools(a.installs(failing), b.installs(failing)),
			cmp.Compare(a.rank, b.rank),
			compareSince(a.since, b.since),
			cmp.Compare(a.pod.Namespace, b.pod.Namespace),
			cmp.Compare(a.pod.Name, b.pod.Name),
		)
	})
	worst := counted[0]
	report := worst.report()
	report.Alike = int32(in.alike(worst.state, counted) - 1)
	return report
}

// alike returns how many pods have a state.
func (in Input) alike(of state, counted []observed) int {
	number := 0
	for _, one := range counted {
		if one.state == of {
			number++
		}
	}
	listed := 0
	for _, row := range in.Rows {
		if row.state() == of && !in.Away.has(row.Node) && !isGuard(row.Name) {
			listed++
		}
	}
	return max(number, listed)
}

// report returns the pod as the API has it.
func (o observed) report() *updatev1alpha1.PodReport {
	report := &updatev1alpha1.PodReport{
		Namespace: insight.Shorten(o.pod.Namespace, updatev1alpha1.NamespaceMaxLength),
		Name:      insight.Shorten(o.pod.Name, updatev1alpha1.NameMaxLength),
		Node:      insight.Shorten(o.pod.Spec.NodeName, updatev1alpha1.NameMaxLength),
		State:     insight.Shorten(string(o.state), updatev1alpha1.PodReasonMaxLength),
		Container: insight.Shorten(o.container, updatev1alpha1.NameMaxLength),
		Message:   insight.Shorten(insight.OneLine(o.message), updatev1alpha1.ReportedMaxLength),
	}
	if !o.since.IsZero() {
		since := metav1.NewTime(o.since)
		report.Since = &since
	}
	if ended := o.ended; ended != nil {
		report.LastTermination = &updatev1alpha1.ContainerTermination{
			Reason:   insight.Shorten(insight.OneLine(ended.Reason), updatev1alpha1.PodReasonMaxLength),
			ExitCode: ended.ExitCode,
			Message:  insight.Shorten(insight.OneLine(ended.Message), updatev1alpha1.ReportedMaxLength),
		}
	}
	return report
}

// Keep returns the next report of a pod, or the previous one if they differ only in what a container said when it ended: the end of a log
// has times, so that it differs each time.
func Keep(previous, next *updatev1alpha1.PodReport) *updatev1alpha1.PodReport {
	if previous == nil || next == nil || previous.LastTermination == nil || next.LastTermination == nil {
		return next
	}
	same := *next
	ended := *next.LastTermination
	ended.Message = previous.LastTermination.Message
	same.LastTermination = &ended
	if isEqual(previous, &same) {
		return previous
	}
	return next
}

func isEqual(a, b *updatev1alpha1.PodReport) bool {
	left, right := *a, *b
	isSame := left.Since.Equal(right.Since) && *left.LastTermination == *right.LastTermination
	left.Since, left.LastTermination, right.Since, right.LastTermination = nil, nil, nil, nil
	return isSame && left == right
}

// compareSince orders by age, the oldest first, unknown ones last.
func compareSince(a, b time.Time) int {
	if a.IsZero() || b.IsZero() {
		return compareBools(a.IsZero(), b.IsZero())
	}
	return a.Compare(b)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}
