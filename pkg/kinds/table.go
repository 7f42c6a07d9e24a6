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
	"github.com/openshift/cluster-version-operator/pkg/assess/controlplane"
	"github.com/openshift/cluster-version-operator/pkg/assess/informers"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/podstate"
)

// watched are the verbs of what is watched.
const watched = "list watch"

// What is written, and contributed to it.
var (
	UpdateStatuses = add(Kind{
		GroupVersionKind: updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatus"), Plural: "UpdateStatuses",
		Type: typeOf[updatev1alpha1.UpdateStatus](), Name: updatev1alpha1.SingletonName,
		Verbs: map[Place]string{Cluster: "get list watch"}, Gathered: true, UnknownFields: true,
	})
	UpdateStatusSummaries = add(Kind{
		GroupVersionKind: updatev1alpha1.SchemeGroupVersion.WithKind("UpdateStatusSummary"), Plural: "UpdateStatusSummaries",
		Type: typeOf[updatev1alpha1.UpdateStatusSummary](), Name: updatev1alpha1.SingletonName,
		Verbs: map[Place]string{Cluster: "get"}, Gathered: true, UnknownFields: true,
	})
	UpdateRecords = add(Kind{
		GroupVersionKind: updatev1alpha1.SchemeGroupVersion.WithKind("UpdateRecord"), Plural: "UpdateRecords",
		Type: typeOf[updatev1alpha1.UpdateRecord](), Verbs: map[Place]string{Cluster: "get list"}, Gathered: true,
	})
	UpdateInformers = add(Kind{
		GroupVersionKind: updatev1alpha1.SchemeGroupVersion.WithKind("UpdateInformer"), Plural: "UpdateInformers",
		Type: typeOf[updatev1alpha1.UpdateInformer](), Optional: true, Trim: informers.Trim,
		Verbs: map[Place]string{Cluster: watched, ControlPlaneNamespace: watched}, Gathered: true, IsWhole: isWholeInformer,
	})
)

// The control plane.
var (
	ClusterVersions = add(Kind{
		GroupVersionKind: configv1.GroupVersion.WithKind("ClusterVersion"), Plural: "ClusterVersions",
		Type: typeOf[configv1.ClusterVersion](), Name: standalone.ClusterVersionName, Trim: standalone.Trim,
		Verbs: map[Place]string{Cluster: watched}, Gathered: true, ManagedFields: true, IsWhole: isWholeVersion,
	})
	ClusterOperators = add(Kind{
		GroupVersionKind: configv1.GroupVersion.WithKind("ClusterOperator"), Plural: "ClusterOperators",
		Type: typeOf[configv1.ClusterOperator](), Trim: standalone.Trim,
		Verbs: map[Place]string{Cluster: watched, Hosted: watched}, Once: true, Gathered: true, IsWhole: isWholeOperator,
	})
	// Its topology is that of leader election, and it has the address of the API server.
	Infrastructures = add(Kind{
		GroupVersionKind: configv1.GroupVersion.WithKind("Infrastructure"), Plural: "Infrastructures",
		Type: typeOf[configv1.Infrastructure](), Name: "cluster", Verbs: map[Place]string{Cluster: "get"}, Gathered: true,
	})
	// Metrics and probes are served with its TLS security profile.
	_ = add(Kind{
		GroupVersionKind: configv1.GroupVersion.WithKind("APIServer"), Plural: "APIServers", Name: "cluster",
		Verbs: map[Place]string{Cluster: "get"},
	})
	VersionOperatorLease = add(Kind{
		GroupVersionKind: coordinationv1.SchemeGroupVersion.WithKind("Lease"), Plural: "Leases",
		Type: typeOf[coordinationv1.Lease](), Namespace: podstate.VersionNamespace, Name: standalone.LeaseName,
		Verbs: map[Place]string{Cluster: "get"}, Once: true, Unremarked: true, Gathered: true,
	})
	MachineConfigOperator = add(Kind{
		GroupVersionKind: appsv1.SchemeGroupVersion.WithKind("Deployment"), Plural: "Deployments", Type: typeOf[appsv1.Deployment](),
		Namespace: controlplane.MachineConfigOperatorNamespace, Name: controlplane.MachineConfigOperatorDeployment, Trim: standalone.Trim,
		Verbs: map[Place]string{Cluster: watched}, Once: true, Gathered: true,
	})
)

// Nodes, and what configures them.
var (
	MachineConfigPools = add(Kind{
		GroupVersionKind: machineconfigv1.GroupVersion.WithKind("MachineConfigPool"), Plural: "MachineConfigPools",
		Type: typeOf[machineconfigv1.MachineConfigPool](), Optional: true, Trim: standalone.Trim,
		Verbs: map[Place]string{Cluster: watched}, Once: true, Gathered: true, IsWhole: isWholePool,
	})
	// A MachineConfig has hundreds of KiB, and only an annotation is read.
	MachineConfigs = add(Kind{
		GroupVersionKind: machineconfigv1.GroupVersion.WithKind("MachineConfig"), Plural: "MachineConfigs",
		Type: typeOf[metav1.PartialObjectMetadata](), Optional: true, MetadataOnly: true, Trim: standalone.Trim,
		Verbs: map[Place]string{Cluster: watched}, Once: true, Gathered: true,
	})
	MachineConfigNodes = add(Kind{
		GroupVersionKind: machineconfigv1.GroupVersion.WithKind("MachineConfigNode"), Plural: "MachineConfigNodes",
		Type: typeOf[machineconfigv1.MachineConfigNode](), Optional: true, Trim: standalone.Trim,
		Verbs: map[Place]string{Cluster: watched}, Gathered: true,
	})
	Nodes = add(Kind{
		GroupVersionKind: corev1.SchemeGroupVersion.WithKind("Node"), Plural: "Nodes", Type: typeOf[corev1.Node](), Trim: standalone.Trim,
		Verbs: map[Place]string{Cluster: watched, Hosted: watched}, Once: true, Gathered: true, TrimFile: trimNode, IsWhole: isWholeNode,
	})
)

// What is listed in need: why a node is not ready or not drained, or an operator fails.
var (
	CertificateSigningRequests = add(Kind{
		GroupVersionKind: certificatesv1.SchemeGroupVersion.WithKind("CertificateSigningRequest"), Plural: "CertificateSigningRequests",
		Type: typeOf[certificatesv1.CertificateSigningRequest](), Verbs: map[Place]string{Cluster: "list"},
	})
	_ = add(Kind{
		GroupVersionKind: corev1.SchemeGroupVersion.WithKind("Pod"), Plural: "Pods", Type: typeOf[corev1.Pod](),
		Verbs: map[Place]string{Cluster: "list", Hosted: "list"}, TrimFile: trimPod,
	})
	_ = add(Kind{
		GroupVersionKind: policyv1.SchemeGroupVersion.WithKind("PodDisruptionBudget"), Plural: "PodDisruptionBudgets",
		Type: typeOf[policyv1.PodDisruptionBudget](), Verbs: map[Place]string{Cluster: "list", Hosted: "list"},
	})
	// Of the workloads of these pods the replicas are read.
	_ = add(Kind{
		GroupVersionKind: appsv1.SchemeGroupVersion.WithKind("Deployment"), Plural: "Deployments", Verbs: map[Place]string{Cluster: "list"},
	})
	_ = add(Kind{
		GroupVersionKind: appsv1.SchemeGroupVersion.WithKind("StatefulSet"), Plural: "StatefulSets", Verbs: map[Place]string{Cluster: "list"},
	})
)
