package standalone_test

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func ptr[T any](value T) *T {
	return &value
}

func ptrTime(at time.Time) *metav1.Time {
	return ptr(metav1.NewTime(at))
}

var changed = start.Add(7 * time.Minute)

func is(kind configv1.ClusterStatusConditionType, status configv1.ConditionStatus, reason, message string) builders.ClusterOperatorOption {
	return builders.OperatorCondition(builders.Condition(kind, status, changed, reason, message))
}

// describe formats conditions, with the time of the last transition if it is set.
func describe(conditions []metav1.Condition) []string {
	var lines []string
	for _, condition := range conditions {
		line := strings.TrimSpace(strings.Join([]string{condition.Type, string(condition.Status), condition.Reason, condition.Message}, " "))
		if !condition.LastTransitionTime.IsZero() {
			line += " @" + condition.LastTransitionTime.UTC().Format("15:04")
		}
		lines = append(lines, line)
	}
	return lines
}

func wants(version string, of *configv1.ClusterVersion) *configv1.ClusterVersion {
	of.Status.Desired.Version = version
	return of
}

// operatorInsight returns the insight about an operator of a cluster.
func operatorInsight(version *configv1.ClusterVersion, operator *configv1.ClusterOperator) *updatev1alpha1.ClusterOperatorInsight {
	in := standalone.ClusterVersionInput{ClusterVersion: version, ClusterOperators: []*configv1.ClusterOperator{operator}}
	message, _, _ := standalone.ControlPlane(in, changed)
	return message.Reports[1].Insights[0].Insight.ClusterOperator
}
