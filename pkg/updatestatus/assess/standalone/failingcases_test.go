package standalone_test

import (
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/healthcases"
)

const (
	invalidRole = `Could not update role "openshift-etcd/a" (96 of 744): the object is invalid, possibly due to local cluster configuration`
	ofVersion   = " | clusterversions.config.openshift.io/version"
)

var failingCases = []healthcases.Case{
	{
		Name: "an operator, at 5 minutes", At: 5 * time.Minute,
		Result: versionResult(failing(configv1.ConditionTrue, "ClusterOperatorDegraded", "Cluster operator etcd is degraded"), 1),
		Want: "Info | Update Stalled | 08:00:00 | Cluster Version version is failing to proceed with the update (ClusterOperatorDegraded): Cluster operator etcd is degraded | " +
			"Cluster operator etcd is degraded" + ofVersion + " clusteroperators.config.openshift.io/etcd",
	},
	{
		Name: "an operator, after 5 minutes", At: 5*time.Minute + time.Second,
		Result: versionResult(failing(configv1.ConditionTrue, "ClusterOperatorDegraded", "Cluster operator etcd is degraded"), 1),
		Want: "Warning | Update Stalled | 08:00:00 | Cluster Version version is failing to proceed with the update (ClusterOperatorDegraded): Cluster operator etcd is degraded | " +
			"Cluster operator etcd is degraded" + ofVersion + " clusteroperators.config.openshift.io/etcd",
	},
	{
		Name: "a manifest, at once", At: time.Second,
		Result: versionResult(failing(configv1.ConditionTrue, "UpdatePayloadResourceInvalid", invalidRole), 1),
		Want: "Warning | Update Stalled | 08:00:00 | Cluster Version version is failing to proceed with the update (UpdatePayloadResourceInvalid): " + invalidRole + " | " +
			invalidRole + "\nWhat the API server answered is in the log of the Cluster Version Operator only: look there for \"error running apply for role\"." +
			ofVersion + " roles.rbac.authorization.k8s.io/a",
	},
	{
		Name: "for 40 minutes", At: 40 * time.Minute,
		Result: versionResult(failing(configv1.ConditionTrue, "WorkloadNotAvailable", "deployment ns/a is not available MinimumReplicasUnavailable: no"), 1),
		Want: "Error | Update Stalled | 08:00:00 | Cluster Version version is failing to proceed with the update (WorkloadNotAvailable): deployment ns/a is not available MinimumReplicasUnavailable: no | " +
			"deployment ns/a is not available MinimumReplicasUnavailable: no" + ofVersion + " deployments.apps/a",
	},
	{
		Name: "unknown, without a message", At: time.Minute,
		Result: versionResult(failing(configv1.ConditionUnknown, "", ""), 1),
		Want:   "Warning | Update Stalled | 08:00:00 | Cluster Version version may be failing to proceed with the update | <no message>" + ofVersion,
	},
	{
		Name: "a single node, at 15 minutes", At: 15 * time.Minute,
		Result: leaseResult(failing(configv1.ConditionTrue, "ClusterOperatorDegraded", "Cluster operator etcd is degraded"), func(in *standalone.ClusterVersionInput) {
			alone(in)
			in.Lease.Spec.RenewTime.Time = start.Add(14 * time.Minute)
		}),
		Want: "Info | Update Stalled | 08:00:00 | Cluster Version version is failing to proceed with the update (ClusterOperatorDegraded): Cluster operator etcd is degraded | " +
			"Cluster operator etcd is degraded" + ofVersion + " clusteroperators.config.openshift.io/etcd",
	},
	{
		Name: "without an update", At: time.Hour,
		Result: versionResult(idle(builders.VersionCondition(builders.Condition("Failing", configv1.ConditionTrue, start, "ClusterOperatorNotAvailable", "Cluster operator etcd is not available"))), 4),
		Want: "Info | Update Stalled | 08:00:00 | Cluster Version version is failing to proceed with the update (ClusterOperatorNotAvailable): Cluster operator etcd is not available | " +
			"Cluster operator etcd is not available" + ofVersion + " clusteroperators.config.openshift.io/etcd",
	},
	{
		Name: "slow operators", At: time.Hour,
		Result: versionResult(failing(configv1.ConditionUnknown, "SlowClusterOperator", "waiting on dns over 30 minutes which is longer than expected"), 1),
	},
}

