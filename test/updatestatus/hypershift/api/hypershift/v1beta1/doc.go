// Package v1beta1 stands in for openshift/hypershift, api/hypershift/v1beta1.
package v1beta1
