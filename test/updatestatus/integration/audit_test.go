package integration_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/client-go/kubernetes"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/thanos"
)

// grant is one verb on one resource, or on one object: an element of a role's rules.
type grant struct {
	namespace, group, resource, name, verb string
}

// String names the verb, the resource, the object and the namespace.
func (g grant) String() string {
	where := "the cluster"
	if g.namespace != "" {
		where = "namespace " + g.namespace
	}
	return fmt.Sprintf("%s %s.%s %q in %s", g.verb, g.resource, g.group, g.name, where)
}

// covers returns whether a grant allows a request.
func (g grant) covers(request grant) bool {
	return g.verb == request.verb && g.group == request.group && g.resource == request.resource &&
		(g.namespace == "" || g.namespace == request.namespace) && (g.name == "" || g.name == request.name)
}

// compare returns the requests without a grant, and the grants without a request.
func compare(granted, requested []grant) []string {
	var problems []string
	for _, request := range requested {
		if !slices.ContainsFunc(granted, func(g grant) bool { return g.covers(request) }) {
			problems = append(problems, "requested, not granted: "+request.String())
		}
	}
	for _, g := range granted {
		if !slices.ContainsFunc(requested, g.covers) {
			problems = append(problems, "granted, never requested: "+g.String())
		}
	}
	return problems
}

// expand returns the grants of a role's rules.
func expand(namespace string, rules []rbacv1.PolicyRule) []grant {
	var grants []grant
	for _, rule := range rules {
		names := rule.ResourceNames
		if len(names) == 0 {
			names = []string{""}
		}
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, name := range names {
					for _, verb := range rule.Verbs {
						grants = append(grants, grant{namespace, group, resource, name, verb})
					}
				}
			}
		}
	}
	return grants
}

// audit returns how the requests of pods differ from the grants of their ServiceAccount: the roles of manifests/ and those
// of Kubernetes that manifests/ binds it to. The querier's access reviews about the pods count as their requests.
func (w *world) audit(alerts *thanos.Authorizer, pods ...*pod) []string {
	w.t.Helper()
	granted, err := grantsOf(w.ctx, w.kube)
	if err != nil {
		w.t.Fatal(err)
	}
	events, err := w.plane.Requests()
	if err != nil {
		w.t.Fatal(err)
	}
	problems, requests := requestsOf(slices.DeleteFunc(events, func(event auditv1.Event) bool {
		return !slices.ContainsFunc(pods, func(p *pod) bool { return isOf(event, p) })
	}))
	for _, user := range alerts.Allowed() {
		if slices.ContainsFunc(pods, func(p *pod) bool {
			return slices.Contains(user.Extra[serviceaccount.PodUIDKey], string(p.Object.UID))
		}) {
			review := thanos.AlertsAccess
			requests = append(requests, grant{review.Namespace, review.Group, review.Resource + "/" + review.Subresource, review.Name, review.Verb})
		}
	}
	return append(problems, compare(granted, requests)...)
}

// requestsOf returns what was requested, each once, and the requests that were refused or are for no resource.
func requestsOf(events []auditv1.Event) (problems []string, requested []grant) {
	requests := map[grant]bool{}
	for _, event := range events {
		if event.Annotations["authorization.k8s.io/decision"] != "allow" {
			problems = append(problems, fmt.Sprintf("refused: %s %s", event.Verb, event.RequestURI))
		}
		if object := event.ObjectRef; object != nil {
			requests[requestOf(event.Verb, object)] = true
		} else {
			problems = append(problems, fmt.Sprintf("no resource: %s %s", event.Verb, event.RequestURI))
		}
	}
	return problems, slices.SortedFunc(maps.Keys(requests), func(a, b grant) int { return cmp.Compare(a.String(), b.String()) })
}

func requestOf(verb string, object *auditv1.ObjectReference) grant {
	request := grant{object.Namespace, object.APIGroup, object.Resource, object.Name, verb}
	if object.Subresource != "" {
		request.resource += "/" + object.Subresource
	}
	return request
}

// isOf returns whether a request was made with the token of a pod.
func isOf(event auditv1.Event, p *pod) bool {
	return slices.Contains(event.User.Extra[serviceaccount.PodUIDKey], string(p.Object.UID))
}

// grantsOf returns the grants of all roles that the controller's ServiceAccount is bound to.
func grantsOf(ctx context.Context, kube kubernetes.Interface) ([]grant, error) {
	isBound := func(subjects []rbacv1.Subject) bool {
		return slices.ContainsFunc(subjects, func(s rbacv1.Subject) bool {
			return s.Kind == rbacv1.ServiceAccountKind && s.Name == controlplane.ServiceAccount.Name &&
				s.Namespace == controlplane.ServiceAccount.Namespace
		})
	}
	var grants []grant
	clusterBindings, err := kube.RbacV1().ClusterRoleBindings().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	for _, binding := range clusterBindings.Items {
		if !isBound(binding.Subjects) {
			continue
		}
		role, err := kube.RbacV1().ClusterRoles().Get(ctx, binding.RoleRef.Name, metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		grants = append(grants, expand("", role.Rules)...)
	}
	bindings, err := kube.RbacV1().RoleBindings(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	for _, binding := range bindings.Items {
		if !isBound(binding.Subjects) {
			continue
		}
		role, err := kube.RbacV1().Roles(binding.Namespace).Get(ctx, binding.RoleRef.Name, metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		grants = append(grants, expand(binding.Namespace, role.Rules)...)
	}
	return grants, nil
}
