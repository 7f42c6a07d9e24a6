package insight

import (
	"cmp"
	"strings"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// VersionOf returns what an insight says about the version of the cluster, nil if it is about something else.
func VersionOf(one *updatev1alpha1.Insight) *updatev1alpha1.ClusterVersionInsight {
	if one.HostedCluster != nil {
		return &one.HostedCluster.ClusterVersionInsight
	}
	return one.ClusterVersion
}

// OperatorOf returns what an insight says about an operator of the control plane, nil if it is about something else.
func OperatorOf(one *updatev1alpha1.Insight) *updatev1alpha1.ClusterOperatorInsight {
	return cmp.Or(one.ClusterOperator, one.ControlPlaneComponent)
}

// PoolOf returns what an insight says about a pool of nodes, nil if it is about something else.
func PoolOf(one *updatev1alpha1.Insight) *updatev1alpha1.MachineConfigPoolInsight {
	if one.NodePool != nil {
		return &one.NodePool.MachineConfigPoolInsight
	}
	return one.MachineConfigPool
}

// WithPool returns an insight about a pool with something else said about it.
func WithPool(one updatev1alpha1.Insight, pool *updatev1alpha1.MachineConfigPoolInsight) updatev1alpha1.Insight {
	if one.NodePool != nil {
		nodePool := *one.NodePool
		nodePool.MachineConfigPoolInsight = *pool
		one.NodePool = &nodePool
		return one
	}
	one.MachineConfigPool = pool
	return one
}

// TrackProgress returns the version and the state of a track for people: "4.22.4 Completed", or "Pending" without a version.
func TrackProgress(track *updatev1alpha1.ControlPlaneTrack) string {
	return strings.TrimSpace(track.Version + " " + string(track.State))
}

// Contents are insights by what they are about.
type Contents struct {
	// Version is nil if there is no insight about it.
	Version *updatev1alpha1.ClusterVersionInsight
	// Management and DataPlane are the two tracks of the control plane of a hosted cluster, nil if they are not known.
	Management, DataPlane *updatev1alpha1.ControlPlaneTrack

	Operators []*updatev1alpha1.ClusterOperatorInsight
	Pools     []*updatev1alpha1.MachineConfigPoolInsight
	// PoolTarget is the version that the nodes of a node pool are updated to, empty for other pools.
	PoolTarget string
	Nodes      []*updatev1alpha1.NodeInsight
	Health     []Health
}

// Health is a health insight, with the name of the informer that has it.
type Health struct {
	*updatev1alpha1.Insight

	Informer string
}

// Read returns the insights about a part of the cluster. It goes by their members: the type can be one of another version.
func Read(informers []updatev1alpha1.Informer) Contents {
	var read Contents
	read.add(informers)
	return read
}

// ReadAll returns the insights about all parts of the cluster.
func ReadAll(status *updatev1alpha1.UpdateStatusStatus) Contents {
	var read Contents
	if status.ControlPlane != nil {
		read.add(status.ControlPlane.Informers)
	}
	for at := range status.WorkerPools {
		read.add(status.WorkerPools[at].Informers)
	}
	return read
}

func (c *Contents) add(informers []updatev1alpha1.Informer) {
	for _, informer := range informers {
		for at := range informer.Insights {
			one := &informer.Insights[at]
			if version := VersionOf(one); version != nil && c.Version == nil {
				c.Version = version
			}
			if hosted := one.HostedCluster; hosted != nil {
				c.Management, c.DataPlane = hosted.Management, hosted.DataPlane
			}
			if operator := OperatorOf(one); operator != nil {
				c.Operators = append(c.Operators, operator)
			}
			if pool := PoolOf(one); pool != nil {
				c.Pools = append(c.Pools, pool)
			}
			if one.NodePool != nil {
				c.PoolTarget = one.NodePool.Versions.Target
			}
			if one.Node != nil {
				c.Nodes = append(c.Nodes, one.Node)
			}
			if one.Health != nil {
				c.Health = append(c.Health, Health{one, informer.Name})
			}
		}
	}
}
