package assess

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// ReadOnly returns commands of a row that change nothing. Each word of a text is an argument, and words of placeholders are replaced.
func ReadOnly(texts ...string) []updatev1alpha1.Command {
	commands := make([]updatev1alpha1.Command, 0, len(texts))
	for _, text := range texts {
		commands = append(commands, updatev1alpha1.Command{Argv: strings.Fields(text), Effect: updatev1alpha1.CommandReads})
	}
	return commands
}

// Mutating returns a command of a row that changes the cluster, with more arguments after those of the text.
func Mutating(text string, more ...string) []updatev1alpha1.Command {
	return []updatev1alpha1.Command{{Argv: append(strings.Fields(text), more...), Effect: updatev1alpha1.CommandChanges}}
}

// InHosted returns commands that are to be run in the hosted cluster, whatever has the object that they are about.
func InHosted(commands []updatev1alpha1.Command) []updatev1alpha1.Command {
	for at := range commands {
		commands[at].Cluster = updatev1alpha1.ClusterHosted
	}
	return commands
}

// placeholders are replaced, in the commands of a row, by the name of the insight's first resource of a kind, NAMESPACE by its
// namespace, and CONTROLPLANE by the namespace of the control plane of a hosted cluster.
var placeholders = map[string]string{
	"NODE": "nodes", "POOL": "machineconfigpools", "OPERATOR": "clusteroperators", "BUDGET": "poddisruptionbudgets", "POD": "pods",
	"HOSTEDCLUSTER": "hostedclusters", "COMPONENT": "controlplanecomponents", "NODEPOOL": "nodepools", "MACHINE": "machines",
	"REQUEST": "certificatesigningrequests",
}

var placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b`)

// safeName matches the names that the API server accepts, none of which means anything to a shell.
var safeName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

// commandsFor returns the commands of a row about resources, at most three. It leaves out those about objects that are not named, or
// not by a name that can stand in a command or fits into one.
func commandsFor(resources []updatev1alpha1.HealthResource, row []updatev1alpha1.Command) []updatev1alpha1.Command {
	var commands []updatev1alpha1.Command
	for _, command := range row {
		argv, isFilled := fillIn(command.Argv, resources)
		if !isFilled || len(commands) == updatev1alpha1.MaxCommands {
			continue
		}
		command.Argv = argv
		if command.Cluster == "" && len(resources) > 0 {
			command.Cluster = resources[0].Cluster
		}
		commands = append(commands, command)
	}
	return commands
}

func fillIn(row []string, resources []updatev1alpha1.HealthResource) (argv []string, isFilled bool) {
	argv, isFilled = slices.Clone(row), true
	namespace := ""
	for at, argument := range argv {
		argv[at] = placeholder.ReplaceAllStringFunc(argument, func(word string) string {
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
	}
	for at, argument := range argv {
		argv[at] = strings.ReplaceAll(argument, "NAMESPACE", namespace)
		isFilled = isFilled && argv[at] != "" && len(argv[at]) <= updatev1alpha1.CommandArgumentMaxLength
	}
	return argv, isFilled
}

// controlPlaneNamespace returns the namespace of the control plane of a hosted cluster, empty if the resources don't tell.
func controlPlaneNamespace(resources []updatev1alpha1.HealthResource) string {
	if component, found := firstOf(resources, ComponentResource); found {
		return component.Namespace
	}
	if hosted, found := firstOf(resources, "hostedclusters"); found {
		return insight.ControlPlaneNamespace(types.NamespacedName{Namespace: hosted.Namespace, Name: hosted.Name})
	}
	return ""
}

func firstOf(resources []updatev1alpha1.HealthResource, resource string) (updatev1alpha1.ResourceRef, bool) {
	for _, ref := range resources {
		isSafe := safeName.MatchString(ref.Name) && (ref.Namespace == "" || safeName.MatchString(ref.Namespace))
		if ref.Resource == resource && isSafe {
			return ref.ResourceRef, true
		}
	}
	return updatev1alpha1.ResourceRef{}, false
}
