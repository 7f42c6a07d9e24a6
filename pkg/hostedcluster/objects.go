package hostedcluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
)

// Informers are the informers of a hosted cluster. Those of the management cluster cache what Decode returns.
type Informers struct {
	HostedClusters     cache.SharedIndexInformer
	Components         cache.SharedIndexInformer
	NodePools          cache.SharedIndexInformer
	Machines           cache.SharedIndexInformer
	MachineDeployments cache.SharedIndexInformer
	MachineSets        cache.SharedIndexInformer
	// ClusterOperators and Nodes are those of the hosted cluster, nil if that is not read. Their objects may be trimmed.
	ClusterOperators cache.SharedIndexInformer
	Nodes            cache.SharedIndexInformer
}

// list returns the objects in the cache of an informer, in the order of their names; none of an informer that is nil.
func list[T metav1.Object](informer cache.SharedIndexInformer) []T {
	if informer == nil {
		return nil
	}
	keys := informer.GetStore().ListKeys()
	slices.Sort(keys)
	var objects []T
	for _, key := range keys {
		if object, found, err := informer.GetStore().GetByKey(key); err == nil && found {
			objects = append(objects, object.(T))
		}
	}
	return objects
}

// input returns what a hosted cluster is assessed from.
func (i Informers) input(name types.NamespacedName) assess.HostedInput {
	in := assess.HostedInput{
		Components:         list[*hypershiftv1beta1.ControlPlaneComponent](i.Components),
		NodePools:          list[*hypershiftv1beta1.NodePool](i.NodePools),
		Machines:           list[*clusterapiv1beta1.Machine](i.Machines),
		MachineDeployments: list[*clusterapiv1beta1.MachineDeployment](i.MachineDeployments),
		MachineSets:        list[*clusterapiv1beta1.MachineSet](i.MachineSets),
		ClusterOperators:   list[*configv1.ClusterOperator](i.ClusterOperators),
		Nodes:              list[*corev1.Node](i.Nodes),
	}
	for _, hosted := range list[*hypershiftv1beta1.HostedCluster](i.HostedClusters) {
		if hosted.Name == name.Name && hosted.Namespace == name.Namespace {
			in.HostedCluster = hosted
		}
	}
	return in
}

// controlPlane and nodes are the informers of each source.
func (i Informers) controlPlane() []cache.SharedIndexInformer {
	// Without nodes the payload does not complete.
	return known(i.HostedClusters, i.Components, i.NodePools, i.ClusterOperators, i.Nodes)
}

func (i Informers) nodes() []cache.SharedIndexInformer {
	return known(i.HostedClusters, i.NodePools, i.Machines, i.MachineDeployments, i.MachineSets, i.Nodes)
}

func known(informers ...cache.SharedIndexInformer) []cache.SharedIndexInformer {
	return slices.DeleteFunc(informers, func(informer cache.SharedIndexInformer) bool { return informer == nil })
}
