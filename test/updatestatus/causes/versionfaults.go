package causes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// This file has the faults of a control plane that does not get on: of its release, its operators, and what applies it.

// ofRelease is a fault that the simulator plays. Its insight is due some time after it shows.
func ofRelease(name, check, object string, threshold time.Duration, shows func(c *cluster) bool) func() *fault {
	return func() *fault {
		f := &fault{lasts: true, isDue: true, insights: []about{{check, object}}}
		f.begin = func(_ *rand.Rand, script *simulator.Update) { simulator.Faults[name](script) }
		f.act = func(c *cluster) {
			if f.due.IsZero() && shows(c) {
				f.due = c.now.Add(threshold)
			}
		}
		return f
	}
}

// manifestFails is a fault of which the Cluster Version Operator says that it fails.
func manifestFails(name string, threshold time.Duration) func() *fault {
	return ofRelease(name, "cluster-version-failing", "version", threshold, func(c *cluster) bool { return c.says("Failing", configv1.ConditionTrue, "") })
}

// operatorWaited is an operator for which it waits. Another list of them counts once it has stood for two minutes.
func operatorWaited(name, operator string) func() *fault {
	return ofRelease(name, "operator-slow", operator, minutes(32), func(c *cluster) bool {
		return c.says(configv1.OperatorProgressing, configv1.ConditionTrue, operator)
	})
}

// frozenStatus is due five minutes after the last change of an operator's condition, which follows its version within two.
func frozenStatus() *fault {
	return ofRelease("frozen-status", "cluster-version-status-frozen", "version", minutes(7), func(c *cluster) bool {
		return slices.ContainsFunc(c.operator("machine-config").Status.Versions, func(one configv1.OperandVersion) bool {
			return one.Name == "operator" && one.Version == simulator.DefaultTo
		})
	})()
}

// unseenRequest is accepted and applied, of which nothing can be written. The first operators run it within a quarter of an hour.
func unseenRequest() *fault {
	f := &fault{lasts: true, isDue: true, insights: []about{{"cluster-version-status-frozen", "version"}}, due: start.Add(minutes(25 + 3 + 15)), act: func(*cluster) {}}
	f.begin = func(_ *rand.Rand, script *simulator.Update) { simulator.Faults["frozen-status"](script) }
	requested := false
	f.request = func(c *cluster) bool {
		if requested || c.now.Before(start.Add(minutes(25))) {
			return false
		}
		requested = true
		return true
	}
	return f
}

// killedVersionOperator renews its Lease no longer.
func killedVersionOperator() *fault {
	f := &fault{lasts: true, isDue: true, insights: []about{{"cluster-version-operator-silent", "version"}}}
	var killed time.Time
	f.begin = func(_ *rand.Rand, script *simulator.Update) {
		simulator.Faults["killed-cvo"](script)
		killed = start.Add(script.Killed)
		f.due = killed.Add(minutes(7))
	}
	f.act = func(c *cluster) {
		if c.now.After(killed) {
			c.Lease = leaseRenewed(killed)
		}
	}
	return f
}

// leaseRenewed is the Lease of the Cluster Version Operator: openshift/library-go, pkg/config/leaderelection/leaderelection.go.
func leaseRenewed(at time.Time) *coordinationv1.Lease {
	holder, seconds, renewed := "master-0.cluster.example.com_1f0c9a52-6d0e-4c55-9f0a-5f3f0c1d2b7e", int32(137), metav1.NewMicroTime(at)
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: podstate.VersionNamespace, Name: standalone.LeaseName},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &seconds, RenewTime: &renewed},
	}
}

// held is an operator that does not reach the release, since when the Cluster Version Operator waits for it in its first minutes.
func held(operator, check, object string, act func(c *cluster, since time.Time)) *fault {
	var since time.Time
	f := &fault{isDue: true, insights: []about{{check, object}}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		since = soon(random)
		f.due = since.Add(minutes(5))
		script.SlowOperators = map[string]time.Duration{operator: 24 * time.Hour}
	}
	f.act = func(c *cluster) {
		if !c.now.Before(since) {
			act(c, since)
		}
	}
	return f
}

// unpulledImage is that of an operand, whose pod says so: kubernetes/kubernetes, pkg/kubelet/images/image_manager.go.
func unpulledImage() *fault {
	return held("image-registry", "cluster-operator-unavailable", "image-registry", func(c *cluster, since time.Time) {
		const namespace, image = "openshift-image-registry", "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:2f5a"
		c.unavailable("image-registry", since, "NoReplicasAvailable", builders.RegistryStatus.Says("Available: The deployment does not have available replicas"))
		c.operator("image-registry").Status.RelatedObjects = []configv1.ObjectReference{{Resource: "namespaces", Name: namespace}}
		pod := builders.Pod(namespace, "image-registry-6d8f5c7b9-x2x8k", builders.OnNode(simulator.NodeName("worker", 0)), builders.PodReady(corev1.ConditionFalse))
		pod.Status.Phase, pod.Status.Conditions[0].LastTransitionTime = corev1.PodPending, metav1.NewTime(since)
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "registry", Image: image, State: corev1.ContainerState{
			Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: fmt.Sprintf("Back-off pulling image %q", image)},
		}}}
		c.Pods = append(c.Pods, pod)
	})
}

// heldNetwork waits for a node that is not ready, which it does not name.
func heldNetwork() *fault {
	return ofRelease("held-network", "node-not-ready", simulator.NodeName("infra", 1), 0, func(*cluster) bool { return true })()
}

// noIngress takes the routes of others with it.
func noIngress() *fault {
	return held("ingress", "cluster-operator-unavailable", "ingress", func(c *cluster, since time.Time) {
		c.unavailable("ingress", since, "IngressUnavailable", builders.IngressStatus.Says(`The "default" ingress controller reports Available=False: IngressControllerUnavailable: `+
			`One or more status conditions indicate unavailable: DeploymentAvailable=False (DeploymentUnavailable: The deployment has Available status condition set to False `+
			`(reason: MinimumReplicasUnavailable) with message: Deployment does not have minimum availability.)`))
		c.unavailable("authentication", since.Add(minutes(1)), "OAuthServerRouteEndpointAccessibleController_EndpointUnavailable",
			builders.Endpoints.Says(`OAuthServerRouteEndpointAccessibleControllerAvailable: Get "https://oauth-openshift.apps.cluster.example.com/healthz": EOF`))
		c.unavailable("console", since.Add(minutes(1)), "RouteHealth_StatusError",
			builders.ConsoleHealth.Says(`RouteHealthAvailable: route not yet available, https://console-openshift-console.apps.cluster.example.com returns '503 Service Unavailable'`))
		c.fail(since.Add(minutes(3)), "ClusterOperatorsNotAvailable", builders.CVOOperatorStatus.Says("Cluster operators authentication, console, ingress are not available"))
	})
}
