package controlplane_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

func operatorResult(options ...builders.ClusterOperatorOption) func(time.Time) assess.Result {
	operator := builders.ClusterOperator("etcd", append([]builders.ClusterOperatorOption{builders.Healthy(installed)}, options...)...)
	return func(now time.Time) assess.Result {
		return controlplane.Operator(controlplane.OperatorInput{Operator: controlplane.TrimOperator(operator), Target: target}, now)
	}
}

// What machine-config says of a pool that takes longer than it waits, and of one with a node that fails (openshift/machine-config-operator,
// pkg/operator/sync.go and status.go).
const (
	timedOut = "Unable to apply 4.20.2: error during syncRequiredMachineConfigPools: [context deadline exceeded, error required MachineConfigPool master is not ready, " +
		"retrying. Status: (total: 3, ready 1, updated: 1, unavailable: 1, degraded: 0)]"
	poolFails = "Unable to apply 4.20.2: error during syncRequiredMachineConfigPools: [context deadline exceeded, error required MachineConfigPool master is not ready, " +
		"retrying. Status: (total: 3, ready 1, updated: 1, unavailable: 1, degraded: 1)]"
	unknownIs = "The update waits until it reports Available=True and Degraded=False. It reports: "
)

// inUpdate is an operator without conditions, during an update.
func inUpdate(options ...builders.ClusterOperatorOption) func(time.Time) assess.Result {
	operator := builders.ClusterOperator("etcd", options...)
	return func(now time.Time) assess.Result {
		return controlplane.Operator(controlplane.OperatorInput{Operator: controlplane.TrimOperator(operator), Target: target, Started: start}, now)
	}
}

func machineConfigResult(message string) func(time.Time) assess.Result {
	operator := builders.ClusterOperator("machine-config", builders.Healthy(installed), is(configv1.OperatorDegraded, configv1.ConditionTrue, "RequiredPoolsFailed", message))
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
	}, "cluster-operator-unknown": {
		{Name: "at 10 minutes", At: 17 * time.Minute, Result: inUpdate(builders.Healthy(installed), is(configv1.OperatorDegraded, configv1.ConditionUnknown, "", "starting"))},
		{
			Name: "after 10 minutes", At: 17*time.Minute + time.Second,
			Result: inUpdate(builders.Healthy(installed), is(configv1.OperatorDegraded, configv1.ConditionUnknown, "", "starting")),
			Want:   "Warning | Update Stalled | 08:07:00 | Cluster Operator etcd does not report whether it is degraded | " + unknownIs + "starting | clusteroperators.config.openshift.io/etcd",
		},
		{
			Name: "at 40 minutes", At: 47 * time.Minute, Result: inUpdate(builders.Healthy(installed), is(configv1.OperatorAvailable, configv1.ConditionUnknown, "", "")),
			Want: "Error | Update Stalled | 08:07:00 | Cluster Operator etcd does not report whether it is available | " + unknownIs + "<no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			Name: "created without conditions", At: 10*time.Minute + time.Second, Result: inUpdate(),
			Want: "Warning | Update Stalled | 08:00:00 | Cluster Operator etcd does not report whether it is available | " + unknownIs + "<no message> | clusteroperators.config.openshift.io/etcd",
		},
		{
			Name: "created later", At: 20 * time.Minute,
			Result: inUpdate(func(operator *configv1.ClusterOperator) {
				operator.CreationTimestamp = *ptrTime(start.Add(10 * time.Minute))
			}),
		},
		{
			Name: "without an update", At: time.Hour,
			Result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionUnknown, "", "")),
		},
	}, "cluster-operator-degraded": {
		{
			Name: "its pools take longer than it waits", At: 3 * time.Hour, Result: machineConfigResult(timedOut),
			Want: "Warning | Update Speed | 08:07:00 | Cluster Operator machine-config waits longer than 10 minutes a node for pool master: 1 of 3 updated | " +
				"Nothing else is reported to be wrong: it counts ten minutes for each machine of the pools that it requires. It reports: " + timedOut + " | clusteroperators.config.openshift.io/machine-config",
		},
		{
			Name: "a required pool is degraded", At: 47 * time.Minute, Result: machineConfigResult(poolFails),
			Want: "Error | API Availability | 08:07:00 | Cluster Operator machine-config is degraded (RequiredPoolsFailed): " + assess.Quote(poolFails) + " | " + poolFails + " | clusteroperators.config.openshift.io/machine-config",
		},
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
			Name: "in a revision of static pods, at 10 minutes", At: 17 * time.Minute,
			Result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "StaticPods_Error", "it restarts"), is(configv1.OperatorProgressing, configv1.ConditionTrue, "NodeInstaller", "")),
		},
		{
			Name: "in a revision of static pods, after 10 minutes", At: 17*time.Minute + time.Second,
			Result: operatorResult(is(configv1.OperatorDegraded, configv1.ConditionTrue, "StaticPods_Error", "it restarts"), is(configv1.OperatorProgressing, configv1.ConditionTrue, "NodeInstaller", "")),
			Want:   "Warning | API Availability | 08:07:00 | Cluster Operator etcd is degraded (StaticPods_Error): it restarts | it restarts | clusteroperators.config.openshift.io/etcd",
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
	return slices.Concat(assess.RowsOf(controlplane.OperatorChecks), assess.RowsOf(controlplane.UpdateChecks), assess.RowsOf(controlplane.SlowChecks), assess.RowsOf(controlplane.StandstillChecks))
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
