package record

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// cluster is a status, read.
type cluster struct {
	version   *updatev1alpha1.ClusterVersionInsight
	operators []*updatev1alpha1.ClusterOperatorInsight
	pools     []*updatev1alpha1.MachineConfigPoolInsight
	nodes     []*updatev1alpha1.NodeInsight
	health    []health
}

// health is a health insight with the informer that has it.
type health struct {
	*updatev1alpha1.HealthInsight

	episodeKey
}

func readCluster(status *updatev1alpha1.UpdateStatusStatus) *cluster {
	c := &cluster{}
	if status.ControlPlane != nil {
		c.read(status.ControlPlane.Informers)
	}
	for at := range status.WorkerPools {
		c.read(status.WorkerPools[at].Informers)
	}
	return c
}

func (c *cluster) read(informers []updatev1alpha1.Informer) {
	for _, informer := range informers {
		for at := range informer.Insights {
			switch one := &informer.Insights[at]; {
			case one.ClusterVersion != nil:
				c.version = one.ClusterVersion
			case one.ClusterOperator != nil:
				c.operators = append(c.operators, one.ClusterOperator)
			case one.MachineConfigPool != nil:
				c.pools = append(c.pools, one.MachineConfigPool)
			case one.Node != nil:
				c.nodes = append(c.nodes, one.Node)
			case one.Health != nil:
				c.health = append(c.health, health{one.Health, episodeKey{informer.Name, one.UID}})
			}
		}
	}
}

// isUpdate returns whether the newest change of the cluster's version is an update, and known: an installation is none.
func (c *cluster) isUpdate() bool {
	version := c.version
	return version != nil && version.StartedAt != nil && version.Versions.Target != nil && version.Versions.Previous != nil
}

// isControlPlaneComplete returns whether the ClusterVersion has completed its newest update.
func (c *cluster) isControlPlaneComplete() bool {
	return c.version.CompletedAt != nil && meta.IsStatusConditionFalse(c.version.Conditions, updatev1alpha1.ConditionUpdating)
}

// isComplete returns whether the control plane and every node run the target version. A node that has just joined does not count.
func (c *cluster) isComplete() bool {
	if !c.isControlPlaneComplete() {
		return false
	}
	for _, node := range c.nodes {
		if insight.StateOf(node).IsBehind() {
			return false
		}
	}
	return true
}

// isObserved returns whether a status is what the sources report now, and not what was left of one that they reported before.
func isObserved(status *updatev1alpha1.UpdateStatusStatus) bool {
	available := meta.FindStatusCondition(status.Conditions, updatev1alpha1.ConditionAvailable)
	return available == nil || available.Status == metav1.ConditionTrue || available.Reason == updatev1alpha1.ReasonRejected
}
