package assess

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

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
