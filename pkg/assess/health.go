package assess

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// HealthCheck is an entry of the table of health checks.
type HealthCheck struct {
	// Name identifies the check. It must not change: it is part of the uids of insights.
	Name string
	// Kind is the kind of the objects that are checked.
	Kind string
	// check returns nil if the condition does not apply. It is called for objects of its kind only.
	check func(healthFacts) *finding
}

// healthChecks are all health checks, in the order in which docs/insights.md lists them. A check is one entry here, one
// function, one row there and one case in its test.
var healthChecks = []HealthCheck{
	{"cluster-version-failing-unknown", kindClusterVersion, failingUnknown},
	{"cluster-version-failing", kindClusterVersion, failing},
	{"previous-update-incomplete", kindClusterVersion, previousIncomplete},
	{"cluster-operator-unavailable", kindClusterOperator, operatorUnavailable},
	{"cluster-operator-degraded", kindClusterOperator, operatorDegraded},
	{"node-not-ready", kindNode, nodeNotReady},
	{"node-disk-pressure", kindNode, nodeDiskPressure},
	{"node-network-unavailable", kindNode, nodeNetworkUnavailable},
	{"node-degraded", kindNode, degradedNode},
	{"node-drain-blocked", kindNode, nodeDrainBlocked},
	{"node-in-several-pools", kindNode, nodeInSeveralPools},
	{"pool-paused", kindMachineConfigPool, poolPaused},
	{"pool-selector-unparsable", kindMachineConfigPool, poolSelectorUnparsable},
	{"pool-will-not-drain", kindDrainAhead, poolWillNotDrain},
	{"alert-firing", kindAlert, alertFires},
	{"hosted-cluster-blocked", kindHostedCluster, hostedBlocked},
	{"hosted-cluster-paused", kindHostedCluster, hostedPaused},
	{"hosted-cluster-failing", kindHostedCluster, hostedFailing},
	{"hosted-cluster-unavailable", kindHostedCluster, hostedUnavailable},
	{"hosted-cluster-etcd-unavailable", kindHostedCluster, hostedEtcdUnavailable},
	{"hosted-cluster-api-server-unavailable", kindHostedCluster, hostedAPIServerUnavailable},
	{"hosted-cluster-disconnected", kindHostedCluster, hostedDisconnected},
	{"hosted-cluster-previous-incomplete", kindHostedCluster, previousIncomplete},
	{"component-unavailable", kindComponent, componentUnavailable},
	{"component-not-reconciled", kindComponent, componentNotReconciled},
	{"component-slow", kindComponent, componentSlow},
	{"node-pool-refused", kindNodePool, nodePoolRefused},
	{"node-pool-in-place-failed", kindNodePool, nodePoolInPlaceFailed},
	{"node-pool-payload-invalid", kindNodePool, nodePoolPayloadInvalid},
	{"node-pool-unsupported", kindNodePool, nodePoolSkew},
	{"node-pool-unhealthy", kindNodePool, nodePoolUnhealthy},
	{"node-pool-machines-not-ready", kindNodePool, nodePoolMachinesNotReady},
	{"node-pool-paused", kindNodePool, nodePoolPaused},
	{"node-pool-on-delete", kindNodePool, nodePoolOnDelete},
	{"hosted-node-drain-long", kindHostedNode, hostedDrainLong},
	{"machine-failed", kindMachine, machineFailed},
}

// HealthChecks returns the table of health checks.
func HealthChecks() []HealthCheck {
	return slices.Clone(healthChecks)
}

// healthFacts are the input of health checks: the assessed object and the results of its assessment. Only the members of one
// kind are set.
type healthFacts struct {
	now time.Time

	// clusterVersion and hosted, of which one is set, are so with operators and the history of updates.
	clusterVersion *configv1.ClusterVersion
	hosted         *hostedRelease
	operators      operators
	history        []configv1.UpdateHistory
	// noNodes is whether a hosted cluster has no nodes.
	noNodes bool

	// component is set with rolledOutSince, when its rollout started.
	component      *hypershiftv1beta1.ControlPlaneComponent
	rolledOutSince time.Time

	// nodePool is set with poolCounts and joining.
	nodePool *nodePool
	joining  JoiningMachines

	// machine is set for a node of a hosted cluster that has one, and drain for one that is drained.
	machine *clusterapiv1beta1.Machine
	drain   hostedDrain

	// paused is whether HyperShift changes nothing of what is checked.
	paused bool

	clusterOperator *configv1.ClusterOperator

	// node is set with nodeState and custom, the custom pools that match it.
	node      *nodeFacts
	nodeState insight.NodeState
	custom    []string

	// pool is set with poolCounts and selectorError.
	pool          *machineconfigv1.MachineConfigPool
	poolCounts    NodeCounts
	selectorError string

	// ahead is what is predicted about a pool.
	ahead *drain.Prediction

	// alert is set with started, when the update started.
	alert   *Alert
	started time.Time
}

