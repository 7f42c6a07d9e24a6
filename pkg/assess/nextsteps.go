package assess

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// nextSteps has what to do about the finding of a health check: commands, at most three, in which NODE, POOL, OPERATOR, BUDGET,
// POD, HOSTEDCLUSTER, COMPONENT, NODEPOOL, MACHINE and NAMESPACE are those of the insight, and CONTROLPLANE is the namespace of the
// control plane of a hosted cluster. Alerts have runbooks instead.
var nextSteps = map[string][]string{
	"cluster-version-failing-unknown": {"oc describe clusterversion version", "oc get clusteroperators"},
	"cluster-version-failing":         {"oc describe clusterversion version", "oc get clusteroperators"},
	"previous-update-incomplete":      {"oc adm upgrade"},
	"cluster-operator-unavailable":    {"oc describe clusteroperator OPERATOR", "oc adm inspect clusteroperator/OPERATOR"},
	"cluster-operator-degraded":       {"oc describe clusteroperator OPERATOR", "oc adm inspect clusteroperator/OPERATOR"},
	"node-not-ready":                  {"oc describe node NODE", "oc adm node-logs NODE -u kubelet --since=-1h"},
	"node-disk-pressure":              {"oc describe node NODE", "oc debug node/NODE -- chroot /host df -h"},
	"node-network-unavailable":        {"oc describe node NODE", "oc get pods -n openshift-ovn-kubernetes -o wide --field-selector spec.nodeName=NODE"},
	"node-degraded":                   {"oc describe node NODE", daemonLogs},
	"node-drain-blocked": {
		"oc describe poddisruptionbudget -n NAMESPACE BUDGET",
		"oc describe pod -n NAMESPACE POD",
		"oc get pods -A -o wide --field-selector spec.nodeName=NODE",
	},
	"node-in-several-pools":    {"oc get node NODE --show-labels", "oc get machineconfigpools"},
	"pool-paused":              {`oc patch machineconfigpool/POOL --type=merge -p '{"spec":{"paused":false}}'`},
	"pool-selector-unparsable": {"oc edit machineconfigpool/POOL"},
	"pool-will-not-drain": {
		"oc describe poddisruptionbudget -n NAMESPACE BUDGET",
		"oc get pods -A -o wide --field-selector spec.nodeName=NODE",
	},
	"alert-firing":                          nil,
	"hosted-cluster-blocked":                {describeHostedCluster},
	"hosted-cluster-paused":                 {`oc patch hostedcluster -n NAMESPACE HOSTEDCLUSTER --type=merge -p '{"spec":{"pausedUntil":null}}'`},
	"hosted-cluster-failing":                {describeHostedCluster, "oc get clusteroperators" + inHosted},
	"hosted-cluster-unavailable":            {describeHostedCluster, controlPlanePods},
	"hosted-cluster-etcd-unavailable":       {describeHostedCluster, controlPlanePods},
	"hosted-cluster-api-server-unavailable": {describeHostedCluster, controlPlanePods},
	"hosted-cluster-disconnected":           {describeHostedCluster, controlPlanePods},
	"hosted-cluster-previous-incomplete":    {describeHostedCluster},
	"component-unavailable":                 {describeComponent, controlPlanePods},
	"component-not-reconciled":              {describeComponent, controlPlanePods},
	"component-slow":                        {describeComponent, controlPlanePods},
	"node-pool-refused":                     {describeNodePool},
	"node-pool-in-place-failed":             {describeNodePool},
	"node-pool-payload-invalid":             {describeNodePool},
	"node-pool-unsupported":                 {describeNodePool},
	"node-pool-unhealthy":                   {describeNodePool},
	"node-pool-machines-not-ready":          {describeNodePool},
	"node-pool-paused":                      {describeNodePool, `oc patch nodepool -n NAMESPACE NODEPOOL --type=merge -p '{"spec":{"pausedUntil":null}}'`},
	"node-pool-on-delete":                   {describeNodePool},
	"hosted-node-drain-long":                {"oc describe node NODE", "oc get pods -A -o wide --field-selector spec.nodeName=NODE"},
	"machine-failed":                        {"oc describe machines.cluster.x-k8s.io -n NAMESPACE MACHINE"},
}

