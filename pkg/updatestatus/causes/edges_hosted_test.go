package causes_test

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// managed is an object of the management cluster, and inHosted makes of an object one of the hosted cluster.
func managed(group, resource, name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Group: group, Resource: resource, Namespace: "clusters", Name: name, Cluster: updatev1alpha1.ClusterManagement}
}

func inHosted(ref updatev1alpha1.ResourceRef) updatev1alpha1.ResourceRef {
	ref.Cluster = updatev1alpha1.ClusterHosted
	return ref
}

func nodePoolRef(name string) updatev1alpha1.ResourceRef {
	return managed(hypershiftv1beta1.GroupName, "nodepools", name)
}

func componentRef(name string) updatev1alpha1.ResourceRef {
	return managed(hypershiftv1beta1.GroupName, "controlplanecomponents", name)
}

// hostedIs is a health insight about the hosted cluster, named by its check.
func hostedIs(check, message string) causes.Insight {
	return health("hosted-cluster-"+check, warning, check, message, managed(hypershiftv1beta1.GroupName, "hostedclusters", "east"))
}

func nodePoolIs(check, pool, message string) causes.Insight {
	return health("node-pool-"+check, warning, pool+" "+check, message, nodePoolRef(pool))
}

func componentIs(what, name string) causes.Insight {
	return health("component-"+what, warning, name+" "+what, "m", componentRef(name))
}

func hostedNodeIs(check, node, message string) causes.Insight {
	return health(check, warning, node+" "+check, message, inHosted(nodeRef(node)))
}

func machineFailed(name string) causes.Insight {
	return health("machine-failed", failure, name+" failed", "m", managed(clusterapiv1beta1.GroupName, "machines", name))
}

func hostedOperatorIs(what, name, message string) causes.Insight {
	return health("cluster-operator-"+what, warning, name+" "+what, message, inHosted(operatorRef(name)))
}

// component is what is known of a component, with its Updating condition.
func component(name string, updating metav1.ConditionStatus, reason, message string) causes.Insight {
	return causes.Insight{Informer: string(insight.ControlPlaneInformer), Insight: &updatev1alpha1.Insight{
		UID: "cpc-" + name, ControlPlaneComponent: &updatev1alpha1.ClusterOperatorInsight{
			Name: name, Resource: componentRef(name),
			Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: updating, Reason: reason, Message: message}},
		},
	}}
}

func updatedComponent(name string) causes.Insight {
	return component(name, metav1.ConditionFalse, updatev1alpha1.ReasonUpdated, "")
}

func hostedNode(name, pool string) causes.Insight {
	one := node(name, pool)
	one.Node.Resource, one.Node.Pool = inHosted(one.Node.Resource), pool
	return one
}

// nodePool is what is known of a node pool.
func nodePool(name string, upgradeType updatev1alpha1.UpgradeType) causes.Insight {
	return causes.Insight{Informer: string(insight.NodeInformer), Insight: &updatev1alpha1.Insight{
		UID: "np-" + name, NodePool: &updatev1alpha1.NodePoolInsight{
			MachineConfigPoolInsight: updatev1alpha1.MachineConfigPoolInsight{Name: name, Resource: nodePoolRef(name)}, UpgradeType: upgradeType,
		},
	}}
}

func hostedOperator(name, message string) causes.Insight {
	one := clusterOperator(name, metav1.ConditionFalse, message)
	one.ClusterOperator.Resource = inHosted(one.ClusterOperator.Resource)
	return one
}