// finding is a condition that needs attention.
type finding struct {
	// since is when the condition started, zero if it is unknown.
	since       time.Time
	level       updatev1alpha1.HealthLevel
	impact      updatev1alpha1.ImpactType
	summary     string
	description string
	reference   string
	// others are the affected resources besides the assessed one.
	others []updatev1alpha1.ResourceRef
	// nextCheck is when the finding changes without an event, zero if it does not. A finding without a level has not lasted
	// long enough yet.
	nextCheck time.Time
}

// subject is the assessed object.
type subject struct {
	kind string
	// key identifies the object among those of its kind, if its name does not.
	key      string
	resource updatev1alpha1.ResourceRef
	part     insight.Part
}

// checkHealth runs the checks of a kind, and returns the insights and when they change without an event.
func checkHealth(facts healthFacts, about subject) ([]insight.ScopedInsight, time.Time) {
	var insights []insight.ScopedInsight
	var next time.Time
	for _, check := range healthChecks {
		if check.Kind != about.kind {
			continue
		}
		found := check.check(facts)
		if found == nil {
			continue
		}
		next = earliest(next, found.nextCheck)
		if found.level != "" {
			insights = append(insights, insight.ScopedInsight{Part: about.part, Insight: found.insight(check.Name, about)})
		}
	}
	return insights, next
}

func (f *finding) insight(check string, about subject) updatev1alpha1.Insight {
	resources, more := boundResources(append([]updatev1alpha1.ResourceRef{about.resource}, f.others...))
	reference := f.reference
	if about.kind == kindNode && about.resource.Cluster == updatev1alpha1.ClusterHosted {
		reference = docsHostedTroubleshooting // those of nodes are about the Machine Config Operator
	}
	health := &updatev1alpha1.HealthInsight{
		StartedAt: optionalTime(f.since),
		Scope:     updatev1alpha1.HealthScope{Type: about.part.ScopeType(), Resources: resources},
		Impact: updatev1alpha1.HealthImpact{
			Level:       f.level,
			Type:        f.impact,
			Summary:     insight.Shorten(insight.OneLine(f.summary), updatev1alpha1.SummaryMaxLength),
			Description: insight.Shorten(f.description, updatev1alpha1.DescriptionMaxLength-len(more)) + more,
		},
		Remediation: updatev1alpha1.HealthRemediation{Reference: reference},
	}
	return updatev1alpha1.Insight{
		UID:    insight.UID("health", check+"/"+cmp.Or(about.key, about.resource.Name)),
		Type:   updatev1alpha1.InsightHealth,
		Health: health,
	}
}

// boundResources returns as many resources as a scope may have, and a sentence with the number of the others.
func boundResources(resources []updatev1alpha1.ResourceRef) (bounded []updatev1alpha1.ResourceRef, more string) {
	if len(resources) <= updatev1alpha1.ScopeMaxResources {
		return resources, ""
	}
	return resources[:updatev1alpha1.ScopeMaxResources],
		fmt.Sprintf(" (And %s.)", insight.Count(len(resources)-updatev1alpha1.ScopeMaxResources, "more resource"))
}

// patience is how long a condition lasts before it is reported as a warning, and as an error.
type patience struct {
	// warning is the duration that must be exceeded: a condition that is exactly as old is not reported yet.
	warning time.Duration
	// failure is the duration from which on it is an error, zero if never.
	failure time.Duration
}

// judge returns the level of a condition that started at a time, and when the level changes without an event. A condition whose
// start is unknown is a warning.
func (p patience) judge(since, now time.Time) (updatev1alpha1.HealthLevel, time.Time) {
	warning, failure := since.Add(p.warning), since.Add(p.failure)
	switch {
	case !now.After(warning):
		return "", warning.Add(tick)
	case p.failure == 0, since.IsZero():
		return updatev1alpha1.LevelWarning, time.Time{}
	case now.Before(failure):
		return updatev1alpha1.LevelWarning, failure
	default:
		return updatev1alpha1.LevelError, time.Time{}
	}
}

// earliest returns the earlier of two times. The zero time is ignored.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// noMessage replaces an empty message in descriptions.
const noMessage = "<no message>"

// because returns a reason in parentheses, as the end of a summary.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", reason)
}
