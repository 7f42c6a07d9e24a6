package causes

import (
	"regexp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
)

// controlPlaneEdges are between operators, and from nodes to operators that count them without a name.
var controlPlaneEdges = []Edge{
	{
		"node-withholds-instance", unreadyNode, badOperator,
		"the operator's message counts one instance that is unavailable, and one node of the control plane is not ready", nodeOfInstance,
	},
	{
		"node-holds-daemonset", unreadyNode, badOperator,
		"the operator waits for a DaemonSet on as many nodes as are not ready, those that reboot besides counted or not, and none of its pods crashes",
		nodesOfDaemonSet,
	},
	{
		"certificate-stops-kubelet", pendingCertificate, lostKubelet, "both are about one node, whose kubelet can't reach the API server without it", certificateOfNode,
	},
	{
		"workload-holds-operator", skippedOrFailing, slowOperator,
		"the update waits for a Deployment in the operator's own namespace, and the ClusterVersion's message does not name the operator; or it does not update the Deployment", workloadOfOperator,
	},
	{
		"ingress-serves-routes", badOperator, badOperator,
		"the message of authentication or console has the address of a route below the default domain, and ingress has an insight", ingressOfRoute,
	},
}

// certificateOfNode: a kubelet without the certificate with which it serves is ready.
func certificateOfNode(f *facts, node *problem) []*problem {
	return slices.DeleteFunc(f.about(node.object, pendingCertificate.Checks...), func(p *problem) bool {
		return p.Health.Impact.Level == updatev1alpha1.LevelInfo
	})
}

// workloadOfOperator: an operator reports nothing before its own Deployment has rolled out. By the conventions of OpenShift it runs in the namespace
// openshift-NAME or openshift-NAME-operator.
func workloadOfOperator(f *facts, operator *problem) []*problem {
	namespaces := []string{"openshift-" + operator.object.Name, "openshift-" + operator.object.Name + "-operator"}
	isWorkload := func(one updatev1alpha1.HealthResource) bool {
		return one.Role == updatev1alpha1.RoleBlocker && one.Resource == "deployments" && slices.Contains(namespaces, one.Namespace)
	}
	isNamed := func(one *updatev1alpha1.ClusterOperatorInsight) bool { return one.Name == operator.object.Name }
	return slices.DeleteFunc(slices.Clone(f.problems), func(p *problem) bool {
		isCause := slices.Contains(skippedOrFailing.Checks, p.check.Name) && slices.ContainsFunc(p.Health.Scope.Resources, isWorkload)
		return !isCause || slices.ContainsFunc(f.operatorsNamed(p), isNamed)
	})
}

// oneInstance is in the messages of operators about a Deployment with an instance on each node of the control plane (openshift/library-go,
// pkg/operator/apiserver/controller/workload/workload.go, updateOperatorStatus).
var oneInstance = regexp.MustCompile(`\b1 of \d+ requested instances are unavailable for `)

func nodeOfInstance(f *facts, operator *problem) []*problem {
	if !oneInstance.MatchString(operator.reported().Message) {
		return nil
	}
	lost := f.unready(func(p *problem) bool { return p.Health.Scope.Type == updatev1alpha1.ScopeControlPlane })
	if countObjects(lost) != 1 {
		return nil
	}
	return lost
}

var (
	// awaited and rollingOut are how many nodes a DaemonSet waits for (openshift/cluster-network-operator,
	// pkg/controller/statusmanager/pod_status.go, SetFromPods).
	awaited    = regexp.MustCompile(`DaemonSet "[^"]+" is not available \(awaiting (\d+) nodes\)`)
	rollingOut = regexp.MustCompile(`DaemonSet "[^"]+" update is rolling out \((\d+) out of (\d+) updated\)`)
	// unavailableOn is what machine-config says of a DaemonSet that it waits for (openshift/machine-config-operator, pkg/operator/sync.go,
	// waitForDaemonsetRollout).
	unavailableOn = regexp.MustCompile(`daemonset [a-z-]+ is not ready\. status: \(desired: \d+, updated: \d+, ready: \d+, unavailable: (\d+)\)`)
	// crashing is in the message where a pod crashes (CheckCrashLoopBackOffPods, in the same file).
	crashing = regexp.MustCompile(`CrashLoopBackOff`)
)

