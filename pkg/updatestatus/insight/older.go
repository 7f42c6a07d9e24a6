package insight

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// Renew brings a status that the version before wrote to the API of this one: types of impact and assessments had blanks, resources no
// roles, commands no effect, and a node the reference to its pool. It is to go after one release.
func Renew(status *updatev1alpha1.UpdateStatusStatus) {
	if status.ControlPlane != nil {
		renewInsights(status.ControlPlane.Informers, "master")
	}
	for _, pool := range status.WorkerPools {
		renewInsights(pool.Informers, pool.Name)
	}
}

// renewInsights renews those of a part. The nodes of an arbiter pool count as those of the master pool until they are reported again.
func renewInsights(informers []updatev1alpha1.Informer, pool string) {
	for _, informer := range informers {
		for at := range informer.Insights {
			renew(&informer.Insights[at], pool)
		}
	}
}

func renew(one *updatev1alpha1.Insight, pool string) {
	if one.Node != nil && one.Node.Pool == "" && one.Node.Resource.Name != "" { // each that a controller wrote has it
		one.Node.Pool = pool
	}
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
	for at := range one.Health.Remediation.Commands {
		// Of a command of the version before, it is not known.
		if command := &one.Health.Remediation.Commands[at]; command.Effect == "" {
			command.Effect = updatev1alpha1.CommandChanges
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
