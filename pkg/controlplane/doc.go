// Package controlplane is the informer controller that watches the ClusterVersion and the ClusterOperators and reports
// how far the control plane is.
//
//	keys.go      which queue key a changed object gives
//	informer.go  the controller: level driven, knows only the key
//	gather.go    listers → assess inputs
//
// It holds no rules: those are in package assess.
package controlplane
