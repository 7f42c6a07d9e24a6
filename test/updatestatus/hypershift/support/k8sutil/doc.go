// Package k8sutil stands in for openshift/hypershift, support/k8sutil.
package k8sutil
