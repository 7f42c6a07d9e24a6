package update

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// IsTruncated returns whether a status that is not empty lacks a required name. The keys of YAML are sorted, so that a file that ends too
// early lacks the name of its last part, unless it ends just between two worker pools.
func IsTruncated(status *updatev1alpha1.UpdateStatusStatus) bool {
	lacksName := func(informer updatev1alpha1.Informer) bool {
		return informer.Name == "" || slices.ContainsFunc(informer.Insights, func(one updatev1alpha1.Insight) bool { return one.UID == "" })
	}
	cp := status.ControlPlane
	return cp.Resource.Name == "" || slices.ContainsFunc(cp.Informers, lacksName) ||
		slices.ContainsFunc(status.WorkerPools, func(pool updatev1alpha1.WorkerPool) bool {
			return pool.Name == "" || slices.ContainsFunc(pool.Informers, lacksName)
		})
}
