package checks

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

var all = slices.Concat(standalone.HealthChecks(), hosted.HealthChecks())

// All returns all health checks, in the order in which docs/insights.md lists them.
func All() []assess.HealthCheck {
	return slices.Clone(all)
}

// NameOf returns the name of the health check of an insight by its uid, "" if it is none that is known.
func NameOf(uid string) string {
	return checkOf(uid).Name
}

// checkOf returns the health check of an insight, empty if it is not known.
func checkOf(uid string) assess.HealthCheck {
	var found assess.HealthCheck
	for _, check := range all {
		if strings.HasPrefix(uid, "health-"+check.Name+"-") && len(check.Name) > len(found.Name) {
			found = check
		}
	}
	return found
}

// placeholders are replaced, in the next steps of a check, by the name of the insight's first resource of a kind, NAMESPACE by its
// namespace, and CONTROLPLANE by the namespace of the control plane of a hosted cluster.
var placeholders = map[string]string{
	"NODE": "nodes", "POOL": "machineconfigpools", "OPERATOR": "clusteroperators", "BUDGET": "poddisruptionbudgets", "POD": "pods",
	"HOSTEDCLUSTER": "hostedclusters", "COMPONENT": "controlplanecomponents", "NODEPOOL": "nodepools", "MACHINE": "machines",
}

var placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b`)

// safeName matches the names that the API server accepts, none of which means anything to a shell.
var safeName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

// NextSteps returns commands that help with what a health insight is about, at most three. It leaves out those about objects that
// the insight does not name, or not by a name that can stand in a command.
func NextSteps(uid string, health *updatev1alpha1.HealthInsight) []string {
	var commands []string
	check, resources := checkOf(uid), health.Scope.Resources
	steps, where := check.NextSteps, ""
	if len(resources) > 0 && resources[0].Cluster == updatev1alpha1.ClusterHosted {
		where = assess.InHostedCluster
		if check.HostedNextSteps != nil {
			steps = check.HostedNextSteps
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
	if component, found := firstOf(resources, assess.ComponentResource); found {
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