// hostedEdgeCases are edgeCases of hosted clusters.
func hostedEdgeCases() map[string]edgeCase {
	const (
		unavailable = "unavailable"
		isFalse     = metav1.ConditionFalse
		pending     = updatev1alpha1.ReasonPending
		notReady    = "node-not-ready"
		draining    = "hosted-node-drain-long"
		dependency  = "Waiting for Dependencies: kube-apiserver"
	)
	etcd, api := componentIs(unavailable, "etcd"), componentIs(unavailable, "kube-apiserver")
	noEtcd, noAPI := hostedIs("etcd-unavailable", "m"), hostedIs("api-server-unavailable", "m")
	waits := componentIs(unavailable, "oauth-openshift")
	waiting := func(reason, message string) []causes.Insight {
		return of(updatedComponent("kube-apiserver"), component("oauth-openshift", isFalse, reason, message), api, waits)
	}
	machines := nodePoolIs("machines-not-ready", "surge", "VM is not ready: Stopped")
	machines.Health.Scope.Resources = builders.Resources(nodePoolRef("surge"), machineFailed("surge-a").Health.Scope.Resources[0].ResourceRef)
	joining := nodePoolIs("machines-not-ready", "surge", "Machine surge-a: NodeConditionsFailed")
	joining.Health.Scope.Resources = builders.Resources(joining.Health.Scope.Resources[0].ResourceRef, inHosted(nodeRef("a-1")))
	failedInPlace := nodePoolIs("in-place-failed", "metal", "Node m-1.example.com in nodepool degraded: disk is full")
	silent := updatedComponent("oauth-openshift")
	silent.ControlPlaneComponent.Conditions = nil
	return map[string]edgeCase{
		"etcd is down":                     {"component-is-condition", of(updatedComponent("etcd"), etcd, noEtcd), "etcd unavailable → etcd-unavailable"},
		"the API server is down":           {"component-is-condition", of(updatedComponent("kube-apiserver"), api, noAPI), "kube-apiserver unavailable → api-server-unavailable"},
		"a component of another condition": {"component-is-condition", of(updatedComponent("oauth-openshift"), waits, noEtcd), ""},
		"a component that rolls out":       {"component-is-condition", of(updatedComponent("etcd"), componentIs("slow", "etcd"), noEtcd), ""},
		"an operator called like it":       {"component-is-condition", of(clusterOperator("etcd", isFalse, "m"), operator("etcd", unavailable, warning, "m"), noEtcd), ""},

		"etcd was not recovered":           {"etcd-stays-down", of(hostedIs("etcd-recovery-failed", "m"), noEtcd), "etcd-recovery-failed → etcd-unavailable"},
		"an API server has no recovery":    {"etcd-stays-down", of(hostedIs("etcd-recovery-failed", "m"), noAPI), ""},
		"no etcd, no API server":           {"etcd-stops-api-server", of(noEtcd, noAPI), "etcd-unavailable → api-server-unavailable"},
		"no etcd, and its component":       {"etcd-stops-api-server", of(noEtcd, api), "etcd-unavailable → kube-apiserver unavailable"},
		"no etcd, and another component":   {"etcd-stops-api-server", of(noEtcd, waits), ""},
		"an API server without components": {"etcd-stops-api-server", of(hostedIs("failing", "m"), noAPI), ""},

		"no etcd, no cluster":            {"api-server-stops-hosted-cluster", of(noEtcd, hostedIs(unavailable, "m")), "etcd-unavailable → unavailable"},
		"no API server, no cluster":      {"api-server-stops-hosted-cluster", of(noAPI, hostedIs(unavailable, "m")), "api-server-unavailable → unavailable"},
		"no API server, no connection":   {"api-server-stops-hosted-cluster", of(noAPI, hostedIs("disconnected", "m")), "api-server-unavailable → disconnected"},
		"unavailable and no connection":  {"api-server-stops-hosted-cluster", of(hostedIs(unavailable, "m"), hostedIs("disconnected", "m")), ""},
		"no API server, and it fails":    {"api-server-stops-hosted-cluster", of(noAPI, hostedIs("failing", "m")), ""},
		"a component that it names":      {"component-stops-hosted-cluster", of(updatedComponent("etcd"), etcd, hostedIs(unavailable, "Waiting for components to be available: etcd, router")), "etcd unavailable → unavailable"},
		"a component that it leaves out": {"component-stops-hosted-cluster", of(updatedComponent("etcd"), etcd, hostedIs(unavailable, "Waiting for components to be available: etcd-operator")), ""},

		"it waits for another":            {"component-waits", waiting(pending, dependency), "kube-apiserver unavailable → oauth-openshift unavailable"},
		"it waits for a third":            {"component-waits", waiting(pending, "Waiting for Dependencies: etcd"), ""},
		"it is updated":                   {"component-waits", waiting(updatev1alpha1.ReasonUpdated, dependency), ""},
		"it rolls out":                    {"component-waits", of(updatedComponent("kube-apiserver"), component("oauth-openshift", metav1.ConditionTrue, pending, dependency), api, waits), ""},
		"it says nothing":                 {"component-waits", of(updatedComponent("kube-apiserver"), silent, api, waits), ""},
		"it is not known":                 {"component-waits", of(updatedComponent("kube-apiserver"), api, waits), ""},
		"it waits for one that rolls out": {"component-waits", of(updatedComponent("kube-apiserver"), component("oauth-openshift", isFalse, pending, dependency), componentIs("slow", "kube-apiserver"), waits), ""},

		"unavailable and slow":         {"unavailable-slows-component", of(etcd, componentIs("slow", "etcd")), "etcd unavailable → etcd slow"},
		"unavailable and another slow": {"unavailable-slows-component", of(api, componentIs("slow", "etcd")), ""},

		"an operator names a component":     {"component-harms-operator", of(updatedComponent("kube-apiserver"), api, hostedOperatorIs("degraded", "console", "no answer of kube-apiserver")), "kube-apiserver unavailable → console degraded"},
		"an operator names a plain word":    {"component-harms-operator", of(updatedComponent("etcd"), etcd, hostedOperatorIs("degraded", "console", "etcd is full")), ""},
		"an operator names it as one":       {"component-harms-operator", of(updatedComponent("etcd"), etcd, hostedOperatorIs("degraded", "console", "component etcd is full")), "etcd unavailable → console degraded"},
		"an operator names another":         {"component-harms-operator", of(updatedComponent("kube-apiserver"), api, hostedOperatorIs("degraded", "console", "no answer of kube-apiserver-proxy")), ""},
		"a node of a hosted cluster":        {"node-harms-operator", of(hostedNode("a-1", "surge"), hostedNodeIs(notReady, "a-1", "m"), hostedOperatorIs("degraded", "network", "rollout hangs on a-1")), "a-1 node-not-ready → network degraded"},
		"an operator of a hosted cluster":   {"operator-fails-update", of(hostedOperator("dns", "m"), hostedOperatorIs("degraded", "dns", "m"), hostedIs("failing", "Cluster operator dns is degraded")), "dns degraded → failing"},
		"a component is no operator":        {"operator-fails-update", of(hostedOperator("console", "m"), updatedComponent("etcd"), etcd, hostedIs("failing", "Cluster operator etcd is degraded")), ""},
		"a node, before the operator":       {"operator-passes-on", of(hostedOperator("network", "on a-1"), hostedNode("a-1", "surge"), hostedNodeIs(notReady, "a-1", "m"), hostedIs("failing", "Cluster operator network is degraded")), "a-1 node-not-ready → failing"},
		"a component, before the operator":  {"operator-passes-on", of(hostedOperator("console", "kube-apiserver"), updatedComponent("kube-apiserver"), api, hostedIs("failing", "Cluster operator console is degraded")), "kube-apiserver unavailable → failing"},
		"a component that it does not name": {"operator-passes-on", of(hostedOperator("console", "timeout"), updatedComponent("kube-apiserver"), api, hostedIs("failing", "Cluster operator console is degraded")), ""},
		"a paused hosted cluster":           {"hosted-cluster-pauses-pool", of(hostedIs("paused", "m"), nodePoolIs("paused", "surge", "m")), "paused → surge paused"},
		"a pool that is replaced":           {"hosted-cluster-pauses-pool", of(nodePool("surge", updatev1alpha1.UpgradeReplace), hostedIs("paused", "m"), nodePoolIs("paused", "surge", "m")), "paused → surge paused"},
		"a pool that is updated in place":   {"hosted-cluster-pauses-pool", of(nodePool("metal", updatev1alpha1.UpgradeInPlace), hostedIs("paused", "m"), nodePoolIs("paused", "metal", "m")), ""},
		"a blocked one":                     {"hosted-cluster-pauses-pool", of(hostedIs("blocked", "m"), nodePoolIs("paused", "surge", "m")), ""},
		"a node fails in place":             {"node-fails-pool", of(hostedNode("m-1.example.com", "metal"), hostedNodeIs("node-degraded", "m-1.example.com", "disk is full"), failedInPlace), "m-1.example.com node-degraded → metal in-place-failed"},
		"another node fails":                {"node-fails-pool", of(hostedNode("m-2.example.com", "metal"), hostedNodeIs("node-degraded", "m-2.example.com", "disk is full"), failedInPlace), ""},
		"a Machine that a pool names":       {"machine-delays-pool", of(machineFailed("surge-a"), machines), "surge-a failed → surge machines-not-ready"},
		"a pod that does nothing":           {"idle-pod-slows-node", of(hostedNodeIs("hosted-node-not-begun", "m-1", "m"), hostedNodeIs("node-update-slow", "m-1", "m")), "m-1 hosted-node-not-begun → m-1 node-update-slow"},
		"a pod of another node":             {"idle-pod-slows-node", of(hostedNodeIs("hosted-node-not-begun", "m-1", "m"), hostedNodeIs("node-update-slow", "m-2", "m")), ""},
		"a Machine that can't be provisioned": {
			"machine-delays-pool",
			of(health("machine-not-provisioned", warning, "surge-a not provisioned", "m", managed(clusterapiv1beta1.GroupName, "machines", "surge-a")), machines),
			"surge-a not provisioned → surge machines-not-ready",
		},
		"no payload holds a pool":            {"configuration-holds-pool", of(nodePoolIs("payload-invalid", "surge", "m"), nodePoolIs("not-starting", "surge", "m")), "surge payload-invalid → surge not-starting"},
		"no ignition holds Machines":         {"configuration-holds-pool", of(nodePoolIs("ignition-not-reached", "surge", "m"), machines), "surge ignition-not-reached → surge machines-not-ready"},
		"no payload of another pool":         {"configuration-holds-pool", of(nodePoolIs("payload-invalid", "other", "m"), machines), ""},
		"a Machine that no pool names":       {"machine-delays-pool", of(machineFailed("surge-ab"), machines), ""},
		"a node that has to join":            {"node-delays-pool", of(hostedNodeIs(notReady, "a-1", "m"), joining), "a-1 node-not-ready → surge machines-not-ready"},
		"a node that does not have to join":  {"node-delays-pool", of(hostedNodeIs(notReady, "a-2", "m"), joining), ""},
		"Machines hold a pool":               {"machines-hold-pool", of(machines, nodePoolIs("not-starting", "surge", "m")), "surge machines-not-ready → surge not-starting"},
		"Machines of another pool":           {"machines-hold-pool", of(machines, nodePoolIs("not-starting", "other", "m")), ""},
		"nodes that are not ready":           {"nodes-harm-pool", of(hostedNode("a-1", "surge"), hostedNodeIs(notReady, "a-1", "m"), nodePoolIs("unhealthy", "surge", "m")), "a-1 node-not-ready → surge unhealthy"},
		"nodes of another pool":              {"nodes-harm-pool", of(hostedNode("a-1", "other"), hostedNodeIs(notReady, "a-1", "m"), nodePoolIs("unhealthy", "surge", "m")), ""},
		"a node with another problem":        {"nodes-harm-pool", of(hostedNode("a-1", "surge"), hostedNodeIs("node-disk-pressure", "a-1", "m"), nodePoolIs("unhealthy", "surge", "m")), ""},
		"a budget is not a drain of hosted":  {"drain-was-ahead", of(hostedNodeIs(draining, "a-1", "m"), ahead(insight.Budget("shop", "cart"))), ""},
		"an operator of hosted, unavailable": {"unavailable-degrades-operator", of(hostedOperatorIs(unavailable, "dns", "m"), hostedOperatorIs("degraded", "dns", "m")), "dns unavailable → dns degraded"},
	}
}
