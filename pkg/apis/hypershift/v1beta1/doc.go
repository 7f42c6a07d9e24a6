// Package v1beta1 has the part of the API of HyperShift (hypershift.openshift.io/v1beta1) that is read: what a HostedCluster, its
// ControlPlaneComponents and its NodePools say about updates. HyperShift's own types are in no published module.
// Its tests compare the types with the CRDs (*.crd.yaml) and the objects (samples.yaml) of a folder, if HYPERSHIFT names one.
//
// +k8s:deepcopy-gen=package
// +groupName=hypershift.openshift.io
package v1beta1
