package start

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"
	configinformers "github.com/openshift/client-go/config/informers/externalversions/config/v1"
	machineconfiginformers "github.com/openshift/client-go/machineconfiguration/informers/externalversions/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/controlplane"
	updateinformers "github.com/openshift/cluster-version-operator/pkg/generated/informers/externalversions/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/nodes"
)

// The resources that are watched, with their kinds in the plural as reasons of conditions give them.
var (
	clusterVersions    = resource{configv1.GroupVersion.WithResource("clusterversions"), "ClusterVersions"}
	clusterOperators   = resource{configv1.GroupVersion.WithResource("clusteroperators"), "ClusterOperators"}
	machineConfigPools = resource{machineconfigv1.GroupVersion.WithResource("machineconfigpools"), "MachineConfigPools"}
	machineConfigs     = resource{machineconfigv1.GroupVersion.WithResource("machineconfigs"), "MachineConfigs"}
	nodeResource       = resource{schema.GroupVersionResource{Version: "v1", Resource: "nodes"}, "Nodes"}
	updateStatuses     = resource{updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"), "UpdateStatuses"}
)

type resource struct {
	schema.GroupVersionResource
	kinds string
}

// informers hold the caches. None resyncs: the controllers are driven by changes and by the clock.
type informers struct {
	clusterVersions    cache.SharedIndexInformer
	clusterOperators   cache.SharedIndexInformer
	deployments        cache.SharedIndexInformer
	machineConfigPools cache.SharedIndexInformer
	machineConfigs     cache.SharedIndexInformer
	nodes              cache.SharedIndexInformer
	updateStatuses     cache.SharedIndexInformer
}

func newInformers(from clients) (informers, error) {
	indexers := cache.Indexers{}
	made := informers{
		clusterVersions:  configinformers.NewClusterVersionInformer(from.config, 0, indexers),
		clusterOperators: configinformers.NewClusterOperatorInformer(from.config, 0, indexers),
		deployments: appsinformers.NewFilteredDeploymentInformer(from.kube, controlplane.MachineConfigOperatorNamespace, 0,
			cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}, only(controlplane.MachineConfigOperatorName)),
		machineConfigPools: machineconfiginformers.NewMachineConfigPoolInformer(from.machineConfig, 0, indexers),
		machineConfigs: metadatainformer.NewFilteredMetadataInformer(from.metadata,
			machineConfigs.GroupVersionResource, metav1.NamespaceAll, 0, indexers, nil).Informer(),
		nodes:          coreinformers.NewNodeInformer(from.kube, 0, indexers),
		updateStatuses: updateinformers.NewUpdateStatusInformer(from.update, 0, indexers),
	}
	for _, trimmed := range []struct {
		informer cache.SharedIndexInformer
		trim     cache.TransformFunc
	}{
		{made.clusterVersions, controlplane.Trim},
		{made.clusterOperators, controlplane.Trim},
		{made.deployments, controlplane.Trim},
		{made.machineConfigPools, nodes.Trim},
		{made.machineConfigs, nodes.Trim},
		{made.nodes, nodes.Trim},
		{made.updateStatuses, dropManagedFields},
	} {
		if err := trimmed.informer.SetTransform(trimmed.trim); err != nil {
			return made, fmt.Errorf("trimming cached objects: %w", err)
		}
	}
	return made, nil
}

// only selects the one object with a name, which a Role can grant by that name.
func only(name string) func(*metav1.ListOptions) {
	return func(options *metav1.ListOptions) {
		options.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, name).String()
	}
}

func dropManagedFields(obj any) (any, error) {
	if object, err := meta.Accessor(obj); err == nil {
		object.SetManagedFields(nil)
	}
	return obj, nil
}
