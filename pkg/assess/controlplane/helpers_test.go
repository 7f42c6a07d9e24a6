package controlplane_test

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
)

var (
	installed = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	start     = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	changed   = start.Add(7 * time.Minute)
)

const (
	before = "4.20.1"
	target = "4.20.2"
)

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
