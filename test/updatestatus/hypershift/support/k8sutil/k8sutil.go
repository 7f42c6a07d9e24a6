package k8sutil

// HostedClusterAnnotation is the annotation of a HostedControlPlane with the namespace and the name of its HostedCluster.
const HostedClusterAnnotation = "hypershift.openshift.io/cluster"
