package ledger

import "github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"

// WaitingNodes returns the nodes that wait for their update, with their pools. A node that has just joined does not wait, nor does
// one of a paused pool.
func (v View) WaitingNodes() map[string]string {
	waiting := map[string]string{}
	for _, one := range v[insight.NodeInformer].Insights {
		node := one.Insight.Node
		if node == nil {
			continue
		}
		if state := insight.StateOf(node); state.Phase == insight.PhasePending && state.IsBehind() {
			waiting[node.Name] = node.Pool
		}
	}
	return waiting
}

// PartOf returns the part of the cluster that a node belongs to, the control plane if the node is not known.
func (v View) PartOf(node string) insight.Part {
	for _, one := range v[insight.NodeInformer].Insights {
		if one.Insight.Node != nil && one.Insight.Node.Name == node {
			return one.Part
		}
	}
	return insight.ControlPlane
}
