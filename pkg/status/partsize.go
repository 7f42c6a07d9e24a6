package status

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// What managedFields say of each part of the cluster, which grows with their number: a name for each item of a map, and a
// member for each field. Insights are atomic, and take none.
const (
	managedPool      = len(`"k:{\"name\":}":{".":{},"f:conditions":{".":{}},"f:informers":{".":{}},"f:name":{},"f:resource":{".":{},"f:group":{},"f:name":{},"f:resource":{}}},`)
	managedInformer  = len(`"k:{\"name\":}":{".":{},"f:insights":{},"f:name":{}},`)
	managedCondition = len(`"k:{\"type\":}":{".":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},`)
	// managedQuotes is what the quotes of a name take more in a name of a member.
	managedQuotes = len(`\\`)
)

// sizeOfStatus is the size of a status without its informers and worker pools.
func sizeOfStatus(made *updatev1alpha1.UpdateStatusStatus) size {
	s := size{fixed: frameSize}
	s.conditions(made.Conditions)
	s.managedConditions(len(made.Conditions))
	s.member("workerPools", frameSize)
	if made.ControlPlane == nil {
		return s
	}
	s.member("controlPlane", frameSize+managedPool)
	s.resource("resource", &made.ControlPlane.Resource)
	if made.ControlPlane.PoolResource != nil {
		s.resource("poolResource", made.ControlPlane.PoolResource)
	}
	s.conditions(made.ControlPlane.Conditions)
	s.managedConditions(len(made.ControlPlane.Conditions))
	s.informers(made.ControlPlane.Informers)
	return s
}

// sizeOfPool is the size of a worker pool without the insights of its informers.
func sizeOfPool(pool *updatev1alpha1.WorkerPool) size {
	s := size{fixed: frameSize + managedPool + managedName(pool.Name)}
	s.word("name", pool.Name)
	s.resource("resource", &pool.Resource)
	s.conditions(pool.Conditions)
	s.managedConditions(len(pool.Conditions))
	s.informers(pool.Informers)
	return s
}

// informers counts a list of informers without their insights.
func (s *size) informers(informers []updatev1alpha1.Informer) {
	s.member("informers", frameSize)
	for _, informer := range informers {
		s.fixed += frameSize + managedInformer + managedName(informer.Name)
		s.word("name", informer.Name)
		s.member("insights", frameSize)
	}
}

func (s *size) managedConditions(count int) {
	s.fixed += count * (managedCondition + managedName(updatev1alpha1.ConditionInsightsComplete))
}

func managedName(name string) int {
	return textSize(name) + managedQuotes
}
