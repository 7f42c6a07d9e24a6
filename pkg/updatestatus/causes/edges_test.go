package causes_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/checks"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// edgeCase is a cluster with the cause and the effect of an edge.
type edgeCase struct {
	// edge is the name of the edge that the case is about.
	edge string
	all  []causes.Insight
	// want is "cause → effect", empty where the evidence is only almost there.
	want string
}

func of(all ...causes.Insight) []causes.Insight { return all }

// notRendered is a pool whose configuration is not rendered, and waitsOn an update that waits for an operator.
func notRendered(pool string) causes.Insight {
	one := stalled(pool)
	one.Health.Case = "NotRendered"
	return one
}

func waitsOn(name string) causes.Insight {
	version := &updatev1alpha1.ClusterVersionInsight{WaitingOn: []updatev1alpha1.WaitedOperator{{Name: name}}}
	return causes.Insight{Informer: string(insight.ControlPlaneInformer), Insight: &updatev1alpha1.Insight{UID: "cv-version", ClusterVersion: version}}
}

// edgeCases has for each edge one in which it holds, and some in which the evidence is almost there.
func edgeCases() map[string]edgeCase {
	const (
		isTrue, isFalse = metav1.ConditionTrue, metav1.ConditionFalse
		mco             = "machine-config"
	)
	budget := insight.Budget("shop", "cart")
	degradedCount := updatev1alpha1.NodeSummary{Type: updatev1alpha1.NodesDegraded, Count: 1}
	return map[string]edgeCase{
		"a drain fails":                               {"drain-degrades-node", of(drain("w-1", failure), degraded("w-1", "failed to drain node: w-1")), "Node w-1 does not drain: a PodDisruptionBudget requires all existing pods → Node w-1 is degraded"},
		"a certificate of a node":                     {"certificate-stops-kubelet", of(health("kubelet-certificates-pending", warning, "Node w-1 waits for its certificate", "m", nodeRef("w-1")), notReady("w-1")), "Node w-1 waits for its certificate → Node w-1 is not ready"},
		"a certificate of another node":               {"certificate-stops-kubelet", of(health("kubelet-certificates-pending", warning, "Node w-2 waits for its certificate", "m", nodeRef("w-2")), notReady("w-1")), ""},
		"a serving certificate":                       {"certificate-stops-kubelet", of(health("kubelet-certificates-pending", info, "Node w-1 waits for its serving certificate", "m", nodeRef("w-1")), notReady("w-1")), ""},
		"a drain, and a full disk":                    {"drain-degrades-node", of(drain("w-1", failure), degraded("w-1", "no space left")), ""},
		"a drain of another node":                     {"drain-degrades-node", of(drain("w-2", failure), degraded("w-1", "failed to drain node: w-1")), ""},
		"a drain that was ahead":                      {"drain-was-ahead", of(drain("w-1", warning, budget), ahead(budget)), "Node w-1 does not drain: a PodDisruptionBudget requires all existing pods → 1 of 2 nodes will not drain"},
		"another drain":                               {"drain-was-ahead", of(drain("w-1", warning, insight.Budget("test", "cart")), ahead(budget)), ""},
		"a drain without a budget":                    {"drain-was-ahead", of(drain("w-1", warning), ahead()), ""},
		"an alert about a drain ahead":                {"object-raises-alert", of(ahead(budget), alert("PodDisruptionBudgetAtLimit", warning, budget)), "1 of 2 nodes will not drain → Alert is firing: PodDisruptionBudgetAtLimit"},
		"an informer about a node":                    {"informer-explains", of(drain("w-1", failure), informer("ceph", warning, nodeRef("w-1"))), "ceph → Node w-1 does not drain: a PodDisruptionBudget requires all existing pods"},
		"an informer about a budget":                  {"informer-explains", of(drain("w-1", warning, budget), informer("ceph", info, budget)), "ceph → Node w-1 does not drain: a PodDisruptionBudget requires all existing pods"},
		"an informer about an operator":               {"informer-explains", of(operator("storage", "degraded", warning, "m"), informer("ceph", warning, operatorRef("storage"))), "ceph → Cluster Operator storage is degraded"},
		"an informer about another budget":            {"informer-explains", of(drain("w-1", warning, budget), informer("ceph", warning, insight.Budget("test", "cart"))), ""},
		"an informer that is not trusted":             {"informer-explains", of(drain("w-1", warning, budget), informer("ceph", warning)), ""},
		"an informer about a node that is not ready":  {"informer-explains", of(notReady("w-1"), informer("ceph", warning, nodeRef("w-1"))), ""},
		"an informer about a pool":                    {"informer-explains", of(poolDegraded("worker"), informer("ceph", warning, poolRef("worker"))), ""},
		"an operator is down":                         {"unavailable-degrades-operator", of(operator("etcd", "unavailable", warning, "m"), operator("etcd", "degraded", warning, "m")), "Cluster Operator etcd is unavailable → Cluster Operator etcd is degraded"},
		"another operator is down":                    {"unavailable-degrades-operator", of(operator("dns", "unavailable", warning, "m"), operator("etcd", "degraded", warning, "m")), ""},
		"an operator names a node":                    {"node-harms-operator", of(node("m-1", "master"), notReady("m-1"), operator("etcd", "degraded", warning, `members are available, m-1 is unhealthy`)), "Node m-1 is not ready → Cluster Operator etcd is degraded"},
		"it names a longer one":                       {"node-harms-operator", of(node("m-1", "master"), notReady("m-1"), operator("etcd", "degraded", warning, `pod etcd-m-1 and m-1.example.com and m-12 are unhealthy`)), ""},
		"a name that is cut off":                      {"node-harms-operator", of(node("m-1", "master"), notReady("m-1"), operator("etcd", "degraded", warning, `unhealthy: m-1…`)), ""},
		"a plain word":                                {"node-harms-operator", of(node("worker", "worker"), notReady("worker"), operator("etcd", "degraded", warning, `the worker pool is full`)), ""},
		"a plain word that is a node":                 {"node-harms-operator", of(node("worker", "worker"), notReady("worker"), operator("etcd", "degraded", warning, `the node "worker" is full`)), "Node worker is not ready → Cluster Operator etcd is degraded"},
		"a node that is degraded":                     {"node-harms-operator", of(node("m-1", "master"), degraded("m-1", "m"), operator("etcd", "degraded", warning, `node m-1`)), ""},
		"a worse operator":                            {"node-harms-operator", of(node("m-1", "master"), notReady("m-1"), operator("etcd", "degraded", failure, `node m-1`)), "Node m-1 is not ready → Cluster Operator etcd is degraded"},
		"a node in no pool":                           {"node-harms-operator", of(notReady("m-1"), operator("etcd", "degraded", warning, `node m-1`)), ""},
		"machine-config names a node":                 {"node-harms-machine-config", of(node("w-1", "worker"), degraded("w-1", "m"), operator(mco, "degraded", failure, `Node w-1 is reporting: "disk"`)), "Node w-1 is degraded → Cluster Operator machine-config is degraded"},
		"machine-config names another":                {"node-harms-machine-config", of(node("w-1", "worker"), node("w-2", "worker"), degraded("w-1", "m"), operator(mco, "degraded", failure, `Node w-2 is reporting: "disk"`)), ""},
		"machine-config names a pool":                 {"pool-harms-machine-config", of(node("w-1", "worker"), pool("worker", 3, degradedCount), degraded("w-1", "m"), operator(mco, "degraded", failure, `error MachineConfigPool worker is not ready, retrying`)), "Node w-1 is degraded → Cluster Operator machine-config is degraded"},
		"a paused pool":                               {"pool-harms-machine-config", of(pool("worker", 3, updatev1alpha1.NodeSummary{Type: updatev1alpha1.NodesExcluded, Count: 1}), health("pool-paused", warning, "paused", "m", poolRef("worker")), operator(mco, "degraded", warning, `required MachineConfigPool worker is paused`)), "paused → Cluster Operator machine-config is degraded"},
		"the counts do not show it":                   {"pool-harms-machine-config", of(node("w-1", "worker"), pool("worker", 3), degraded("w-1", "m"), operator(mco, "degraded", failure, `error MachineConfigPool worker is not ready, retrying`)), ""},
		"machine-config names no pool":                {"pool-harms-machine-config", of(node("w-1", "worker"), pool("worker", 3, degradedCount), degraded("w-1", "m"), operator(mco, "degraded", failure, `error: worker is not ready`)), ""},
		"another operator names a pool":               {"pool-harms-machine-config", of(node("w-1", "worker"), pool("worker", 3, degradedCount), degraded("w-1", "m"), operator("network", "degraded", failure, `pool worker is not ready`)), ""},
		"a node of another pool":                      {"pool-harms-machine-config", of(node("i-1", "infra"), pool("worker", 3, degradedCount), pool("infra", 3, degradedCount), degraded("i-1", "m"), operator(mco, "degraded", failure, `pool worker is not ready`)), ""},
		"a node that uses up what may be unavailable": {"node-stops-pool", of(notReady("w-1"), stalled("worker", "w-1")), "Node w-1 is not ready → Pool worker has not started to update"},
		"another node":                                {"node-stops-pool", of(notReady("w-2"), stalled("worker", "w-1")), ""},
		"a configuration that is not rendered":        {"pool-does-not-start", of(poolDegraded("worker"), stalled("worker")), "Pool worker can't be updated → Pool worker has not started to update"},
		"a rendering that machine-config is not at":   {"control-plane-holds-rendering", of(clusterOperator(mco, isFalse, "m"), operator(mco, "degraded", failure, "Unable to apply 4.20.2: error during waitForDaemonsetRollout: [context deadline exceeded, daemonset machine-config-daemon is not ready. status: (desired: 8, updated: 8, ready: 7, unavailable: 1)]"), notRendered("worker")), "Cluster Operator machine-config is degraded → Pool worker has not started to update"},
		"a rendering, and a lost master":              {"control-plane-holds-rendering", of(inControlPlane(notReady("m-1")), notRendered("worker")), "Node m-1 is not ready → Pool worker has not started to update"},
		"a rendering, and an operator before":         {"control-plane-holds-rendering", of(waitsOn("etcd"), clusterOperator("etcd", isFalse, "m"), operator("etcd", "degraded", warning, "m"), notRendered("worker")), "Cluster Operator etcd is degraded → Pool worker has not started to update"},
		"a rendering, and an operator that is done":   {"control-plane-holds-rendering", of(waitsOn("dns"), clusterOperator("etcd", isFalse, "m"), operator("etcd", "degraded", warning, "m"), notRendered("worker")), ""},
		"a rendering, and a lost worker":              {"control-plane-holds-rendering", of(notReady("w-9"), notRendered("worker")), ""},
		"another reason, and a lost master":           {"control-plane-holds-rendering", of(inControlPlane(notReady("m-1")), stalled("worker")), ""},
		"a selector":                                  {"selector-stops-pools", of(health("pool-selector-unparsable", warning, "The node selector of pool 'infra' cannot be parsed", "m", poolRef("infra")), stalled("worker")), "The node selector of pool 'infra' cannot be parsed → Pool worker has not started to update"},
		"a selector, and a node":                      {"selector-stops-pools", of(health("pool-selector-unparsable", warning, "The node selector of pool 'infra' cannot be parsed", "m", poolRef("infra")), stalled("worker", "w-1")), ""},
		"that of another pool":                        {"pool-does-not-start", of(poolDegraded("infra"), stalled("worker")), ""},
		"an empty pool that is degraded":              {"pool-harms-machine-config", of(pool("infra", 0), poolDegraded("infra"), operator(mco, "degraded", failure, `MachineConfigPool infra is not ready`)), "Pool infra can't be updated → Cluster Operator machine-config is degraded"},
		"a pool that is stuck":                        {"pool-harms-machine-config", of(pool("infra", 0), stalled("infra"), operator(mco, "degraded", failure, `MachineConfigPool infra is not ready`)), "Pool infra has not started to update → Cluster Operator machine-config is degraded"},
		"an operator stops the update":                {"operator-fails-update", of(clusterOperator("dns", isFalse, "m"), operator("dns", "degraded", warning, "m"), failing("Cluster operators etcd, dns are degraded"), clusterOperator("etcd", isTrue, "")), "Cluster Operator dns is degraded → Cluster Version version is failing"},
		"a slow operator":                             {"operator-fails-update", of(clusterOperator(mco, isFalse, "m"), operator(mco, "degraded", warning, "m"), failing("waiting on dns, network over 30 minutes and machine-config over 90 minutes which is longer than expected"), clusterOperator("dns", isTrue, "")), "Cluster Operator machine-config is degraded → Cluster Version version is failing"},
		"an instance on a lost node":                  {"node-withholds-instance", of(node("m-1", "master"), inControlPlane(notReady("m-1")), operator("authentication", "degraded", warning, "1 of 3 requested instances are unavailable for oauth-openshift.openshift-authentication ()")), "Node m-1 is not ready → Cluster Operator authentication is degraded"},
		"two instances":                               {"node-withholds-instance", of(node("m-1", "master"), inControlPlane(notReady("m-1")), operator("authentication", "degraded", warning, "2 of 3 requested instances are unavailable for oauth-openshift.openshift-authentication ()")), ""},
		"two nodes are lost":                          {"node-withholds-instance", of(inControlPlane(notReady("m-1")), inControlPlane(notReady("m-2")), operator("authentication", "degraded", warning, "1 of 3 requested instances are unavailable for oauth-openshift.openshift-authentication ()")), ""},
		"a worker is lost":                            {"node-withholds-instance", of(notReady("w-1"), operator("authentication", "degraded", warning, "1 of 3 requested instances are unavailable for oauth-openshift.openshift-authentication ()")), ""},
		"a DaemonSet on a lost node":                  {"node-holds-daemonset", of(clusterOperator("network", isFalse, "m"), notReady("w-1"), operator("network", "degraded", warning, `DaemonSet "/openshift-multus/multus" is not available (awaiting 1 nodes)`)), "Node w-1 is not ready → Cluster Operator network is degraded"},
		"a DaemonSet that rolls out":                  {"node-holds-daemonset", of(clusterOperator("network", isFalse, "m"), notReady("w-1"), operator("network", "degraded", warning, `DaemonSet "/openshift-multus/multus" update is rolling out (5 out of 6 updated)`)), "Node w-1 is not ready → Cluster Operator network is degraded"},
		"the daemon on a lost node":                   {"node-holds-daemonset", of(clusterOperator(mco, isFalse, "m"), notReady("w-1"), operator(mco, "degraded", warning, "Unable to apply 4.20.2: error during waitForDaemonsetRollout: [context deadline exceeded, daemonset machine-config-daemon is not ready. status: (desired: 8, updated: 8, ready: 7, unavailable: 1)]")), "Node w-1 is not ready → Cluster Operator machine-config is degraded"},
		"a DaemonSet on two nodes":                    {"node-holds-daemonset", of(clusterOperator("network", isFalse, "m"), notReady("w-1"), operator("network", "degraded", warning, `DaemonSet "/openshift-multus/multus" is not available (awaiting 2 nodes)`)), ""},
		"a DaemonSet that crashes":                    {"node-holds-daemonset", of(clusterOperator("network", isFalse, "m"), notReady("w-1"), operator("network", "degraded", warning, `DaemonSet "/openshift-multus/multus" is not available (awaiting 1 nodes)\nDaemonSet "/openshift-multus/multus" rollout is not making progress - pod multus-a is in CrashLoopBackOff State`)), ""},
		"a route of console":                          {"ingress-serves-routes", of(clusterOperator("ingress", isFalse, "m"), operator("ingress", "degraded", warning, "m"), operator("console", "unavailable", warning, "failed to GET route (https://console-openshift-console.apps.example.com): EOF")), "Cluster Operator ingress is degraded → Cluster Operator console is unavailable"},
		"a route of another domain":                   {"ingress-serves-routes", of(clusterOperator("ingress", isFalse, "m"), operator("ingress", "degraded", warning, "m"), operator("console", "unavailable", warning, "failed to GET route (https://console.example.com): EOF")), ""},
		"a route of monitoring":                       {"ingress-serves-routes", of(clusterOperator("ingress", isFalse, "m"), operator("ingress", "degraded", warning, "m"), operator("monitoring", "unavailable", warning, "failed to GET route (https://prometheus.apps.example.com): EOF")), ""},
		"its Deployment":                              {"workload-holds-operator", of(clusterOperator("dns", isTrue, "m"), isSlow("dns"), failing("m", workload("deployments", "openshift-dns-operator"))), "Cluster Version version is failing → Cluster Operator dns is slow"},
		"its Deployment is not updated":               {"workload-holds-operator", of(clusterOperator("dns", isTrue, "m"), isSlow("dns"), overridden(workload("deployments", "openshift-dns-operator"))), "An object is not updated → Cluster Operator dns is slow"},
		"another one is not updated":                  {"workload-holds-operator", of(clusterOperator("dns", isTrue, "m"), isSlow("dns"), overridden(workload("deployments", "openshift-etcd-operator"))), ""},
		"a Deployment beside it":                      {"workload-holds-operator", of(clusterOperator("dns", isTrue, "m"), isSlow("dns"), failing("m", workload("deployments", "openshift-dns"))), "Cluster Version version is failing → Cluster Operator dns is slow"},
		"a Deployment of another one":                 {"workload-holds-operator", of(clusterOperator("dns", isTrue, "m"), isSlow("dns"), failing("m", workload("deployments", "openshift-dns-node"))), ""},
		"another object of it":                        {"workload-holds-operator", of(clusterOperator("dns", isTrue, "m"), isSlow("dns"), failing("m", workload("configmaps", "openshift-dns"))), ""},
		"its Deployment, and itself":                  {"workload-holds-operator", of(clusterOperator("dns", isTrue, "m"), isSlow("dns"), failing("wait has exceeded 40 minutes for these operators: dns", workload("deployments", "openshift-dns"))), "Cluster Operator dns is slow → Cluster Version version is failing"},
		"an operator that is waited for":              {"operator-fails-update", of(clusterOperator("dns", isTrue, "m"), isSlow("dns"), failing("wait has exceeded 40 minutes for these operators: dns")), "Cluster Operator dns is slow → Cluster Version version is failing"},
		"a slow operator is degraded":                 {"unhealthy-slows-operator", of(operator("dns", "degraded", warning, "m"), isSlow("dns")), "Cluster Operator dns is degraded → Cluster Operator dns is slow"},
		"another one is degraded":                     {"unhealthy-slows-operator", of(operator("etcd", "degraded", warning, "m"), isSlow("dns")), ""},
		"only its name":                               {"operator-fails-update", of(clusterOperator("dns", isFalse, "m"), operator("dns", "degraded", warning, "m"), failing("Could not update: dns lookup failed")), ""},
		"an operator is healthy again":                {"operator-fails-update", of(clusterOperator("dns", isTrue, "m"), operator("dns", "degraded", warning, "m"), failing("Cluster operator dns is degraded")), ""},
		"an operator is not reported yet":             {"operator-passes-on", of(clusterOperator(mco, isFalse, "MachineConfigPool worker is not ready"), node("w-1", "worker"), pool("worker", 2), notReady("w-1"), failing("Cluster operator machine-config is degraded")), "Node w-1 is not ready → Cluster Version version is failing"},
		"it names a node":                             {"operator-passes-on", of(clusterOperator(mco, isFalse, "node w-1"), node("w-1", "worker"), degraded("w-1", "m"), failing("Cluster operator machine-config is degraded")), "Node w-1 is degraded → Cluster Version version is failing"},
		"another one names a node":                    {"operator-passes-on", of(clusterOperator("etcd", isFalse, "node w-1"), node("w-1", "worker"), notReady("w-1"), failing("Cluster operator etcd is degraded")), "Node w-1 is not ready → Cluster Version version is failing"},
		"another, and a degraded node":                {"operator-passes-on", of(clusterOperator("etcd", isFalse, "node w-1"), node("w-1", "worker"), degraded("w-1", "m"), failing("Cluster operator etcd is degraded")), ""},
		"an operator without a condition":             {"operator-passes-on", of(clusterOperator("etcd", metav1.ConditionUnknown, "node w-1"), node("w-1", "worker"), notReady("w-1"), failing("Cluster operator etcd is degraded")), ""},
		"an alert about a node":                       {"object-raises-alert", of(notReady("w-1"), alert("KubeNodeNotReady", warning, nodeRef("w-1"))), "Node w-1 is not ready → Alert is firing: KubeNodeNotReady"},
		"an alert about a budget":                     {"object-raises-alert", of(drain("w-1", warning, budget), alert("PodDisruptionBudgetAtLimit", warning, budget)), "Node w-1 does not drain: a PodDisruptionBudget requires all existing pods → Alert is firing: PodDisruptionBudgetAtLimit"},
		"an alert about another budget":               {"object-raises-alert", of(drain("w-1", warning, budget), alert("PodDisruptionBudgetAtLimit", warning, insight.Budget("test", "cart"))), ""},
		"an alert without labels":                     {"object-raises-alert", of(notReady("w-1"), alert("KubeNodeNotReady", warning)), ""},
		"a worse alert about an operator":             {"object-raises-alert", of(operator("dns", "unavailable", warning, "m"), alert("ClusterOperatorDown", critical, operatorRef("dns"))), "Cluster Operator dns is unavailable → Alert is firing: ClusterOperatorDown"},
		"a worse alert about another one":             {"object-raises-alert", of(operator("dns", "unavailable", warning, "m"), alert("ClusterOperatorDown", critical, operatorRef("etcd"))), ""},
	}
}

