package controlplane_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/controlplane"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/healthcases"
)

func operatorResult(options ...builders.ClusterOperatorOption) func(time.Time) assess.Result {
	operator := builders.ClusterOperator("etcd", append([]builders.ClusterOperatorOption{builders.Healthy(installed)}, options...)...)
	return func(now time.Time) assess.Result {
		return controlplane.Operator(controlplane.OperatorInput{Operator: controlplane.TrimOperator(operator), Target: target}, now)
	}
}

var healthCases = healthcases.Cases{
	"cluster-operator-unavailable": {
		{
			Name:   "at 5 minutes",
			Result: operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "Down", "etcd is down")),
			At:     12 * time.Minute,
		},
		{
			Name:   "after 5 minutes",
			Result: operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "Down", "etcd is down")),
			At:     12*time.Minute + time.Second,
			Want:   "Warning | API Availability | 08:07:00 | Cluster Operator etcd is unavailable (Down): etcd is down | etcd is down | clusteroperators.config.openshift.io/etcd",
		},
		{
			Name:   "before 20 minutes",
			Result: operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")),
			At:     27*time.Minute - time.Second,
			Want:   "Warning | API Availability | 08:07:00 | Cluster Operator etcd is unavailable | <no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			Name:   "at 20 minutes",
			Result: operatorResult(is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")),
			At:     27 * time.Minute,
			Want:   "Error | API Availability | 08:07:00 | Cluster Operator etcd is unavailable | <no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			Name:   "third-party operator",
			Result: operatorResult(builders.ThirdParty(), is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")),
			At:     time.Hour,
		},
	}, "cluster-operator-degraded": {
		{
			Name:   "at 5 minutes",
			Result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "etcd is bad")),
			At:     12 * time.Minute,
		},
		{
			Name:   "after 5 minutes",
			Result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "etcd is bad")),
			At:     12*time.Minute + time.Second,
			Want:   "Warning | API Availability | 08:07:00 | Cluster Operator etcd is degraded (Bad): etcd is bad | etcd is bad | clusteroperators.config.openshift.io/etcd",
		},
		{
			Name:   "before 40 minutes",
			Result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "")),
			At:     47*time.Minute - time.Second,
			Want:   "Warning | API Availability | 08:07:00 | Cluster Operator etcd is degraded (Bad) | <no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			Name:   "at 40 minutes",
			Result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "")),
			At:     47 * time.Minute,
			Want:   "Error | API Availability | 08:07:00 | Cluster Operator etcd is degraded (Bad) | <no message> | clusteroperators.config.openshift.io/etcd",
		},
	},
	"operator-slow":             slowCases,
	"control-plane-no-progress": standstillCases,
}

// ownChecks are those of this package.
func ownChecks() []assess.HealthCheck {
	return slices.Concat(assess.RowsOf(controlplane.OperatorChecks), assess.RowsOf(controlplane.SlowChecks), assess.RowsOf(controlplane.StandstillChecks))
}

func TestHealth(t *testing.T) {
	healthCases.Run(t, ownChecks(), start)
}

func TestInsightsPage(t *testing.T) {
	healthCases.ComparePage(t, ownChecks(), start)
}

// TestHealthNextCheck follows NextCheck through the levels of conditions that last.
func TestHealthNextCheck(t *testing.T) {
	degraded := operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", ""), is(configv1.OperatorAvailable, configv1.ConditionFalse, "Down", ""))
	var got []string
	for now := changed; !now.IsZero(); {
		result := degraded(now)
		var levels []string
		for _, one := range healthcases.Health(result) {
			levels = append(levels, string(one.Health.Impact.Level))
		}
		got = append(got, fmt.Sprintf("%s %v", now.Sub(changed).Truncate(time.Second), levels))
		now = result.NextCheck
	}
	want := []string{"0s []", "5m0s [Warning Warning]", "20m0s [Error Warning]", "40m0s [Error Error]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
}

func TestHealthUIDsAreStable(t *testing.T) {
	uids := func(result func(time.Time) assess.Result, at time.Duration) []string {
		var all []string
		for _, one := range healthcases.Health(result(start.Add(at))) {
			all = append(all, one.UID)
		}
		return all
	}
	first := uids(operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad", "one")), time.Hour)
	later := uids(operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "Worse", "two")), 3*time.Hour)
	if !slices.Equal(first, later) {
		t.Errorf("a change of the message changes the uid from %v to %v", first, later)
	}
	both := uids(operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "", ""), is(configv1.OperatorAvailable, configv1.ConditionFalse, "", "")), time.Hour)
	if len(both) != 2 || both[0] == both[1] {
		t.Errorf("two conditions of an operator: %v", both)
	}
}

// TestUnknownStartIsAWarning: how long an operator has been degraded is unknown.
func TestUnknownStartIsAWarning(t *testing.T) {
	insights := healthcases.Health(operatorResult(builders.OperatorCondition(builders.Condition(
		configv1.OperatorDegraded, configv1.ConditionTrue, builders.HostileTimes(start)[1], "Bad", "")))(start))
	if len(insights) != 1 || insights[0].Health.Impact.Level != updatev1alpha1.LevelWarning || insights[0].Health.StartedAt != nil {
		t.Errorf("insights %v", insights)
	}
}
