// Package util stands in for openshift/hypershift, support/util.
package util
