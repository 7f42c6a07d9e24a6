package causes

import (
	"math/rand/v2"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// This file has the faults of operators and the payload.

// operatorDrawn is an operator that fails from some moment on, and what follows.
func operatorDrawn(check string, act func(c *cluster, name string, since time.Time)) *fault {
	var name string
	var since time.Time
	f := &fault{}
	f.begin = func(random *rand.Rand, _ *simulator.Update) {
		names := []string{"authentication", "console", "image-registry", "ingress", "monitoring", "openshift-apiserver", "storage"}
		name, since = names[random.IntN(len(names))], after(random, soon(random))
		f.insights = []about{{check, name}}
	}
	f.act = func(c *cluster) {
		if !c.now.Before(since) {
			act(c, name, since)
		}
	}
	return f
}

func operatorDown() *fault {
	return operatorDrawn("cluster-operator-unavailable", func(c *cluster, name string, since time.Time) {
		c.unavailable(name, since, "APIServerDeployment_NoPod", noPods(name))
		c.degrade(name, since.Add(minutes(1)), "APIServerDeployment_UnavailablePod", fewPods(name))
		c.fail(since.Add(minutes(2)), "ClusterOperatorNotAvailable", unavailableOperator(name))
		c.alert("ClusterOperatorDegraded", "warning", since.Add(minutes(30)), map[string]string{"name": name})
	})
}

func operatorDegraded() *fault {
	return operatorDrawn("cluster-operator-degraded", func(c *cluster, name string, since time.Time) {
		c.degrade(name, since, "APIServerDeployment_UnavailablePod", fewPods(name))
		c.fail(since.Add(minutes(1)), "MultipleErrors", builders.CVOSyncWorker.Says("Multiple errors are preventing progress:\n* Cluster operator %s is degraded\n* Could not update deployment \"openshift-dns/operator\" (123 of 900)", name))
		c.alert("ClusterOperatorDegraded", "warning", since.Add(minutes(30)), map[string]string{"name": name})
	})
}

// operatorUnknown stops to report whether it is degraded: the Cluster Version Operator waits for 40 minutes, and fails then
// (openshift/cluster-version-operator, pkg/cvo/internal/operatorstatus.go, checkOperatorHealth).
func operatorUnknown() *fault {
	f := operatorDrawn("cluster-operator-unknown", func(c *cluster, name string, since time.Time) {
		c.setOperator(name, configv1.ClusterOperatorStatusCondition{Type: configv1.OperatorDegraded, Status: configv1.ConditionUnknown, LastTransitionTime: metav1.NewTime(since)})
		c.fail(since.Add(minutes(40)), "ClusterOperatorDegraded", degradedOperator(name))
	})
	begin := f.begin
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		begin(random, script)
		f.isDue, f.due = true, start.Add(minutes(5+12+10))
	}
	return f
}

func unreachableAPI() *fault {
	return operatorDrawn("cluster-operator-unavailable", func(c *cluster, name string, since time.Time) {
		c.unavailable(name, since, "APIServices_Error", builders.APIServices.Says(
			`APIServicesAvailable: apiservices.apiregistration.k8s.io/v1.route.openshift.io: not available: failing or missing response from `+
				`https://10.130.0.8:8443/apis/route.openshift.io/v1: Get "https://10.130.0.8:8443/apis/route.openshift.io/v1": dial tcp 10.130.0.8:8443: connect: connection refused`))
		c.fail(since.Add(minutes(1)), "ClusterOperatorsNotAvailable", builders.CVOOperatorStatus.Says("Cluster operators %s, kube-controller-manager are not available", name))
	})
}

func failingVersion() *fault {
	var since time.Time
	return &fault{
		begin: func(random *rand.Rand, _ *simulator.Update) { since = after(random, soon(random)) },
		act: func(c *cluster) {
			c.fail(since, "UpdatePayloadFailed", builders.CVOTask.Says(`Could not update deployment "openshift-dns/operator" (123 of 900)`))
		},
		insights: []about{{"cluster-version-failing", "version"}},
	}
}

func firingAlert() *fault {
	var since time.Time
	return &fault{
		begin:    func(random *rand.Rand, _ *simulator.Update) { since = after(random, soon(random)) },
		act:      func(c *cluster) { c.alert("KubePodNotReady", "warning", since, map[string]string{"pod": "a"}) },
		insights: []about{{"alert-firing", "KubePodNotReady"}},
	}
}

func criticalAlert() *fault {
	return operatorDrawn("cluster-operator-unavailable", func(c *cluster, name string, since time.Time) {
		c.unavailable(name, since, "APIServerDeployment_NoPod", noPods(name))
		c.fail(since.Add(minutes(1)), "ClusterOperatorNotAvailable", unavailableOperator(name))
		c.alert("ClusterOperatorDown", "critical", since.Add(minutes(10)), map[string]string{"name": name})
	})
}
