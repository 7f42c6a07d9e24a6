// The kube-apiserver of the test control plane, as Kubernetes builds it.
package main
