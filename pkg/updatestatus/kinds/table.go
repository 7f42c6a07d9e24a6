package kinds

import (
	appsv1 "k8s.io/api/apps/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

// watched are the verbs of what is watched.
const watched = "list watch"

// What is written, and contributed to it.
var (
	UpdateStatuses = decoded[updatev1alpha1.UpdateStatus](updatev1alpha1.SchemeGroupVersion, Kind{
		Plural: "UpdateStatuses", Name: updatev1alpha1.SingletonName,
		Verbs: Verbs{Cluster: "get list watch"}, Gathered: true, UnknownFields: true,
	})
	UpdateStatusSummaries = decoded[updatev1alpha1.UpdateStatusSummary](updatev1alpha1.SchemeGroupVersion, Kind{
		Plural: "UpdateStatusSummaries", Name: updatev1alpha1.SingletonName,
		Verbs: Verbs{Cluster: "get"}, Gathered: true, UnknownFields: true,
	})
	UpdateRecords = decoded[updatev1alpha1.UpdateRecord](updatev1alpha1.SchemeGroupVersion, Kind{
		Plural: "UpdateRecords", Verbs: Verbs{Cluster: "get list"}, Gathered: true,
	})
	UpdateInformers = decoded[updatev1alpha1.UpdateInformer](updatev1alpha1.SchemeGroupVersion, Kind{
		Plural: "UpdateInformers", Optional: true, Trim: trimmed(informers.Trimmed),
		Verbs: Verbs{Cluster: watched, ControlPlaneNamespace: watched}, Gathered: true, IsWhole: isWholeInformer,
	})
)

// The control plane.
var (
	ClusterVersions = decoded[configv1.ClusterVersion](configv1.GroupVersion, Kind{
		Plural: "ClusterVersions", Name: standalone.ClusterVersionName, Trim: trimmed(standalone.TrimClusterVersion),
		Verbs: Verbs{Cluster: watched}, Gathered: true, ManagedFields: true, IsWhole: isWholeVersion,
	})
	ClusterOperators = decoded[configv1.ClusterOperator](configv1.GroupVersion, Kind{
		Plural: "ClusterOperators", Trim: trimmed(controlplane.TrimOperator),
		Verbs: Verbs{Cluster: watched, Hosted: watched}, Once: true, Gathered: true, IsWhole: isWholeOperator,
	})
	// Its topology is that of leader election, and it has the address of the API server.
	Infrastructures = decoded[configv1.Infrastructure](configv1.GroupVersion, Kind{
		Plural: "Infrastructures", Name: "cluster", Verbs: Verbs{Cluster: "get"}, Gathered: true,
	})
	// Metrics and probes are served with its TLS security profile.
	_ = add(Kind{
		GroupVersionKind: configv1.GroupVersion.WithKind("APIServer"), Plural: "APIServers", Name: "cluster",
		Verbs: Verbs{Cluster: "get"},
	})
	VersionOperatorLease = decoded[coordinationv1.Lease](coordinationv1.SchemeGroupVersion, Kind{
		Plural: "Leases", Namespace: podstate.VersionNamespace, Name: standalone.LeaseName,
		Verbs: Verbs{Cluster: "get"}, Once: true, Unremarked: true, Gathered: true,
	})
	MachineConfigOperator = decoded[appsv1.Deployment](appsv1.SchemeGroupVersion, Kind{
		Plural: "Deployments", Namespace: controlplane.MachineConfigOperatorNamespace, Name: controlplane.MachineConfigOperatorDeployment,
		Trim: trimmed(standalone.TrimDeployment), Verbs: Verbs{Cluster: watched}, Once: true, Gathered: true,
	})
)

// Nodes, and what configures them.
var (
	MachineConfigPools = decoded[machineconfigv1.MachineConfigPool](machineconfigv1.GroupVersion, Kind{
		Plural: "MachineConfigPools", Optional: true, Trim: trimmed(standalone.TrimPool),
		Verbs: Verbs{Cluster: watched}, Once: true, Gathered: true, IsWhole: isWholePool,
	})
	// A MachineConfig has hundreds of KiB, and only an annotation is read.
	MachineConfigs = add(Kind{
		GroupVersionKind: machineconfigv1.GroupVersion.WithKind("MachineConfig"), Plural: "MachineConfigs",
		Type: typeOf[metav1.PartialObjectMetadata](), Optional: true, MetadataOnly: true, Trim: trimmed(standalone.TrimMachineConfig),
		Verbs: Verbs{Cluster: watched}, Once: true, Gathered: true,
	})
	MachineConfigNodes = decoded[machineconfigv1.MachineConfigNode](machineconfigv1.GroupVersion, Kind{
		Plural: "MachineConfigNodes", Optional: true, Trim: trimmed(standalone.TrimMachineConfigNode), Verbs: Verbs{Cluster: watched}, Gathered: true,
	})
	Nodes = decoded[corev1.Node](corev1.SchemeGroupVersion, Kind{
		Plural: "Nodes", Trim: trimmed(nodestate.Trim),
		Verbs: Verbs{Cluster: watched, Hosted: watched}, Once: true, Gathered: true, TrimFile: trimNode, IsWhole: isWholeNode,
	})
)

// What is listed in need: why a node is not ready or not drained, or an operator fails.
var (
	CertificateSigningRequests = decoded[certificatesv1.CertificateSigningRequest](certificatesv1.SchemeGroupVersion, Kind{
		Plural: "CertificateSigningRequests", Verbs: Verbs{Cluster: "list"},
	})
	Pods = decoded[corev1.Pod](corev1.SchemeGroupVersion, Kind{
		Plural: "Pods", Verbs: Verbs{Cluster: "list", Hosted: "list"}, TrimFile: trimPod,
	})
	PodDisruptionBudgets = decoded[policyv1.PodDisruptionBudget](policyv1.SchemeGroupVersion, Kind{
		Plural: "PodDisruptionBudgets", Verbs: Verbs{Cluster: "list", Hosted: "list"},
	})
	// Of the workloads of these pods the replicas are read.
	Deployments = add(Kind{
		GroupVersionKind: appsv1.SchemeGroupVersion.WithKind("Deployment"), Plural: "Deployments", Verbs: Verbs{Cluster: "list"},
	})
	StatefulSets = add(Kind{
		GroupVersionKind: appsv1.SchemeGroupVersion.WithKind("StatefulSet"), Plural: "StatefulSets", Verbs: Verbs{Cluster: "list"},
	})
)
