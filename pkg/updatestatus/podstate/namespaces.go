package podstate

import (
	"slices"
	"strings"
	"time"

	configv1 "github.com/openshift/api/config/v1"
)

// Wanted is an operator whose pods are to be read.
type Wanted struct {
	// Operator is its name, ReleaseRetrieval for the pod that retrieves a release, VersionOperator for that of the Cluster Version Operator.
	Operator   string
	Namespaces []string
	// Message is what the operator reports, for Input.OperatorMessage.
	Message string
}

// First returns the namespace to look into first: one that the operator's message names, or else that of the operator's name.
func (w Wanted) First() string {
	if at := slices.IndexFunc(w.Namespaces, func(one string) bool { return strings.Contains(w.Message, one) }); at >= 0 {
		return w.Namespaces[at]
	}
	return w.Namespaces[0]
}

// ReleaseRetrieval and VersionOperator stand for operators that are no ClusterOperators: the pods that retrieve a release, and those of the
// Cluster Version Operator.
const (
	ReleaseRetrieval = ""
	VersionOperator  = "openshift-cluster-version/cluster-version-operator"
)

// IsClusterOperator returns whether the pods are those of a ClusterOperator.
func (w Wanted) IsClusterOperator() bool {
	return w.Operator != ReleaseRetrieval && w.Operator != VersionOperator
}

// MaxOperators bounds the operators whose pods are read.
const MaxOperators = 3

// FailingFor is for how long an operator fails before its pods are read.
const FailingFor = 10 * time.Minute

// consoleNamespaces are those of the console: it also lists those of its plugins, whoever made them.
var consoleNamespaces = []string{"openshift-console", "openshift-console-operator"}

// maxNamespaces bounds the namespaces of an operator.
const maxNamespaces = 16

// Namespaces returns the namespaces of the platform that a cluster operator names as related to it, first that which has its name.
func Namespaces(operator *configv1.ClusterOperator) []string {
	var namespaces []string
	for _, related := range operator.Status.RelatedObjects {
		name := related.Name
		isForeign := operator.Name == "console" && !slices.Contains(consoleNamespaces, name)
		if related.Group == "" && related.Resource == "namespaces" && IsPlatform(name) && !isForeign && !slices.Contains(namespaces, name) {
			namespaces = append(namespaces, name)
		}
	}
	if at := slices.Index(namespaces, "openshift-"+operator.Name); at > 0 {
		own := namespaces[at]
		namespaces = slices.Insert(slices.Delete(namespaces, at, at+1), 0, own)
	}
	return namespaces[:min(len(namespaces), maxNamespaces)]
}

// IsPlatform returns whether a namespace may be one of the platform, by its name.
func IsPlatform(namespace string) bool {
	return strings.HasPrefix(namespace, "openshift-") || strings.HasPrefix(namespace, "kube-")
}

// TrimRelated returns the related objects that Namespaces reads.
func TrimRelated(all []configv1.ObjectReference) []configv1.ObjectReference {
	var kept []configv1.ObjectReference
	for _, one := range all {
		if one.Group == "" && one.Resource == "namespaces" {
			kept = append(kept, configv1.ObjectReference{Resource: one.Resource, Name: one.Name})
		}
	}
	return kept
}
