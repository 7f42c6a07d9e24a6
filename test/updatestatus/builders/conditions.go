package builders

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
)

// Condition returns a condition of a ClusterVersion or ClusterOperator.
func Condition(
	kind configv1.ClusterStatusConditionType, status configv1.ConditionStatus, since time.Time, reason, message string,
) configv1.ClusterOperatorStatusCondition {
	return configv1.ClusterOperatorStatusCondition{
		Type:               kind,
		Status:             status,
		LastTransitionTime: metav1.NewTime(since),
		Reason:             reason,
		Message:            message,
	}
}

func setCondition(
	conditions []configv1.ClusterOperatorStatusCondition, condition configv1.ClusterOperatorStatusCondition,
) []configv1.ClusterOperatorStatusCondition {
	for at := range conditions {
		if conditions[at].Type == condition.Type {
			conditions[at] = condition
			return conditions
		}
	}
	return append(conditions, condition)
}

// Digest returns what the digest of something with a name looks like: the same for the same name.
func Digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}
