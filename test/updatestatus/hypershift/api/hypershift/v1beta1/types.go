package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"
)

// DisableMonitoringServices is the annotation of a HostedCluster that nothing scrapes.
const DisableMonitoringServices = "hypershift.openshift.io/disable-monitoring-services"

// HostedControlPlane is the control plane of a hosted cluster.
type HostedControlPlane struct {
	metav1.ObjectMeta

	Spec HostedControlPlaneSpec
}

// HostedControlPlaneSpec is what is asked for.
type HostedControlPlaneSpec struct {
	ClusterID     string
	Configuration *ClusterConfiguration
}

// ClusterConfiguration is the configuration of the hosted cluster.
type ClusterConfiguration struct {
	FeatureGate *configv1.FeatureGateSpec
}

// HostedCluster is a hosted cluster.
type HostedCluster struct {
	metav1.ObjectMeta
}
