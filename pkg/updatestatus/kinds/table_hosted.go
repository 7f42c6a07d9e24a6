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

// Hosted clusters, in their management cluster.
var (
	HostedClusterUpdateStatuses = decoded[updatev1alpha1.HostedClusterUpdateStatus](updatev1alpha1.SchemeGroupVersion, Kind{
		Plural: "HostedClusterUpdateStatuses", OfHosted: true,
		Verbs: Verbs{HostedClusterNamespace: "get list watch"}, Gathered: true, UnknownFields: true,
	})
	HostedClusterUpdateStatusSummaries = decoded[updatev1alpha1.HostedClusterUpdateStatusSummary](updatev1alpha1.SchemeGroupVersion, Kind{
		Plural: "HostedClusterUpdateStatusSummaries", OfHosted: true,
		Verbs: Verbs{HostedClusterNamespace: "get"}, Gathered: true, UnknownFields: true,
	})
	HostedClusterUpdateRecords = decoded[updatev1alpha1.HostedClusterUpdateRecord](updatev1alpha1.SchemeGroupVersion, Kind{
		Plural: "HostedClusterUpdateRecords", Verbs: Verbs{HostedClusterNamespace: "get list"}, Gathered: true,
	})
	HostedClusters = decoded[hypershiftv1beta1.HostedCluster](hypershift, Kind{
		Plural: "HostedClusters", OfHosted: true, Verbs: Verbs{HostedClusterNamespace: "get list watch"}, Gathered: true,
	})
	NodePools = decoded[hypershiftv1beta1.NodePool](hypershift, Kind{
		Plural: "NodePools", Verbs: Verbs{HostedClusterNamespace: watched}, Gathered: true,
	})
	ControlPlaneComponents = decoded[hypershiftv1beta1.ControlPlaneComponent](hypershift, Kind{
		Plural: "ControlPlaneComponents", Verbs: Verbs{ControlPlaneNamespace: watched}, Gathered: true,
	})
	Machines = decoded[clusterapiv1beta1.Machine](clusterAPI, Kind{
		Plural: "Machines", OtherVersion: "v1beta2", Verbs: Verbs{ControlPlaneNamespace: watched}, Gathered: true,
	})
	MachineDeployments = decoded[clusterapiv1beta1.MachineDeployment](clusterAPI, Kind{
		Plural: "MachineDeployments", OtherVersion: "v1beta2", Verbs: Verbs{ControlPlaneNamespace: watched}, Gathered: true,
	})
	MachineSets = decoded[clusterapiv1beta1.MachineSet](clusterAPI, Kind{
		Plural: "MachineSets", OtherVersion: "v1beta2", Verbs: Verbs{ControlPlaneNamespace: watched}, Gathered: true,
	})
)
