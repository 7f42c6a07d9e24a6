package builders

import updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"

// Resources returns the resources of a health insight: what it is about, and what blocks it.
func Resources(refs ...updatev1alpha1.ResourceRef) []updatev1alpha1.HealthResource {
	var resources []updatev1alpha1.HealthResource
	for at, ref := range refs {
		role := updatev1alpha1.RoleBlocker
		if at == 0 {
			role = updatev1alpha1.RoleSubject
		}
		resources = append(resources, updatev1alpha1.HealthResource{ResourceRef: ref, Role: role})
	}
	return resources
}
