package builders

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
)

// Annotations that mark the objects of the release payload.
const (
	AnnotationSelfManaged = "include.release.openshift.io/self-managed-high-availability"
	AnnotationSingleNode  = "include.release.openshift.io/single-node-developer"
	AnnotationNotHosted   = "exclude.release.openshift.io/internal-openshift-hosted"
)

// ClusterOperatorOption changes a ClusterOperator.
type ClusterOperatorOption func(*configv1.ClusterOperator)

// ClusterOperator returns an operator of the release payload. It has no version and says nothing; see OperatorVersion,
// Healthy and OperatorCondition.
func ClusterOperator(name string, options ...ClusterOperatorOption) *configv1.ClusterOperator {
	operator := &configv1.ClusterOperator{
		TypeMeta: metav1.TypeMeta{APIVersion: configv1.GroupVersion.String(), Kind: "ClusterOperator"},
		ObjectMeta: metav1.ObjectMeta{
			Name: name,
			Annotations: map[string]string{
				AnnotationSelfManaged: "true",
				AnnotationSingleNode:  "true",
				AnnotationNotHosted:   "true",
			},
		},
	}
	for _, option := range options {
		option(operator)
	}
	return operator
}

// ThirdParty makes the operator one that is not part of the release payload.
func ThirdParty() ClusterOperatorOption {
	return func(operator *configv1.ClusterOperator) {
		operator.Annotations = nil
	}
}

// OperatorVersion makes the operator report that it runs a version.
func OperatorVersion(version string) ClusterOperatorOption {
	return OperandVersion("operator", version)
}

// OperandVersion makes the operator report the version of something that it runs.
func OperandVersion(name, version string) ClusterOperatorOption {
	return func(operator *configv1.ClusterOperator) {
		for at := range operator.Status.Versions {
			if operator.Status.Versions[at].Name == name {
				operator.Status.Versions[at].Version = version
				return
			}
		}
		operand := configv1.OperandVersion{Name: name, Version: version}
		operator.Status.Versions = append(operator.Status.Versions, operand)
	}
}

// Healthy makes the operator available, not degraded and not progressing since a time.
func Healthy(since time.Time) ClusterOperatorOption {
	return func(operator *configv1.ClusterOperator) {
		for _, condition := range []configv1.ClusterOperatorStatusCondition{
			Condition(configv1.OperatorAvailable, configv1.ConditionTrue, since, "AsExpected", "All is well"),
			Condition(configv1.OperatorProgressing, configv1.ConditionFalse, since, "AsExpected", "All is well"),
			Condition(configv1.OperatorDegraded, configv1.ConditionFalse, since, "AsExpected", "All is well"),
		} {
			OperatorCondition(condition)(operator)
		}
	}
}

// Progressing makes the operator progress since a time.
func Progressing(since time.Time, reason, message string) ClusterOperatorOption {
	return OperatorCondition(Condition(configv1.OperatorProgressing, configv1.ConditionTrue, since, reason, message))
}

// OperatorCondition sets a condition of the operator.
func OperatorCondition(condition configv1.ClusterOperatorStatusCondition) ClusterOperatorOption {
	return func(operator *configv1.ClusterOperator) {
		operator.Status.Conditions = setCondition(operator.Status.Conditions, condition)
	}
}