// Commands about the objects of a hosted cluster in its management cluster.
const (
	describeHostedCluster = "oc describe hostedcluster -n NAMESPACE HOSTEDCLUSTER"
	describeComponent     = "oc describe controlplanecomponent -n NAMESPACE COMPONENT"
	describeNodePool      = "oc describe nodepool -n NAMESPACE NODEPOOL"
	controlPlanePods      = "oc get pods -n CONTROLPLANE"
)

// hostedNextSteps are those of checks that a hosted cluster shares with others, where they differ: it has no Machine Config Operator.
var hostedNextSteps = map[string][]string{
	"node-degraded": {"oc describe node NODE"},
}

// daemonLogs shows the logs of the Machine Config Daemon of a node.
const daemonLogs = "oc logs -n openshift-machine-config-operator -c machine-config-daemon --tail=100 " +
	"$(oc get pods -n openshift-machine-config-operator -l k8s-app=machine-config-daemon --field-selector spec.nodeName=NODE -o name)"

// placeholders are replaced by the name of the first resource of a kind, NAMESPACE by its namespace.
var placeholders = map[string]string{
	"NODE": "nodes", "POOL": "machineconfigpools", "OPERATOR": "clusteroperators", "BUDGET": "poddisruptionbudgets", "POD": "pods",
	"HOSTEDCLUSTER": "hostedclusters", "COMPONENT": "controlplanecomponents", "NODEPOOL": "nodepools", "MACHINE": "machines",
}

var placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b`)

// safeName matches the names that the API server accepts, none of which means anything to a shell.
var safeName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

// CheckOf returns the name of the health check of an insight by its uid, "" if it is none that is known.
func CheckOf(uid string) string {
	found := ""
	for _, check := range healthChecks {
		if strings.HasPrefix(uid, "health-"+check.Name+"-") && len(check.Name) > len(found) {
			found = check.Name
		}
	}
	return found
}

// inHosted follows commands that are to be run in another cluster than the one that has the status. It is a comment for a shell.
const inHosted = "  # in the hosted cluster"

// NextSteps returns commands that help with what a health insight is about, at most three. It leaves out those about objects that
// the insight does not name, or not by a name that can stand in a command.
func NextSteps(uid string, health *updatev1alpha1.HealthInsight) []string {
	var commands []string
	check, resources := CheckOf(uid), health.Scope.Resources
	steps, where := nextSteps[check], ""
	if len(resources) > 0 && resources[0].Cluster == updatev1alpha1.ClusterHosted {
		where = inHosted
		if hosted, found := hostedNextSteps[check]; found {
			steps = hosted
		}
	}
	for _, step := range steps {
		if command, ok := fillIn(step, resources); ok {
			commands = append(commands, command+where)
		}
	}
	return commands
}

func fillIn(step string, resources []updatev1alpha1.ResourceRef) (string, bool) {
	namespace, isFilled := "", true
	step = placeholder.ReplaceAllStringFunc(step, func(word string) string {
		if word == "CONTROLPLANE" {
			name := controlPlaneNamespace(resources)
			isFilled = isFilled && name != ""
			return name
		}
		resource, is := placeholders[word]
		if !is {
			return word
		}
		ref, found := firstOf(resources, resource)
		isFilled = isFilled && found
		namespace = ref.Namespace
		return ref.Name
	})
	return strings.ReplaceAll(step, "NAMESPACE", namespace), isFilled
}

// controlPlaneNamespace returns the namespace of the control plane of a hosted cluster, empty if the resources don't tell.
func controlPlaneNamespace(resources []updatev1alpha1.ResourceRef) string {
	if component, found := firstOf(resources, "controlplanecomponents"); found {
		return component.Namespace
	}
	if hosted, found := firstOf(resources, "hostedclusters"); found {
		return insight.ControlPlaneNamespace(types.NamespacedName{Namespace: hosted.Namespace, Name: hosted.Name})
	}
	return ""
}

func firstOf(resources []updatev1alpha1.ResourceRef, resource string) (updatev1alpha1.ResourceRef, bool) {
	for _, ref := range resources {
		isSafe := safeName.MatchString(ref.Name) && (ref.Namespace == "" || safeName.MatchString(ref.Namespace))
		if ref.Resource == resource && isSafe {
			return ref, true
		}
	}
	return updatev1alpha1.ResourceRef{}, false
}
