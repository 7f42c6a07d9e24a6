package status

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// informersByPart are the informers of each part of the cluster.
type informersByPart map[insight.Part][]updatev1alpha1.Informer

// informersOf returns the informers of a status, which may be nil.
func informersOf(status *updatev1alpha1.UpdateStatusStatus) informersByPart {
	informers := informersByPart{}
	if status == nil {
		return informers
	}
	if status.ControlPlane != nil {
		informers[insight.ControlPlane] = status.ControlPlane.Informers
	}
	for _, pool := range status.WorkerPools {
		informers[insight.Part{WorkerPool: pool.Name}] = pool.Informers
	}
	return informers
}

func controlPlane(informers []updatev1alpha1.Informer, previous *updatev1alpha1.UpdateStatusStatus, clock evalTime) *updatev1alpha1.ControlPlane {
	var before []metav1.Condition
	resource := updatev1alpha1.ResourceRef{Group: configv1.GroupName, Resource: "clusterversions", Name: "version"}
	if previous.ControlPlane != nil {
		before, resource = previous.ControlPlane.Conditions, previous.ControlPlane.Resource
	}
	if version := versionIn(informers); version != nil {
		resource = version.Resource
	}
	return &updatev1alpha1.ControlPlane{
		Resource:   resource,
		Conditions: []metav1.Condition{keepTime(controlPlaneUpdating(informers), before, clock)},
		Informers:  informers,
	}
}

func workerPools(parts informersByPart, previous *updatev1alpha1.UpdateStatusStatus, clock evalTime) []updatev1alpha1.WorkerPool {
	before := map[string]updatev1alpha1.WorkerPool{}
	for _, pool := range previous.WorkerPools {
		before[pool.Name] = pool
	}
	var pools []updatev1alpha1.WorkerPool
	for part, informers := range parts {
		if part == insight.ControlPlane {
			continue
		}
		name := part.WorkerPool
		last, stays := before[name]
		if !stays {
			last.Resource = updatev1alpha1.ResourceRef{Group: machineconfigv1.GroupName, Resource: "machineconfigpools", Name: name}
		}
		for _, pool := range poolsIn(informers) {
			last.Resource = pool.Resource
		}
		pools = append(pools, updatev1alpha1.WorkerPool{
			Name:       name,
			Resource:   last.Resource,
			Conditions: []metav1.Condition{keepTime(poolUpdating(informers), last.Conditions, clock)},
			Informers:  informers,
		})
	}
	slices.SortFunc(pools, func(a, b updatev1alpha1.WorkerPool) int {
		switch {
		case a.Name == insight.DefaultWorkerPool:
			return -1
		case b.Name == insight.DefaultWorkerPool:
			return 1
		default:
			return cmp.Compare(a.Name, b.Name)
		}
	})
	return pools
}
