// The etcd of the test control plane, as its project builds it.
package main