// leaseResult assesses a cluster whose Cluster Version Operator renewed its Lease at the start last, by a process that has assessed it since an
// hour before, unless it is one of files.
func leaseResult(version *configv1.ClusterVersion, change func(*standalone.ClusterVersionInput)) func(time.Time) assess.Result {
	return func(now time.Time) assess.Result {
		in := standalone.ClusterVersionInput{ClusterVersion: version, ClusterOperators: fleet(4, 1), Lease: renewedAt(start)}
		change(&in)
		if !in.Snapshot {
			_, in.Observed, _ = standalone.ControlPlane(in, start.Add(-time.Hour))
		}
		return standalone.ClusterVersion(in, now)
	}
}

func renewedAt(moment time.Time) *coordinationv1.Lease {
	return &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{HolderIdentity: ptr("pod-a"), RenewTime: &metav1.MicroTime{Time: moment}}}
}

const silentIs = "Update Stalled | 08:00:00 | The Cluster Version Operator does not run: it has stopped renewing its Lease | Nobody applies the release. While it runs, it renews the Lease " +
	"openshift-cluster-version/version every 26 seconds (60 in a cluster with a single node). pod-a was the last to do so." + ofVersion + " leases.coordination.k8s.io/version"

var silentCases = []healthcases.Case{
	{Name: "for 7 minutes", At: 7 * time.Minute, Result: leaseResult(notFailing(), func(*standalone.ClusterVersionInput) {})},
	{Name: "for longer", At: 7*time.Minute + time.Second, Result: leaseResult(notFailing(), func(*standalone.ClusterVersionInput) {}), Want: "Warning | " + silentIs},
	{Name: "for 15 minutes", At: 15 * time.Minute, Result: leaseResult(notFailing(), func(*standalone.ClusterVersionInput) {}), Want: "Error | " + silentIs},
	{Name: "no update", At: time.Hour, Result: leaseResult(idle(), func(*standalone.ClusterVersionInput) {})},
	{
		Name: "never renewed", At: time.Hour, Result: leaseResult(notFailing(), func(in *standalone.ClusterVersionInput) { in.Lease.Spec.RenewTime = nil }),
	},
	{Name: "single node, for 10 minutes", At: 10 * time.Minute, Result: leaseResult(notFailing(), alone)},
	{Name: "single node, for longer", At: 10*time.Minute + time.Second, Result: leaseResult(notFailing(), alone), Want: "Warning | " + silentIs},
	{
		Name: "files that were gathered for an hour", At: time.Hour,
		Result: leaseResult(notFailing(), func(in *standalone.ClusterVersionInput) { in.Snapshot, in.LeaseReadAt = true, start.Add(time.Minute) }),
	},
	{
		Name: "files, silent before", At: time.Hour, Want: "Error | " + silentIs,
		Result: leaseResult(notFailing(), func(in *standalone.ClusterVersionInput) {
			in.Snapshot, in.LeaseReadAt = true, start.Add(50*time.Minute)
		}),
	},
}

// alone makes the Lease that of a cluster with a single node.
func alone(in *standalone.ClusterVersionInput) { in.Lease.Spec.LeaseDurationSeconds = ptr(int32(270)) }

// overrides are of an operator's Deployment and of a CustomResourceDefinition.
var overrides = []configv1.ComponentOverride{
	{Kind: "Deployment", Group: "apps", Namespace: "openshift-dns-operator", Name: "dns-operator", Unmanaged: true},
	{Kind: "CustomResourceDefinition", Group: "apiextensions.k8s.io", Name: "dnses.operator.openshift.io", Unmanaged: true},
}

