package insight

import (
	policyv1 "k8s.io/api/policy/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const budgets = "poddisruptionbudgets"

// Budget returns the reference to a PodDisruptionBudget.
func Budget(namespace, name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Group: policyv1.GroupName, Resource: budgets, Namespace: namespace, Name: name}
}

// BudgetsOf returns the PodDisruptionBudgets in the scope of an insight.
func BudgetsOf(one *updatev1alpha1.Insight) (named []updatev1alpha1.ResourceRef) {
	if one.Health == nil {
		return nil
	}
	for _, resource := range one.Health.Scope.Resources {
		if resource.Group == policyv1.GroupName && resource.Resource == budgets {
			named = append(named, resource.ResourceRef)
		}
	}
	return named
}
