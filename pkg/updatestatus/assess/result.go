package assess

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Result is what an assessment returns.
type Result struct {
	// Report is all insights about the subject, as of now.
	Report insight.Report
	// NextCheck is when the result changes without an event, zero if it does not.
	NextCheck time.Time
	// LongDrain is whether the subject is a node whose drain takes long and has to be explained, with DrainInput.Blockers.
	LongDrain bool
	// DrainObserved and DrainFailedWith are when the node's drain was first observed, and what its last attempt failed with, for the
	// next assessment (DrainInput). They are zero if the node is not being drained.
	DrainObserved   time.Time
	DrainFailedWith string
}

// OperatorSubject is the subject of reports about a cluster operator.
func OperatorSubject(name string) insight.Subject {
	return insight.Subject{Kind: "ClusterOperator", Name: name}
}

// NodeSubject is the subject of reports about a node.
func NodeSubject(name string) insight.Subject {
	return insight.Subject{Kind: "Node", Name: name}
}

// OperatorRef is the reference to a cluster operator.
func OperatorRef(name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Group: configv1.GroupName, Resource: "clusteroperators", Name: name}
}

// NodeRef is the reference to a node.
func NodeRef(name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Resource: "nodes", Name: name}
}

// messageMaxLength bounds the messages of conditions, in characters. metav1.Condition allows 32,768, of which one operator would
// take too much of the object.
const messageMaxLength = 4096

// Condition returns a condition. A zero time is unknown: the primary controller keeps the time of the last change, or sets the
// time at which it first observes the condition.
func Condition(kind string, status metav1.ConditionStatus, reason, message string, since time.Time) metav1.Condition {
	return metav1.Condition{
		Type:               kind,
		Status:             status,
		Reason:             reason,
		Message:            insight.Shorten(message, messageMaxLength),
		LastTransitionTime: metav1.NewTime(since),
	}
}
