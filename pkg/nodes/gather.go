package nodes

import (
	"fmt"
	"iter"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
	configlisters "github.com/openshift/client-go/config/listers/config/v1"
	machineconfiglisters "github.com/openshift/client-go/machineconfiguration/listers/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// gatherer reads the inputs of assessments from caches.
type gatherer struct {
	clusterVersions configlisters.ClusterVersionLister
	pools           machineconfiglisters.MachineConfigPoolLister
	nodes           corelisters.NodeLister
	machineConfigs  cache.Store
	// machineConfigNodes may be empty: a cluster may not have them.
	machineConfigNodes cache.Store
}

// clusterContext is what every node is assessed with.
type clusterContext struct {
	pools  []*machineconfigv1.MachineConfigPool
	byNode assess.Pools
	target assess.Target
	// targetName names the update that all reports are about.
	targetName string
}

// hasTargetOf returns whether nodes are assessed for the target of another context.
func (c clusterContext) hasTargetOf(other clusterContext) bool {
	return c.targetName == other.targetName && c.target == other.target
}

func (g gatherer) clusterContext() (clusterContext, error) {
	version, err := g.clusterVersions.Get(assess.ClusterVersionName)
	if err != nil && !apierrors.IsNotFound(err) {
		return clusterContext{}, fmt.Errorf("reading ClusterVersion/%s: %w", assess.ClusterVersionName, err)
	}
	if err != nil {
		version = nil
	}
	pools, err := g.pools.List(labels.Everything())
	if err != nil {
		return clusterContext{}, fmt.Errorf("listing MachineConfigPools: %w", err)
	}
	return clusterContext{
		pools: pools, byNode: assess.NewPools(pools), target: assess.TargetOf(version), targetName: assess.NodesTarget(version, g.versions()),
	}, nil
}

// versions returns the release versions of all MachineConfigs.
func (g gatherer) versions() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, obj := range g.machineConfigs.List() {
			if metadata, ok := obj.(*metav1.PartialObjectMetadata); ok && !yield(metadata.Annotations[assess.ReleaseVersionAnnotation]) {
				return
			}
		}
	}
}

// node returns nil for a node that was deleted.
func (g gatherer) node(name string) (*corev1.Node, error) {
	node, err := g.nodes.Get(name)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading Node/%s: %w", name, err)
	}
	return node, nil
}

// machineConfigNode returns nil for a node that has none.
func (g gatherer) machineConfigNode(node string) *machineconfigv1.MachineConfigNode {
	obj, _, err := g.machineConfigNodes.GetByKey(node)
	if err != nil {
		return nil
	}
	machineConfigNode, _ := obj.(*machineconfigv1.MachineConfigNode)
	return machineConfigNode
}

func (g gatherer) allNodes() ([]*corev1.Node, error) {
	all, err := g.nodes.List(labels.Everything())
	if err != nil {
		return nil, fmt.Errorf("listing Nodes: %w", err)
	}
	return all, nil
}

// versionOf is an assess.VersionOf.
func (g gatherer) versionOf(machineConfig string) string {
	obj, found, err := g.machineConfigs.GetByKey(machineConfig)
	if err != nil || !found {
		return ""
	}
	metadata, ok := obj.(*metav1.PartialObjectMetadata)
	if !ok {
		return ""
	}
	return metadata.Annotations[assess.ReleaseVersionAnnotation]
}
