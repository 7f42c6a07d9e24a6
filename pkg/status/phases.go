package status

import (
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// PhaseChange is a step of the update of a part of the cluster.
type PhaseChange struct {
	// Part is "control plane", or "pool" and the name of a pool.
	Part string
	// Before and After are assessments. Before is empty for a part that is new.
	Before, After updatev1alpha1.Assessment
}

// PhaseChanges returns the parts whose assessment differs between two statuses, in a fixed order. A part that is gone has
// no phase.
func PhaseChanges(before, after *updatev1alpha1.UpdateStatusStatus) []PhaseChange {
	was, is := phasesOf(before), phasesOf(after)
	var changes []PhaseChange
	for _, part := range sortedKeys(is) {
		if was[part] != is[part] {
			changes = append(changes, PhaseChange{Part: part, Before: was[part], After: is[part]})
		}
	}
	return changes
}

// phasesOf returns the assessment of each part, as the sources of this controller reported it.
func phasesOf(status *updatev1alpha1.UpdateStatusStatus) map[string]updatev1alpha1.Assessment {
	phases := map[string]updatev1alpha1.Assessment{}
	if version := clusterVersionOf(status); version != nil {
		phases["control plane"] = version.Assessment
	}
	for _, informers := range informersOf(status) {
		for _, informer := range informers {
			if insight.Source(informer.Name) != insight.NodeInformer {
				continue
			}
			for _, one := range informer.Insights {
				if one.MachineConfigPool != nil {
					phases["pool "+one.MachineConfigPool.Name] = one.MachineConfigPool.Assessment
				}
			}
		}
	}
	return phases
}
