package causes_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/causes"
)

// rebooting is a node that reboots, with an insight that it does not return or without.
func rebooting(name string) causes.Insight {
	one := node(name, "master")
	one.InControlPlane = true
	one.Node.Conditions = []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: updatev1alpha1.ReasonRebooting}}
	return one
}

func returned(name string) causes.Insight {
	one := node(name, "master")
	one.Advances = true
	return one
}

func advancing(name string) causes.Insight {
	one := pool(name, 3)
	one.Advances = true
	return one
}

// recovered is an operator that runs the release and is healthy.
func recovered(name string) causes.Insight {
	one := clusterOperator(name, metav1.ConditionTrue, "")
	one.ClusterOperator.Conditions = append(one.ClusterOperator.Conditions,
		metav1.Condition{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonUpdated})
	return one
}

// TestPassing: what passes by itself is Info, and what only almost does keeps its level.
func TestPassing(t *testing.T) {
	const (
		isFalse = metav1.ConditionFalse
		hung    = `DaemonSet "/openshift-multus/multus" rollout is not making progress - last change 2026-03-02T12:00:00Z` + "\n"
		awaits1 = `DaemonSet "/openshift-multus/multus" is not available (awaiting 1 nodes)`
		awaits2 = `DaemonSet "/openshift-multus/multus" is not available (awaiting 2 nodes)`
		late    = `Unable to apply 4.20.2: error during syncRequiredMachineConfigPools: [context deadline exceeded, MachineConfigPool master has not progressed to latest ` +
			`configuration: controller version mismatch for rendered-master-a expected b has c: 1 (ready 1) out of 3 nodes are updating to latest configuration rendered-master-d, retrying]`
		broken = `Unable to apply 4.20.2: error during syncRequiredMachineConfigPools: [context deadline exceeded, MachineConfigPool master has not progressed to latest ` +
			`configuration: controller version mismatch for rendered-master-a expected b has c: pool is degraded because nodes fail with "1 nodes are reporting degraded", retrying]`
		lost = `NodeControllerDegraded: The master nodes not ready: node "m-1" not ready since 2026-03-02 12:00:00 +0000 UTC because NodeStatusUnknown (Kubelet stopped posting node status.)`
	)
	network := func(message string) causes.Insight { return operator("network", "degraded", warning, message) }
	mco := func(message string) causes.Insight { return operator("machine-config", "degraded", warning, message) }
	version := failing("Cluster operator network is degraded")
	for name, test := range map[string]struct {
		all  []causes.Insight
		want updatev1alpha1.HealthLevel
	}{
		"a DaemonSet that waits for a reboot":            {of(network(hung+awaits1), rebooting("m-1")), info},
		"one that waits for two":                         {of(network(hung+awaits2), rebooting("m-1")), warning},
		"one whose pod is not there yet":                 {of(network(hung+awaits1), returned("m-1")), info},
		"one without a number":                           {of(network(hung), rebooting("m-1")), warning},
		"one without a node that reboots":                {of(network(hung+awaits1), node("m-1", "master")), warning},
		"one whose pod crashes":                          {of(network(hung+awaits1+"\n"+`DaemonSet "/openshift-multus/multus" rollout is not making progress - pod multus-a is in CrashLoopBackOff State`), rebooting("m-1")), warning},
		"one that waits for a node that is lost":         {of(network(hung+awaits2), clusterOperator("network", isFalse, "m"), rebooting("m-1"), node("w-1", "worker"), notReady("w-1")), warning},
		"a node that does not return":                    {of(network(hung+awaits1), rebooting("m-1"), health("node-not-returned", warning, "s", "m", nodeRef("m-1"))), warning},
		"a master that reboots":                          {of(operator("kube-apiserver", "degraded", warning, lost), rebooting("m-1")), info},
		"another line":                                   {of(operator("kube-apiserver", "degraded", warning, lost+"\nStaticPodsDegraded: it crashes"), rebooting("m-1")), warning},
		"another master":                                 {of(operator("kube-apiserver", "degraded", warning, lost), rebooting("m-2"), node("m-1", "master")), warning},
		"an instance of a master that reboots":           {of(operator("authentication", "degraded", warning, "1 of 3 requested instances are unavailable for oauth-openshift.openshift-authentication ()"), rebooting("m-1")), info},
		"one while two masters reboot":                   {of(operator("authentication", "degraded", warning, "1 of 3 requested instances are unavailable for oauth-openshift.openshift-authentication ()"), rebooting("m-1"), rebooting("m-2")), warning},
		"machine-config that waits for a pool":           {of(mco(late), advancing("master")), info},
		"a pool that does not get on":                    {of(mco(late), pool("master", 3)), warning},
		"a pool that is degraded":                        {of(mco(broken), advancing("master")), warning},
		"another operator":                               {of(network(late), advancing("master")), warning},
		"an update that waits for such":                  {of(version, network(hung+awaits1), clusterOperator("network", isFalse, "m"), rebooting("m-1")), info},
		"an update that waits for another":               {of(failing("Multiple errors are preventing progress:\n* Cluster operators dns, network are degraded"), network(hung+awaits1), clusterOperator("network", isFalse, "m"), operator("dns", "degraded", warning, "m"), clusterOperator("dns", isFalse, "m"), rebooting("m-1")), warning},
		"an update that waits for one that just failed":  {of(failing("Multiple errors are preventing progress:\n* Cluster operators dns, network are degraded"), network(hung+awaits1), clusterOperator("network", isFalse, "m"), clusterOperator("dns", isFalse, "m"), rebooting("m-1")), info},
		"an update that waits for one that a node harms": {of(failing("Cluster operator machine-config is degraded"), clusterOperator("machine-config", isFalse, "node w-1"), node("w-1", "worker"), degraded("w-1", "m")), warning},
		"an update that can't apply a manifest":          {of(failing("Multiple errors are preventing progress:\n* Cluster operator network is degraded\n* Could not update deployment \"a/b\" (1 of 9)"), network(hung+awaits1), clusterOperator("network", isFalse, "m"), rebooting("m-1")), warning},
		"an update that waited for one that recovered":   {of(version, recovered("network")), info},
		"an update that waits for one that says nothing": {of(version, clusterOperator("network", metav1.ConditionUnknown, "")), warning},
		"an alert about such":                            {of(alert("ClusterOperatorDegraded", warning, operatorRef("network")), network(hung+awaits1), rebooting("m-1")), info},
		"an alert about nothing that is known":           {of(alert("ClusterOperatorDegraded", warning, operatorRef("network"))), warning},
	} {
		if got := causes.Find(test.all)[test.all[0].Ref()].Level; got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
