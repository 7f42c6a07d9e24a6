package updatestatus

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/nodes"
	"github.com/openshift/cluster-version-operator/pkg/steady"
)

// The resources that are watched, with their kinds in the plural as reasons of conditions give them.
var (
	clusterVersions    = resource{configv1.GroupVersion.WithResource("clusterversions"), "ClusterVersions", assess.ClusterVersionName}
	clusterOperators   = resource{configv1.GroupVersion.WithResource("clusteroperators"), "ClusterOperators", ""}
	machineConfigPools = resource{machineconfigv1.GroupVersion.WithResource("machineconfigpools"), "MachineConfigPools", ""}
	machineConfigs     = resource{machineconfigv1.GroupVersion.WithResource("machineconfigs"), "MachineConfigs", ""}
	deployments        = resource{
		appsv1.SchemeGroupVersion.WithResource("deployments"), "Deployments", controlplane.MachineConfigOperatorName,
	}
	nodeResource   = resource{schema.GroupVersionResource{Version: "v1", Resource: "nodes"}, "Nodes", ""}
	updateStatuses = resource{
		updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"), "UpdateStatuses", updatev1alpha1.SingletonName,
	}
)

type resource struct {
	schema.GroupVersionResource
	kinds string
	// name is that of the one object that is watched. It is empty if all are.
	name string
}

// selectName makes a list or a watch that of the one object, which a role can grant by its name.
func (r resource) selectName(options *metav1.ListOptions) {
	if r.name != "" {
		options.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, r.name).String()
	}
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

func newInformers(from clients, troubles *troubles) (informers, error) {
	config, machineConfig := from.config.ConfigV1(), from.machineConfig.MachineconfigurationV1()
	made := informers{
		clusterVersions:    newInformer(&configv1.ClusterVersion{}, steady.New(config.ClusterVersions(), clusterVersions.selectName, troubles.of(clusterVersions))),
		clusterOperators:   newInformer(&configv1.ClusterOperator{}, steady.New(config.ClusterOperators(), nil, troubles.of(clusterOperators))),
		machineConfigPools: newInformer(&machineconfigv1.MachineConfigPool{}, steady.New(machineConfig.MachineConfigPools(), nil, troubles.of(machineConfigPools))),
		nodes:              newInformer(&corev1.Node{}, steady.New(from.nodes.Nodes(), nil, troubles.of(nodeResource))),
		deployments: newInformer(&appsv1.Deployment{},
			steady.New(from.kube.AppsV1().Deployments(controlplane.MachineConfigOperatorNamespace), deployments.selectName, nil)),
		machineConfigs: newInformer(&metav1.PartialObjectMetadata{},
			steady.New(from.metadata.Resource(machineConfigs.GroupVersionResource), nil, troubles.of(machineConfigs))),
		updateStatuses: newInformer(&metav1.PartialObjectMetadata{},
			steady.New(from.metadata.Resource(updateStatuses.GroupVersionResource), updateStatuses.selectName, nil)),
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

func newInformer(example runtime.Object, lister cache.ListerWatcher) cache.SharedIndexInformer {
	return cache.NewSharedIndexInformer(lister, example, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

func dropManagedFields(obj any) (any, error) {
	if object, err := meta.Accessor(obj); err == nil {
		object.SetManagedFields(nil)
	}
	return obj, nil
}
