// Hypershift-pull-request writes the assets that a pull request to openshift/hypershift would add, from manifests/hypershift, into
// manifests/hypershift/pull-request. hack/updatestatus/update-manifests.sh runs it in the root of the repository.
package main