// informer is what an UpdateInformer reports. The objects that it names prove something if it is trusted.
func informer(name string, level updatev1alpha1.HealthLevel, proven ...updatev1alpha1.ResourceRef) causes.Insight {
	own := updatev1alpha1.ResourceRef{Group: updatev1alpha1.GroupName, Resource: "updateinformers", Namespace: "openshift-storage", Name: name}
	one := health("update-informer", level, name, "m", own)
	one.Informer, one.Labels = string(insight.UpdateInformers), proven
	return one
}

// TestEdges checks each edge where it holds, and where the evidence is almost there.
func TestEdges(t *testing.T) {
	holds, almost := map[string]bool{}, map[string]bool{}
	cases := edgeCases()
	maps.Copy(cases, hostedEdgeCases())
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(found(test.all...), ", ")
			if got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			slices.Reverse(test.all)
			if diff := cmp.Diff(test.want, strings.Join(found(test.all...), ", ")); diff != "" {
				t.Errorf("in another order: %s", diff)
			}
		})
		holds[test.edge] = holds[test.edge] || test.want != ""
		almost[test.edge] = almost[test.edge] || test.want == ""
	}
	for _, edge := range slices.Concat(causes.Edges(), causes.HostedEdges()) {
		if !holds[edge.Name] || !almost[edge.Name] {
			t.Errorf("edge %s has no case where it holds, or none where it almost does", edge.Name)
		}
	}
}

