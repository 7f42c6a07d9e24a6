package hostedcluster

import (
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	hyperv1 "github.com/openshift/cluster-version-operator/test/updatestatus/hypershift/api/hypershift/v1beta1"
)

const updateStatusController = "update-status-controller"

// UpdateStatusRole returns the Role by which the Update Status Controller of a hosted cluster reads its HostedCluster and node pools, and
// writes their status and records. The operator may grant only what it is granted itself.
func UpdateStatusRole(hcluster *hyperv1.HostedCluster) *rbacv1.Role {
	const hypershift, update = "hypershift.openshift.io", "update.openshift.io"
	rule := func(group string, names []string, resources []string, verbs ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: resources, ResourceNames: names, Verbs: verbs}
	}
	itself := []string{hcluster.Name}
	return &rbacv1.Role{
		ObjectMeta: updateStatusMeta(hcluster),
		Rules: []rbacv1.PolicyRule{
			rule(hypershift, itself, []string{"hostedclusters"}, "get", "list", "watch"),
			rule(hypershift, nil, []string{"nodepools"}, "list", "watch"),
			rule(update, itself, []string{"hostedclusterupdatestatuses"}, "get", "list", "watch"),
			rule(update, nil, []string{"hostedclusterupdatestatuses", "hostedclusterupdatestatussummaries"}, "create"),
			rule(update, itself, []string{"hostedclusterupdatestatussummaries"}, "get"),
			rule(update, itself, []string{"hostedclusterupdatestatuses/status", "hostedclusterupdatestatussummaries/status"}, "update"),
			rule(update, nil, []string{"hostedclusterupdaterecords"}, "get", "list", "create", "delete"),
			rule(update, nil, []string{"hostedclusterupdaterecords/status"}, "update"),
			rule("", nil, []string{"events"}, "create"),
		},
	}
}

// UpdateStatusRoleBinding returns the binding of the Role to the ServiceAccount in the namespace of the control plane.
func UpdateStatusRoleBinding(hcluster *hyperv1.HostedCluster, controlPlaneNamespace string) *rbacv1.RoleBinding {
	meta := updateStatusMeta(hcluster)
	return &rbacv1.RoleBinding{
		ObjectMeta: meta,
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: meta.Name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: updateStatusController, Namespace: controlPlaneNamespace}},
	}
}

func updateStatusMeta(hcluster *hyperv1.HostedCluster) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: hcluster.Namespace, Name: updateStatusController + "-" + hcluster.Name}
}
