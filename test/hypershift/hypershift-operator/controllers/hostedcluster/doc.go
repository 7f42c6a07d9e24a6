// Package hostedcluster stands in for openshift/hypershift, hypershift-operator/controllers/hostedcluster, with what the Update Status
// Controller adds to it. This file is not in the pull request, since that package has its own description.
package hostedcluster