// TestLevels: a cause is as serious as the worst of what it causes, and what causes nothing stays as it is.
func TestLevels(t *testing.T) {
	dns := operatorRef("dns")
	unready, other := notReady("m-1"), notReady("m-2")
	degradedDNS := operator("dns", "degraded", failure, "node m-1")
	firing := alert("ClusterOperatorDegraded", critical, dns)
	levels := map[string]updatev1alpha1.HealthLevel{}
	all := of(unready, other, degradedDNS, firing, node("m-1", "master"), node("m-2", "master"))
	for _, one := range all {
		if one.Health != nil {
			levels[one.Health.Impact.Summary] = causes.Find(all)[one.Ref()].Level
		}
	}
	want := map[string]updatev1alpha1.HealthLevel{
		"Node m-1 is not ready": critical, "Node m-2 is not ready": warning, "Cluster Operator dns is degraded": critical,
		"Alert is firing: ClusterOperatorDegraded": critical,
	}
	if diff := cmp.Diff(want, levels); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMostCauses: of many causes the worst stay, and then the oldest.
func TestMostCauses(t *testing.T) {
	all := of(clusterOperator("machine-config", metav1.ConditionFalse, "pool worker"), pool("worker", 0), operator("machine-config", "degraded", warning, "pool worker"))
	for at := range 12 {
		name := fmt.Sprintf("w-%02d", at)
		one := notReady(name)
		one.Health.StartedAt.Time = noon.Add(-minutes(at))
		all = append(all, node(name, "worker"), one)
	}
	all = append(all, degraded("w-03", "m"))
	var want []string
	for _, at := range []int{4, 5, 6, 7, 8, 9, 10, 11} {
		if at > 4 {
			want = append(want, fmt.Sprintf("Node w-%02d is not ready → Cluster Operator machine-config is degraded", at))
		}
	}
	want = append([]string{"Node w-03 is degraded → Cluster Operator machine-config is degraded"}, want...)
	if diff := cmp.Diff(want, found(all...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMilderIfCaused: what the Cluster Version Operator can't apply is a warning beside what explains it.
func TestMilderIfCaused(t *testing.T) {
	failed := failing("Cluster operator dns is degraded")
	failed.Health.Impact.Level = failure
	all := of(clusterOperator("dns", metav1.ConditionFalse, "m"), operator("dns", "degraded", warning, "m"), failed)
	for _, one := range all {
		if got := causes.Find(all)[one.Ref()].Level; one.Health != nil && got != warning {
			t.Errorf("%s is an %s", one.Health.Impact.Summary, got)
		}
	}
	if got := causes.Find(of(failed))[failed.Ref()].Level; got != failure {
		t.Errorf("without a cause it is of level %s", got)
	}
}

// TestCausesOfAnything: whatever the insights are, no cause is of a lower level than its effect, no level is lowered, nothing causes itself, and the
// order of the insights does not matter.
func TestCausesOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"m-1", "w-1", "w-2", "worker"}
		levels := insight.Levels()
		var all []causes.Insight
		for _, name := range names {
			all = append(all, node(name, rapid.SampledFrom([]string{"worker", "master"}).Draw(t, "pool")))
		}
		all = append(all, pool("worker", rapid.Int32Range(0, 3).Draw(t, "available")), pool("master", 2))
		message := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"node", "m-1", "w-1", "pool", "worker", "master", "cluster operators", "machine-config", "etcd", "kube-apiserver", "m-2", "and", "drain", ",", "…"}), 0, 8).Draw(t, "words"), " ")
		})
		for _, name := range []string{"etcd", "machine-config"} {
			all = append(all, clusterOperator(name, rapid.SampledFrom([]metav1.ConditionStatus{"True", "False", "Unknown"}).Draw(t, "healthy"), message.Draw(t, "message")))
		}
		for _, name := range []string{"etcd", "kube-apiserver"} {
			all = append(all, component(name, rapid.SampledFrom([]metav1.ConditionStatus{"True", "False"}).Draw(t, "updating"), updatev1alpha1.ReasonPending, message.Draw(t, "waits for")))
		}
		all = append(all, hostedNode("m-2", "surge"))
		hosted := []updatev1alpha1.ResourceRef{componentRef("etcd"), componentRef("kube-apiserver"), nodePoolRef("surge"), inHosted(nodeRef("m-2"))}
		objects := slices.Concat(hosted, []updatev1alpha1.ResourceRef{operatorRef("etcd"), operatorRef("machine-config"), poolRef("worker"), versionRef, insight.Budget("a", "b"), nodeRef("m-1"), nodeRef("w-1")})
		object := rapid.SampledFrom(objects)
		for at := range rapid.IntRange(0, 20).Draw(t, "problems") {
			check := rapid.SampledFrom(checks.All()).Draw(t, "check").Name
			one := health(check, rapid.SampledFrom(levels).Draw(t, "level"), fmt.Sprint(at), message.Draw(t, "description"), rapid.SliceOfN(object, 1, 3).Draw(t, "resources")...)
			one.UID = fmt.Sprintf("health-%s-%d", check, at)
			one.Labels = rapid.SliceOfN(object, 0, 2).Draw(t, "labels")
			if len(all) > 0 {
				one.Kept = append(one.Kept, rapid.SampledFrom(all).Draw(t, "kept").Ref())
			}
			all = append(all, one)
		}
		edges := causes.Find(all)
		if diff := cmp.Diff(edges, causes.Find(rapid.Permutation(all).Draw(t, "order"))); diff != "" {
			t.Errorf("in another order (-before +after):\n%s", diff)
		}
		byRef := map[updatev1alpha1.HealthCause]causes.Insight{}
		for _, one := range all {
			byRef[one.Ref()] = one
		}
		rank := func(level updatev1alpha1.HealthLevel) int { return slices.Index(levels, level) }
		for effect, found := range edges {
			least := rank(byRef[effect].Health.Impact.Level)
			if checks.Of(effect.UID).IsWarningIfCaused && len(found.CausedBy) > 0 {
				least = min(least, rank(warning))
			}
			if len(found.CausedBy) > updatev1alpha1.MaxCauses || rank(found.Level) < least {
				t.Errorf("%d causes, of level %s", len(found.CausedBy), found.Level)
			}
			for _, cause := range found.CausedBy {
				if rank(edges[cause].Level) < rank(found.Level) {
					t.Errorf("%v of a lower level causes %v", cause, effect)
				}
			}
			if leadsTo(edges, effect, effect, map[updatev1alpha1.HealthCause]bool{}) {
				t.Errorf("%v causes itself", effect)
			}
		}
		for at := range all {
			if all[at].Health != nil {
				all[at].Health.CausedBy = edges[all[at].Ref()].CausedBy
			}
		}
		if got, want := membersOf(causes.Tree(all)), countHealth(all); len(got) != want {
			t.Errorf("%d of %d insights are in the tree", len(got), want)
		}
	})
}

// leadsTo returns whether a cause is one of an insight, directly or not.
func leadsTo(edges map[updatev1alpha1.HealthCause]causes.Found, cause, of updatev1alpha1.HealthCause, seen map[updatev1alpha1.HealthCause]bool) bool {
	for _, one := range edges[of].CausedBy {
		if one == cause {
			return true
		}
		if !seen[one] {
			seen[one] = true
			if leadsTo(edges, cause, one, seen) {
				return true
			}
		}
	}
	return false
}

func countHealth(all []causes.Insight) (count int) {
	for _, one := range all {
		if one.Health != nil {
			count++
		}
	}
	return count
}

// membersOf returns the insights in a tree.
func membersOf(groups []causes.Group) map[updatev1alpha1.HealthCause]bool {
	members := map[updatev1alpha1.HealthCause]bool{}
	for _, group := range groups {
		for _, member := range group.Members {
			members[member.Ref()] = true
		}
		for ref := range membersOf(group.Consequences) {
			members[ref] = true
		}
	}
	return members
}
