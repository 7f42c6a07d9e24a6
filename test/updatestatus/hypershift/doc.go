// Package hypershift renders what a pull request to openshift/hypershift would make HyperShift create, so that tests compare it with
// manifests/hypershift. The code of the pull request, in manifests/hypershift/pull-request, compiles against stand-ins for HyperShift's
// packages, in api and support, which have of these only what it uses; hack/updatestatus/update-manifests.sh writes its assets, by AssetFiles.
package hypershift