// nodesOfDaemonSet: a DaemonSet has no pod that is ready on a node that is not. How many it waits for is said while the operator progresses, and not
// where it calls its rollout hung.
func nodesOfDaemonSet(f *facts, effect *problem) []*problem {
	operator := f.operators[effect.object.Name]
	if operator == nil || operator.Resource != effect.object {
		return nil
	}
	message := effect.reported().Message + "\n" + progressOf(operator)
	if crashing.MatchString(message) {
		return nil
	}
	lost := f.unready(func(*problem) bool { return true })
	least, away := countObjects(lost), len(f.away(anyNodeInsight))
	isFitting := func(number int) bool { return least <= number && number <= least+away }
	if least == 0 || !slices.ContainsFunc(waitedNodes(message), isFitting) {
		return nil
	}
	return lost
}

// progressOf returns what an operator says while it is updated, nothing if it is not.
func progressOf(operator *updatev1alpha1.ClusterOperatorInsight) string {
	updating := meta.FindStatusCondition(operator.Conditions, updatev1alpha1.ConditionUpdating)
	if updating == nil {
		return ""
	}
	return updating.Message
}

// waitedNodes returns for how many nodes the DaemonSets of a message wait.
func waitedNodes(message string) []int {
	var numbers []int
	for _, found := range slices.Concat(awaited.FindAllStringSubmatch(message, -1), unavailableOn.FindAllStringSubmatch(message, -1)) {
		number, _ := strconv.Atoi(found[1])
		numbers = append(numbers, number)
	}
	for _, found := range rollingOut.FindAllStringSubmatch(message, -1) {
		updated, _ := strconv.Atoi(found[1])
		all, _ := strconv.Atoi(found[2])
		numbers = append(numbers, all-updated)
	}
	return numbers
}

// routeAddress is an address below the domain that routes have unless that is changed (openshift/installer, pkg/asset/manifests/ingress.go).
var routeAddress = regexp.MustCompile(`https://[a-z0-9-]+\.apps\.[a-z0-9.-]+`)

func ingressOfRoute(f *facts, effect *problem) []*problem {
	if !slices.Contains([]string{"authentication", "console"}, effect.object.Name) || !routeAddress.MatchString(effect.reported().Message) {
		return nil
	}
	ingress := f.operators["ingress"]
	if ingress == nil {
		return nil
	}
	return f.about(ingress.Resource, badOperator.Checks...)
}

// notRendered are the cases of a pool whose configuration is not rendered.
var notRendered = []string{"NotRendered", "StoppedNotRendered"}

// renderingHeld: the machine-config-controller that renders is rolled out after the daemon (openshift/machine-config-operator, pkg/operator/sync.go,
// syncMachineConfigDaemon before syncMachineConfigController), and not before other operators that hold the update.
func renderingHeld(f *facts, pool *problem) []*problem {
	if !slices.Contains(notRendered, pool.Health.Case) {
		return nil
	}
	var own, others []*problem
	for _, p := range f.problems {
		isOperator := slices.Contains(badOperator.Checks, p.check.Name) && f.operators[p.object.Name] != nil
		switch {
		case isOperator && p.object.Name == controlplane.MachineConfigOperator && p.check.Name != slow && p.reported().Reason != controlplane.RequiredPoolsFailed:
			own = append(own, p)
		case isOperator && p.object.Name != controlplane.MachineConfigOperator && slices.Contains(f.waitingOn, p.object.Name):
			others = append(others, p)
		}
	}
	if len(own) > 0 {
		return own
	}
	if lost := f.unready(func(p *problem) bool { return p.Health.Scope.Type == updatev1alpha1.ScopeControlPlane }); len(lost) > 0 {
		return lost
	}
	return others
}

// unready returns the problems of nodes that are not ready, for which a function holds.
func (f *facts) unready(holds func(*problem) bool) []*problem {
	return slices.DeleteFunc(slices.Clone(f.problems), func(p *problem) bool {
		return !slices.Contains(unreadyNode.Checks, p.check.Name) || !holds(p)
	})
}

// countObjects returns how many objects problems are about.
func countObjects(problems []*problem) int {
	objects := map[updatev1alpha1.ResourceRef]bool{}
	for _, p := range problems {
		objects[p.object] = true
	}
	return len(objects)
}
