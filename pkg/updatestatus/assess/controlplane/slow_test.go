package controlplane_test

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

// slowResult assesses an operator that an update has waited for since its start.
func slowResult(name string, changes ...func(*controlplane.Slow)) func(time.Time) assess.Result {
	one := controlplane.Slow{
		Operator: &updatev1alpha1.ClusterOperatorInsight{
			Name: name, Resource: assess.OperatorRef(name),
			Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Message: "a rollout"}},
		},
		Since: start, Started: start,
	}
	for _, change := range changes {
		change(&one)
	}
	return func(now time.Time) assess.Result {
		return resultOf(controlplane.SlowChecks, one, one.Operator.Resource, now)
	}
}

// resultOf runs checks about an object.
func resultOf[F any](checks []assess.Check[F], facts F, about updatev1alpha1.ResourceRef, now time.Time) assess.Result {
	health, next := assess.CheckHealth(checks, facts, assess.Subject{Resource: about, Part: insight.ControlPlane}, now)
	return assess.Result{Report: insight.Report{Insights: health}, NextCheck: next}
}

// took says what the operator took before.
func took(minutes ...int) func(*controlplane.Slow) {
	return func(one *controlplane.Slow) {
		for _, each := range minutes {
			one.Took = append(one.Took, time.Duration(each)*time.Minute)
		}
	}
}

// moved says when a node got on, after the start.
func moved(after time.Duration) func(*controlplane.Slow) {
	return func(one *controlplane.Slow) {
		one.NodesMoved, one.NodesPatience = start.Add(after), controlplane.NodesPatience
	}
}

func sinceUnknown(one *controlplane.Slow) { one.Since = time.Time{} }

var slowCases = []healthcases.Case{
	{Name: "for 30 minutes", Result: slowResult("dns"), At: 30 * time.Minute},
	{
		Name: "for longer", Result: slowResult("dns"), At: 30*time.Minute + time.Second,
		Want: "Warning | Update Speed | 08:00:00 | Cluster Operator dns is taking longer to update than usual: a rollout | a rollout | clusteroperators.config.openshift.io/dns",
	},
	{
		Name: "for two hours", Result: slowResult("dns"), At: 2 * time.Hour,
		Want: "Error | Update Stalled | 08:00:00 | Cluster Operator dns is taking longer to update than usual: a rollout | a rollout | clusteroperators.config.openshift.io/dns",
	},
	{Name: "one record is too few", Result: slowResult("dns", took(1)), At: 16 * time.Minute},
	{Name: "fast before, for 15 minutes", Result: slowResult("dns", took(1, 2)), At: 15 * time.Minute},
	{
		Name: "fast before, for longer", Result: slowResult("dns", took(1, 2)), At: 15*time.Minute + time.Second,
		Want: "Warning | Update Speed | 08:00:00 | Cluster Operator dns is taking longer to update than before (1m to 2m in the last 2 updates): a rollout | a rollout | clusteroperators.config.openshift.io/dns",
	},
	{Name: "slow before, three times as long", Result: slowResult("dns", took(20, 20, 20, 90)), At: time.Hour},
	{
		Name: "slow before, longer", Result: slowResult("dns", took(20, 20, 20, 90)), At: time.Hour + time.Second,
		Want: "Warning | Update Speed | 08:00:00 | Cluster Operator dns is taking longer to update than before (20m in the last 3 updates): a rollout | a rollout | clusteroperators.config.openshift.io/dns",
	},
	{
		Name: "slow before, for long", Result: slowResult("dns", took(30, 25)), At: 3*time.Hour - time.Second,
		Want: "Warning | Update Speed | 08:00:00 | Cluster Operator dns is taking longer to update than before (25m to 30m in the last 2 updates): a rollout | a rollout | clusteroperators.config.openshift.io/dns",
	},
	{
		Name: "slow before, six times as long", Result: slowResult("dns", took(30, 25)), At: 3 * time.Hour,
		Want: "Error | Update Stalled | 08:00:00 | Cluster Operator dns is taking longer to update than before (25m to 30m in the last 2 updates): a rollout | a rollout | clusteroperators.config.openshift.io/dns",
	},
	{Name: "since when is unknown, a young update", Result: slowResult("dns", sinceUnknown), At: 30 * time.Minute},
	{
		Name: "since when is unknown, an old update", Result: slowResult("dns", sinceUnknown), At: 31 * time.Minute,
		Want: "Warning | Update Speed | - | Cluster Operator dns is taking longer to update than usual: a rollout | a rollout | clusteroperators.config.openshift.io/dns",
	},
	{Name: "machine-config", Result: slowResult("machine-config"), At: 90 * time.Minute},
	{
		Name: "machine-config, for longer", Result: slowResult("machine-config"), At: 90*time.Minute + time.Second,
		Want: "Warning | Update Speed | 08:00:00 | Cluster Operator machine-config is taking longer to update than usual: a rollout | a rollout | clusteroperators.config.openshift.io/machine-config",
	},
	{Name: "machine-config, a node moved", Result: slowResult("machine-config", moved(80*time.Minute)), At: 125 * time.Minute},
	{
		Name: "machine-config, no node moved since", Result: slowResult("machine-config", moved(80*time.Minute)), At: 125*time.Minute + time.Second,
		Want: "Warning | Update Speed | 08:00:00 | Cluster Operator machine-config is taking longer to update than usual: a rollout | a rollout | clusteroperators.config.openshift.io/machine-config",
	},
}

