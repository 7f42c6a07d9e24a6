// Package hypershift has what a pull request to openshift/hypershift would add, at the same paths: a component of hosted control planes
// (control-plane-operator/…/v2/usc) and its Role in the namespace of the HostedCluster (hypershift-operator/controllers/hostedcluster). They
// compile here against stand-ins for HyperShift's packages, in api and support, which have of these only what the two use.
//
// hack/update-manifests.sh writes manifests/hypershift/pull-request from them and from manifests/hypershift, by Files. The component renders
// its assets like HyperShift does, so that tests compare both.
package hypershift
