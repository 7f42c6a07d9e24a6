// Hypershift-pull-request writes the files that a pull request to openshift/hypershift would add, from test/hypershift and
// manifests/hypershift, into manifests/hypershift/pull-request. hack/update-manifests.sh runs it in the root of the repository.
package main
