package controlplane

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// FailedObject is an object of a release that can't be applied, or that does not roll out.
type FailedObject struct {
	// Kind is in lower case, Namespace empty for an object of the cluster.
	Kind, Namespace, Name string
	// IsManifest is whether it can't be applied. If not, it was applied and does not roll out.
	IsManifest bool
}

// What the Cluster Version Operator says of objects that fail.
var (
	// notApplied is of manifests (openshift/cluster-version-operator, pkg/payload/task.go, Run and getManifestResourceId).
	notApplied = regexp.MustCompile(`Could not update ([a-z0-9]+) "(?:([^"/]+)/)?([^"/]+)" \(\d+ of \d+\)`)
	// notRolledOut is of Deployments, which alone have such texts (lib/resourcebuilder/apps.go, checkDeploymentHealth).
	notRolledOut = regexp.MustCompile(`\b(deployment) ([a-z0-9.-]+)/([a-z0-9.-]+) (?:is not available|is not progressing|has a replica failure|is Progressing=)`)
)

// FailedObjects returns the objects that a message of the Cluster Version Operator says fail, in its order.
func FailedObjects(message string) []FailedObject {
	var objects []FailedObject
	for line := range strings.Lines(message) {
		for _, found := range notApplied.FindAllStringSubmatch(line, -1) {
			objects = append(objects, FailedObject{Kind: found[1], Namespace: found[2], Name: found[3], IsManifest: true})
		}
		for _, found := range notRolledOut.FindAllStringSubmatch(line, -1) {
			objects = append(objects, FailedObject{Kind: found[1], Namespace: found[2], Name: found[3]})
		}
	}
	return objects
}

// failedOperators is of cluster operators (pkg/cvo/internal/operatorstatus.go, checkOperatorHealth, and pkg/cvo/sync_worker.go,
// condenseClusterOperators; the last of pkg/cvo/status.go, convertErrorToProgressing).
var failedOperators = regexp.MustCompile(`Cluster operators? ([a-z0-9][a-z0-9, -]*?) (?:is|are|does|do|has|have) `)

// FailedOperators returns the cluster operators that a message of the Cluster Version Operator says fail, in its order.
func FailedOperators(message string) []string {
	var operators []string
	for line := range strings.Lines(message) {
		for _, found := range failedOperators.FindAllStringSubmatch(line, -1) {
			for name := range strings.SplitSeq(found[1], ", ") {
				if operatorPattern.MatchString(name) && !slices.Contains(operators, name) {
					operators = append(operators, name)
				}
			}
		}
	}
	for _, name := range ReadAttempt(message).WaitingOn {
		if !slices.Contains(operators, name) {
			operators = append(operators, name)
		}
	}
	return operators
}

// groups are those of the kinds of which payloads have manifests, by kind. The group of others is not known.
var groups = map[string]string{ //nolint:gosec // "secret" is a kind
	"apiservice": "apiregistration.k8s.io", "clusterrole": "rbac.authorization.k8s.io", "clusterrolebinding": "rbac.authorization.k8s.io",
	"clusteroperator": "config.openshift.io", "configmap": "", "credentialsrequest": "cloudcredential.openshift.io", "cronjob": "batch",
	"customresourcedefinition": "apiextensions.k8s.io", "daemonset": "apps", "deployment": "apps", "imagestream": "image.openshift.io", "job": "batch",
	"namespace": "", "networkpolicy": "networking.k8s.io", "poddisruptionbudget": "policy", "priorityclass": "scheduling.k8s.io",
	"prometheusrule": "monitoring.coreos.com", "role": "rbac.authorization.k8s.io", "rolebinding": "rbac.authorization.k8s.io", "secret": "",
	"securitycontextconstraints": "security.openshift.io", "service": "", "serviceaccount": "", "servicemonitor": "monitoring.coreos.com",
	"storageclass": "storage.k8s.io", "validatingwebhookconfiguration": "admissionregistration.k8s.io",
}

// Ref returns the object as a resource, if it is known which one it is.
func (o FailedObject) Ref() (ref updatev1alpha1.ResourceRef, isKnown bool) {
	group, isKnown := groups[o.Kind]
	return updatev1alpha1.ResourceRef{Group: group, Resource: ResourceOf(o.Kind), Namespace: o.Namespace, Name: o.Name}, isKnown
}

// ResourceOf returns the resource of a kind of which payloads have manifests. It is the plural of the kind, which one of them already is.
func ResourceOf(kind string) string {
	if strings.EqualFold(kind, "SecurityContextConstraints") {
		return strings.ToLower(kind)
	}
	plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: kind})
	return plural.Resource
}
