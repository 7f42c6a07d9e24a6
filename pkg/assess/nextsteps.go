package assess

import (
	"regexp"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// nextSteps has what to do about the finding of a health check: commands, at most three, in which NODE, POOL, OPERATOR, BUDGET,
// POD and NAMESPACE are those of the insight. Alerts have runbooks instead.
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
	"alert-firing": nil,
}

// daemonLogs shows the logs of the Machine Config Daemon of a node.
const daemonLogs = "oc logs -n openshift-machine-config-operator -c machine-config-daemon --tail=100 " +
	"$(oc get pods -n openshift-machine-config-operator -l k8s-app=machine-config-daemon --field-selector spec.nodeName=NODE -o name)"

// placeholders are replaced by the name of the first resource of a kind, NAMESPACE by its namespace.
var placeholders = map[string]string{
	"NODE": "nodes", "POOL": "machineconfigpools", "OPERATOR": "clusteroperators", "BUDGET": "poddisruptionbudgets", "POD": "pods",
}

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

// NextSteps returns commands that help with what a health insight is about, at most three. It leaves out those about objects that
// the insight does not name, or not by a name that can stand in a command.
func NextSteps(uid string, health *updatev1alpha1.HealthInsight) []string {
	var commands []string
	for _, step := range nextSteps[CheckOf(uid)] {
		if command, ok := fillIn(step, health.Scope.Resources); ok {
			commands = append(commands, command)
		}
	}
	return commands
}

func fillIn(step string, resources []updatev1alpha1.ResourceRef) (string, bool) {
	for placeholder, resource := range placeholders {
		if !strings.Contains(step, placeholder) {
			continue
		}
		ref, ok := firstOf(resources, resource)
		if !ok {
			return "", false
		}
		step = strings.NewReplacer(placeholder, ref.Name, "NAMESPACE", ref.Namespace).Replace(step)
	}
	return step, true
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
