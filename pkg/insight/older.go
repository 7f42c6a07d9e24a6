package insight

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Renew brings a status that the version before wrote to the API of this one: types of impact and assessments had blanks, and resources no
// roles. It is to go after one release.
func Renew(status *updatev1alpha1.UpdateStatusStatus) {
	if status.ControlPlane != nil {
		renewInsights(status.ControlPlane.Informers)
	}
	for at := range status.WorkerPools {
		renewInsights(status.WorkerPools[at].Informers)
	}
}

func renewInsights(informers []updatev1alpha1.Informer) {
	for _, informer := range informers {
		for at := range informer.Insights {
			renew(&informer.Insights[at])
		}
	}
}

func renew(one *updatev1alpha1.Insight) {
	if version := VersionOf(one); version != nil && string(version.Assessment) == AssessmentText(updatev1alpha1.AssessmentProgressingSlow) {
		version.Assessment = updatev1alpha1.AssessmentProgressingSlow
	}
	if one.Health == nil {
		return
	}
	for _, impact := range Impacts() {
		if string(one.Health.Impact.Type) == Words(impact) {
			one.Health.Impact.Type = impact
		}
	}
	for at := range one.Health.Scope.Resources {
		resource := &one.Health.Scope.Resources[at]
		switch {
		case resource.Role != "":
		case at == 0:
			resource.Role = updatev1alpha1.RoleSubject
		default:
			resource.Role = updatev1alpha1.RoleBlocker
		}
	}
}
