package controlplane

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

// FindCondition returns the first condition of a type, nil if there is none.
func FindCondition(conditions []configv1.ClusterOperatorStatusCondition, kind configv1.ClusterStatusConditionType) *configv1.ClusterOperatorStatusCondition {
	for at := range conditions {
		if conditions[at].Type == kind {
			return &conditions[at]
		}
	}
	return nil
}

// IsTrue returns whether there is a condition and it is True.
func IsTrue(condition *configv1.ClusterOperatorStatusCondition) bool {
	return condition != nil && condition.Status == configv1.ConditionTrue
}

// IsHealthy returns whether an operator is available and not degraded. The Cluster Version Operator waits also for one that says neither
// (openshift/cluster-version-operator, pkg/cvo/internal/operatorstatus.go, checkOperatorHealth).
func IsHealthy(operator *configv1.ClusterOperator) bool {
	degraded := FindCondition(operator.Status.Conditions, configv1.OperatorDegraded)
	return IsTrue(FindCondition(operator.Status.Conditions, configv1.OperatorAvailable)) && degraded != nil && degraded.Status == configv1.ConditionFalse
}

// ConditionTimes returns the times of conditions.
func ConditionTimes(conditions []configv1.ClusterOperatorStatusCondition) []*metav1.Time {
	times := make([]*metav1.Time, 0, len(conditions))
	for at := range conditions {
		times = append(times, &conditions[at].LastTransitionTime)
	}
	return times
}

// WithKnownTimes returns a ClusterOperator whose times that are not known are zero.
func WithKnownTimes(operator *configv1.ClusterOperator, now time.Time) *configv1.ClusterOperator {
	return assess.WithKnownTimes(operator, func(one *configv1.ClusterOperator) []*metav1.Time { return ConditionTimes(one.Status.Conditions) }, now)
}

var operatorReads = assess.ReadsOf(OperatorChecks, assess.Reads{Conditions: []string{string(configv1.OperatorProgressing)}})

// releaseAnnotations is in the names of the annotations with which a manifest says in which clusters it is installed.
const releaseAnnotations = "release.openshift.io/"

// TrimOperator drops from a ClusterOperator what no assessment reads.
func TrimOperator(full *configv1.ClusterOperator) *configv1.ClusterOperator {
	trimmed := &configv1.ClusterOperator{ObjectMeta: assess.TrimMeta(full.ObjectMeta)}
	trimmed.CreationTimestamp = full.CreationTimestamp
	trimmed.Annotations = operatorReads.Pick(full.Annotations)
	for key, value := range full.Annotations {
		if strings.Contains(key, releaseAnnotations) {
			trimmed.Annotations[key] = value
		}
	}
	trimmed.Status.Extension = trimExtension(full)
	trimmed.Status.Versions = full.Status.Versions
	trimmed.Status.RelatedObjects = podstate.TrimRelated(full.Status.RelatedObjects)
	trimmed.Status.Conditions = TrimConditions(full.Status.Conditions, operatorReads)
	return trimmed
}

// TrimConditions drops the conditions that are not read.
func TrimConditions(full []configv1.ClusterOperatorStatusCondition, read assess.Reads) []configv1.ClusterOperatorStatusCondition {
	var trimmed []configv1.ClusterOperatorStatusCondition
	for _, condition := range full {
		if slices.Contains(read.Conditions, string(condition.Type)) {
			trimmed = append(trimmed, condition)
		}
	}
	return trimmed
}