var overridesCases = []healthcases.Case{
	{Name: "managed", Result: overridesResult(notFailing(), configv1.ComponentOverride{Kind: "Deployment", Name: "a"})},
	{Name: "no update", Result: overridesResult(idle(), overrides...)},
	{
		Name: "one", Result: overridesResult(notFailing(), overrides[0]),
		Want: "Info | None | 08:00:00 | The Cluster Version Operator does not update Deployment openshift-dns-operator/dns-operator, by spec.overrides of the ClusterVersion | " +
			"An administrator has made unmanaged: Deployment openshift-dns-operator/dns-operator. What it belongs to stays at the release of before." + ofVersion +
			" deployments.apps/dns-operator",
	},
	{
		Name: "several", Result: overridesResult(notFailing(), append(slices.Repeat(overrides[:1], 8), overrides[1])...),
		Want: "Info | None | 08:00:00 | The Cluster Version Operator does not update 9 objects, by spec.overrides of the ClusterVersion | An administrator has made unmanaged: " +
			strings.Repeat("Deployment openshift-dns-operator/dns-operator, ", 8) + "1 more object. What it belongs to stays at the release of before." + ofVersion +
			strings.Repeat(" deployments.apps/dns-operator", 8),
	},
	{
		Name: "of the cluster", Result: overridesResult(notFailing(), overrides[1]),
		Want: "Info | None | 08:00:00 | The Cluster Version Operator does not update CustomResourceDefinition dnses.operator.openshift.io, by spec.overrides of the ClusterVersion | " +
			"An administrator has made unmanaged: CustomResourceDefinition dnses.operator.openshift.io. What it belongs to stays at the release of before." + ofVersion +
			" customresourcedefinitions.apiextensions.k8s.io/dnses.operator.openshift.io",
	},
}

// overridesResult assesses a cluster whose ClusterVersion has overrides.
func overridesResult(version *configv1.ClusterVersion, all ...configv1.ComponentOverride) func(time.Time) assess.Result {
	version.Spec.Overrides = all
	return versionResult(trimmed(version), 1)
}

const frozenIs = "Update Stalled | 08:00:00 | The Cluster Version Operator can't report: all cluster operators are updated, and the status of the ClusterVersion makes no progress | " +
	"The API server may refuse what it writes, or it does not get on with the manifests that are left. Its log says which. It reports: <no message>" + ofVersion

// frozenCases: operators that have been updated since their last change, an hour after the installation.
var frozenCases = []healthcases.Case{
	{Name: "for 5 minutes", At: 5 * time.Minute, Result: frozenResult(notFailing(), 4)},
	{Name: "for longer", At: 5*time.Minute + time.Second, Result: frozenResult(notFailing(), 4), Want: "Warning | " + frozenIs},
	{Name: "for 15 minutes", At: 15 * time.Minute, Result: frozenResult(notFailing(), 4), Want: "Error | " + frozenIs},
	{Name: "an operator is left", At: time.Hour, Result: frozenResult(notFailing(), 3)},
	{Name: "complete", At: time.Hour, Result: frozenResult(idle(), 4)},
	{Name: "a release that is applied unseen, for 5 minutes", At: 5 * time.Minute, Result: unseenResult("4.20.3", 6, 2)},
	{
		Name: "a release that is applied unseen", At: 5*time.Minute + time.Second, Result: unseenResult("4.20.3", 6, 2),
		Want: "Warning | Update Stalled | 08:00:00 | The Cluster Version Operator can't report: 2 cluster operators run 4.20.3, which is asked for, and the status of the " +
			"ClusterVersion does not say so | It applies the release, and the API server may refuse what it writes of that: its log says why. What is reported of the update " +
			"is that of the one before. It reports: <no message>" + ofVersion,
	},
}

// unseenResult assesses a cluster in which some operators run the requested release, and the ClusterVersion does not report it.
func unseenResult(asked string, observed int64, updated int) func(time.Time) assess.Result {
	version := idle(builders.Requested(configv1.Update{Version: asked}), builders.Generations(7, observed))
	operators := fleet(4, 4)
	for at := range updated {
		builders.OperatorVersion(asked)(operators[at])
	}
	return func(now time.Time) assess.Result {
		in := standalone.ClusterVersionInput{ClusterVersion: version, ClusterOperators: operators}
		_, in.Observed, _ = standalone.ControlPlane(in, start)
		return standalone.ClusterVersion(in, now)
	}
}

// frozenResult assesses files of a cluster whose operators changed last at the start of the update.
func frozenResult(version *configv1.ClusterVersion, updated int) func(time.Time) assess.Result {
	operators := fleet(4, updated)
	for _, operator := range operators {
		builders.Healthy(start)(operator)
	}
	return func(now time.Time) assess.Result {
		return standalone.ClusterVersion(standalone.ClusterVersionInput{ClusterVersion: version, ClusterOperators: operators, Snapshot: true}, now)
	}
}