// standstillResult assesses a control plane that has made no progress since its start.
func standstillResult(changes ...func(*updatev1alpha1.ClusterVersionInsight)) func(time.Time) assess.Result {
	version := &updatev1alpha1.ClusterVersionInsight{
		Resource:   updatev1alpha1.ResourceRef{Group: "config.openshift.io", Resource: "clusterversions", Name: "version"},
		Assessment: updatev1alpha1.AssessmentProgressing, StartedAt: &metav1.Time{Time: start}, ProgressedAt: &metav1.Time{Time: start},
		Manifests: &updatev1alpha1.ManifestProgress{Applied: 96, Total: 744},
	}
	for _, change := range changes {
		change(version)
	}
	facts := controlplane.Standstill{Version: version, Operators: 33, Updated: 2, LongestStep: 20 * time.Minute}
	return func(now time.Time) assess.Result {
		return resultOf(controlplane.StandstillChecks, facts, version.Resource, now)
	}
}

// ofFiles is a control plane that was not observed.
func ofFiles(assessment updatev1alpha1.Assessment) func(*updatev1alpha1.ClusterVersionInsight) {
	return func(version *updatev1alpha1.ClusterVersionInsight) {
		version.ProgressedAt, version.Assessment, version.Manifests = nil, assessment, nil
	}
}

const noProgress = "The control plane makes no progress, and nothing says why | No manifest was applied for the first time, no operator reached the release, " +
	"and no condition of an operator changed. 2 of 33 cluster operators are updated"

var standstillCases = []healthcases.Case{
	{Name: "twice the longest step", Result: standstillResult(), At: 40 * time.Minute},
	{
		Name: "longer", Result: standstillResult(), At: 40*time.Minute + time.Second,
		Want: "Warning | Update Stalled | 08:00:00 | " + noProgress + ", 96 of 744 manifests are applied. | clusterversions.config.openshift.io/version",
	},
	{
		Name: "two hours", Result: standstillResult(), At: 2 * time.Hour,
		Want: "Error | Update Stalled | 08:00:00 | " + noProgress + ", 96 of 744 manifests are applied. | clusterversions.config.openshift.io/version",
	},
	{
		Name: "files, stalled", Result: standstillResult(ofFiles(updatev1alpha1.AssessmentStalled)), At: 2 * time.Hour,
		Want: "Warning | Update Stalled | - | " + noProgress + ". | clusterversions.config.openshift.io/version",
	},
	{Name: "files, not stalled", Result: standstillResult(ofFiles(updatev1alpha1.AssessmentProgressingSlow)), At: 2 * time.Hour},
}
