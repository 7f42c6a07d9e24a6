package record

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// cluster is a status, read.
type cluster struct {
	insight.Contents
}

// isUpdate returns whether the newest change of the cluster's version is an update, and known: an installation is none.
func (c *cluster) isUpdate() bool {
	version := c.Version
	return version != nil && version.StartedAt != nil && version.Versions.Target != nil && version.Versions.Previous != nil
}

// isControlPlaneComplete returns whether the ClusterVersion has completed its newest update.
func (c *cluster) isControlPlaneComplete() bool {
	return c.Version.CompletedAt != nil && meta.IsStatusConditionFalse(c.Version.Conditions, updatev1alpha1.ConditionUpdating)
}

// isComplete returns whether the control plane and every node run the target version. A node that has just joined does not count.
func (c *cluster) isComplete() bool {
	if !c.isControlPlaneComplete() {
		return false
	}
	for _, node := range c.Nodes {
		if insight.StateOf(node).IsBehind() {
			return false
		}
	}
	// Nodes that are still to join a pool, in place of others, are none of its nodes yet.
	return !slices.ContainsFunc(c.Pools, func(pool *updatev1alpha1.MachineConfigPoolInsight) bool {
		return meta.IsStatusConditionTrue(pool.Conditions, updatev1alpha1.ConditionUpdating)
	})
}

// isObserved returns whether a status is what the sources report now, and not what was left of one that they reported before.
func isObserved(status *updatev1alpha1.UpdateStatusStatus) bool {
	available := meta.FindStatusCondition(status.Conditions, updatev1alpha1.ConditionAvailable)
	return available == nil || available.Status == metav1.ConditionTrue || available.Reason == updatev1alpha1.ReasonRejected
}
