// Package controlplanecomponent stands in for openshift/hypershift, support/controlplane-component: it renders the objects of a component
// like that does (defaults.go, kubeconfig.go, controlplane-component.go), without images, defaults of other platforms, and an API server.
package controlplanecomponent
