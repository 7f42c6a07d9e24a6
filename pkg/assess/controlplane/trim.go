package controlplane

import (
	"slices"
	"strings"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

var operatorReads = assess.ReadsOf(operatorChecks, assess.Reads{Conditions: []string{string(configv1.OperatorProgressing)}})

// releaseAnnotations is in the names of the annotations with which a manifest says in which clusters it is installed.
const releaseAnnotations = "release.openshift.io/"

// TrimOperator drops from a ClusterOperator what no assessment reads.
func TrimOperator(full *configv1.ClusterOperator) *configv1.ClusterOperator {
	trimmed := &configv1.ClusterOperator{ObjectMeta: assess.TrimMeta(full.ObjectMeta)}
	trimmed.Annotations = operatorReads.Pick(full.Annotations)
	for key, value := range full.Annotations {
		if strings.Contains(key, releaseAnnotations) {
			trimmed.Annotations[key] = value
		}
	}
	trimmed.Status.Versions = full.Status.Versions
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
