package kinds

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	clusterapiv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/clusterapi/v1beta1"
	hypershiftv1beta1 "github.com/openshift/cluster-version-operator/pkg/apis/hypershift/v1beta1"
	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

var (
	hypershift = schema.GroupVersion{Group: hypershiftv1beta1.GroupName, Version: "v1beta1"}
	// The Cluster API will cease to serve v1beta1, and did not serve v1beta2 before 1.11 (kubernetes-sigs/cluster-api, api/core/v1beta2).
	clusterAPI = schema.GroupVersion{Group: clusterapiv1beta1.GroupName, Version: "v1beta1"}
)

const otherClusterAPI = "v1beta2"

// Hosted clusters, in their management cluster.
var (
	HostedClusterUpdateStatuses = add(Kind{
		GroupVersionKind: updatev1alpha1.SchemeGroupVersion.WithKind("HostedClusterUpdateStatus"), Plural: "HostedClusterUpdateStatuses",
		Type: typeOf[updatev1alpha1.HostedClusterUpdateStatus](), OfHosted: true,
		Verbs: map[Place]string{HostedClusterNamespace: "get list watch"}, Gathered: true, UnknownFields: true,
	})
	HostedClusterUpdateStatusSummaries = add(Kind{
		GroupVersionKind: updatev1alpha1.SchemeGroupVersion.WithKind("HostedClusterUpdateStatusSummary"),
		Plural:           "HostedClusterUpdateStatusSummaries",
		Type:             typeOf[updatev1alpha1.HostedClusterUpdateStatusSummary](), OfHosted: true,
		Verbs: map[Place]string{HostedClusterNamespace: "get"}, Gathered: true, UnknownFields: true,
	})
	HostedClusterUpdateRecords = add(Kind{
		GroupVersionKind: updatev1alpha1.SchemeGroupVersion.WithKind("HostedClusterUpdateRecord"), Plural: "HostedClusterUpdateRecords",
		Type:  typeOf[updatev1alpha1.HostedClusterUpdateRecord](),
		Verbs: map[Place]string{HostedClusterNamespace: "get list"}, Gathered: true,
	})
	HostedClusters = add(Kind{
		GroupVersionKind: hypershift.WithKind("HostedCluster"), Plural: "HostedClusters",
		Type: typeOf[hypershiftv1beta1.HostedCluster](), OfHosted: true,
		Verbs: map[Place]string{HostedClusterNamespace: "get list watch"}, Gathered: true,
	})
	NodePools = add(Kind{
		GroupVersionKind: hypershift.WithKind("NodePool"), Plural: "NodePools", Type: typeOf[hypershiftv1beta1.NodePool](),
		Verbs: map[Place]string{HostedClusterNamespace: watched}, Gathered: true,
	})
	ControlPlaneComponents = add(Kind{
		GroupVersionKind: hypershift.WithKind("ControlPlaneComponent"), Plural: "ControlPlaneComponents",
		Type:  typeOf[hypershiftv1beta1.ControlPlaneComponent](),
		Verbs: map[Place]string{ControlPlaneNamespace: watched}, Gathered: true,
	})
	Machines = add(Kind{
		GroupVersionKind: clusterAPI.WithKind("Machine"), Plural: "Machines", OtherVersion: otherClusterAPI,
		Type: typeOf[clusterapiv1beta1.Machine](), Verbs: map[Place]string{ControlPlaneNamespace: watched}, Gathered: true,
	})
	MachineDeployments = add(Kind{
		GroupVersionKind: clusterAPI.WithKind("MachineDeployment"), Plural: "MachineDeployments", OtherVersion: otherClusterAPI,
		Type: typeOf[clusterapiv1beta1.MachineDeployment](), Verbs: map[Place]string{ControlPlaneNamespace: watched}, Gathered: true,
	})
	MachineSets = add(Kind{
		GroupVersionKind: clusterAPI.WithKind("MachineSet"), Plural: "MachineSets", OtherVersion: otherClusterAPI,
		Type: typeOf[clusterapiv1beta1.MachineSet](), Verbs: map[Place]string{ControlPlaneNamespace: watched}, Gathered: true,
	})
)
