// Package k8sutil stands in for openshift/hypershift, support/k8sutil.
package k8sutil

// HostedClusterAnnotation is the annotation of a HostedControlPlane with the namespace and the name of its HostedCluster.
const HostedClusterAnnotation = "hypershift.openshift.io/cluster"
