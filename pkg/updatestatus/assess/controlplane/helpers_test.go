package controlplane_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
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

func progressing(status configv1.ConditionStatus) builders.ClusterVersionOption {
	return builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, status, start, "", ""))
}

// updating is a cluster that was installed with one version and is being updated to the next.
func updating(options ...builders.ClusterVersionOption) *configv1.ClusterVersion {
	return builders.ClusterVersion(append([]builders.ClusterVersionOption{
		builders.Completed(before, installed, installed.Add(30*time.Minute)),
		builders.Partial(target, start),
		progressing(configv1.ConditionTrue),
	}, options...)...)
}

// fleet is a number of operators of which the first have the target version.
func fleet(total, updated int) []*configv1.ClusterOperator {
	var operators []*configv1.ClusterOperator
	for at := range total {
		version := before
		if at < updated {
			version = target
		}
		operators = append(operators, builders.ClusterOperator(fmt.Sprintf("operator-%02d", at),
			builders.OperatorVersion(version), builders.Healthy(installed)))
	}
	return operators
}

func clusterVersionInsight(t *testing.T, in standalone.ClusterVersionInput, now time.Time) *updatev1alpha1.ClusterVersionInsight {
	t.Helper()
	report := standalone.ClusterVersion(in, now).Report
	if len(report.Insights) == 0 {
		t.Fatal("no insight")
	}
	one := report.Insights[0].Insight
	if one.UID != "cv-version" || one.Type != updatev1alpha1.InsightClusterVersion {
		t.Errorf("insight %s of type %s", one.UID, one.Type)
	}
	return one.ClusterVersion
}

func ptrTime(at time.Time) *metav1.Time {
	optional := metav1.NewTime(at)
	return &optional
}
