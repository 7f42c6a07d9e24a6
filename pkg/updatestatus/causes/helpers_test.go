package causes_test

import (
	"cmp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

const (
	info     = updatev1alpha1.LevelInfo
	warning  = updatev1alpha1.LevelWarning
	failure  = updatev1alpha1.LevelError
	critical = updatev1alpha1.LevelCritical
)

func nodeRef(name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Resource: "nodes", Name: name}
}

func operatorRef(name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Group: configv1.GroupName, Resource: "clusteroperators", Name: name}
}

func poolRef(name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Group: machineconfigv1.GroupName, Resource: "machineconfigpools", Name: name}
}

var versionRef = updatev1alpha1.ResourceRef{Group: configv1.GroupName, Resource: "clusterversions", Name: "version"}

// cases are those of the insights of checks that have some.
var cases = map[string]string{
	"node-drain-blocked": "BudgetNeedsAll", "node-degraded": "Failed", "pool-degraded": "NotRendered", "pool-not-starting": "UsedUp",
	"cluster-version-failing": "Failing", "node-update-slow": "Updating", "hosted-cluster-failing": "Failing", "node-pool-machines-not-ready": "MachinesNotReady",
	"node-pool-not-starting": "NotStarted", "kubelet-certificates-pending": "Client",
}

// health is a health insight, named by its check and its object.
func health(check string, level updatev1alpha1.HealthLevel, summary, description string, resources ...updatev1alpha1.ResourceRef) causes.Insight {
	informer := insight.ControlPlaneInformer
	switch {
	case check == "alert-firing":
		informer = insight.AlertInformer
	case strings.HasPrefix(check, "node-"), strings.HasPrefix(check, "kubelet-"), strings.HasPrefix(check, "pool-"):
		informer = insight.NodeInformer
	}
	return causes.Insight{Informer: string(informer), Insight: &updatev1alpha1.Insight{
		UID: insight.UID("health", check+"/"+resources[0].Name), Type: updatev1alpha1.InsightHealth,
		Health: &updatev1alpha1.HealthInsight{
			StartedAt: &metav1.Time{Time: noon}, Scope: updatev1alpha1.HealthScope{Resources: builders.Resources(resources...)},
			Impact: updatev1alpha1.HealthImpact{Level: level, Summary: summary, Description: description},
			Case:   cases[check], Reported: &updatev1alpha1.ComponentReport{Component: "Some", Message: description},
		},
	}}
}

func drain(node string, level updatev1alpha1.HealthLevel, others ...updatev1alpha1.ResourceRef) causes.Insight {
	return health("node-drain-blocked", level, "Node "+node+" does not drain: a PodDisruptionBudget requires all existing pods", "Pod of "+node,
		append([]updatev1alpha1.ResourceRef{nodeRef(node)}, others...)...)
}

func degraded(node, reason string) causes.Insight {
	return health("node-degraded", failure, "Node "+node+" is degraded", reason, nodeRef(node))
}

func notReady(node string) causes.Insight {
	return health("node-not-ready", warning, "Node "+node+" is not ready", "stopped posting status", nodeRef(node))
}

func poolDegraded(name string) causes.Insight {
	return health("pool-degraded", failure, "Pool "+name+" can't be updated", "Failed to render configuration", poolRef(name))
}

// stalled is a pool that is stuck because of some nodes.
func stalled(name string, nodes ...string) causes.Insight {
	resources := []updatev1alpha1.ResourceRef{poolRef(name)}
	for _, node := range nodes {
		resources = append(resources, nodeRef(node))
	}
	return health("pool-not-starting", failure, "Pool "+name+" has not started to update", "why", resources...)
}

func operator(name, what string, level updatev1alpha1.HealthLevel, message string) causes.Insight {
	return health("cluster-operator-"+what, level, "Cluster Operator "+name+" is "+what, message, operatorRef(name))
}

// inControlPlane says that a problem is about a node of the control plane.
func inControlPlane(one causes.Insight) causes.Insight {
	one.Health.Scope.Type = updatev1alpha1.ScopeControlPlane
	return one
}

func isSlow(name string) causes.Insight {
	return health("operator-slow", warning, "Cluster Operator "+name+" is slow", "a rollout", operatorRef(name))
}

func failing(message string, objects ...updatev1alpha1.ResourceRef) causes.Insight {
	one := health("cluster-version-failing", warning, "Cluster Version version is failing", message, versionRef)
	for _, object := range objects {
		one.Health.Scope.Resources = append(one.Health.Scope.Resources, updatev1alpha1.HealthResource{ResourceRef: object, Role: updatev1alpha1.RoleBlocker})
	}
	return one
}

// overridden is an update that skips an object.
func overridden(object updatev1alpha1.ResourceRef) causes.Insight {
	return health("cluster-version-overrides", updatev1alpha1.LevelInfo, "An object is not updated", "m", versionRef, object)
}

// workload returns a resource of a namespace.
func workload(resource, namespace string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Group: "apps", Resource: resource, Namespace: namespace, Name: "a"}
}

func alert(name string, level updatev1alpha1.HealthLevel, labels ...updatev1alpha1.ResourceRef) causes.Insight {
	one := health("alert-firing", level, "Alert is firing: "+name, "text", updatev1alpha1.ResourceRef{Resource: "alerts", Name: name})
	one.Labels = labels
	return one
}

func ahead(budgets ...updatev1alpha1.ResourceRef) causes.Insight {
	return health("pool-will-not-drain", warning, "1 of 2 nodes will not drain", "m", append([]updatev1alpha1.ResourceRef{poolRef("worker")}, budgets...)...)
}

// node, pool and clusterOperator are what is known of the objects.
func node(name, pool string) causes.Insight {
	return causes.Insight{Informer: string(insight.NodeInformer), Insight: &updatev1alpha1.Insight{
		UID: "node-" + name, Node: &updatev1alpha1.NodeInsight{Name: name, Resource: nodeRef(name), Pool: pool},
	}}
}

func pool(name string, available int32, others ...updatev1alpha1.NodeSummary) causes.Insight {
	return causes.Insight{Informer: string(insight.NodeInformer), Insight: &updatev1alpha1.Insight{
		UID: "mcp-" + name, MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: name, Resource: poolRef(name), Summaries: append([]updatev1alpha1.NodeSummary{
			{Type: updatev1alpha1.NodesTotal, Count: 3}, {Type: updatev1alpha1.NodesAvailable, Count: available},
		}, others...)},
	}}
}

func clusterOperator(name string, healthy metav1.ConditionStatus, message string) causes.Insight {
	return causes.Insight{Informer: string(insight.ControlPlaneInformer), Insight: &updatev1alpha1.Insight{
		UID: "co-" + name, ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{
			Name: name, Resource: operatorRef(name),
			Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionHealthy, Status: healthy, Message: message}},
		},
	}}
}

// found returns the edges between insights: "cause → effect".
func found(all ...causes.Insight) []string {
	names := map[updatev1alpha1.HealthCause]string{}
	for _, one := range all {
		if one.Health != nil {
			names[one.Ref()] = one.Health.Impact.Summary
		}
	}
	var edges []string
	for effect, one := range causes.Find(all) {
		for _, cause := range one.CausedBy {
			edges = append(edges, names[cause]+" → "+names[effect])
		}
	}
	slices.SortFunc(edges, cmp.Compare[string])
	return edges
}

func minutes(number int) time.Duration { return time.Duration(number) * time.Minute }
