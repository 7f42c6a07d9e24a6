// Package controlplane starts a real etcd and a real kube-apiserver, with RBAC on, the CRDs of OpenShift that the Update
// Status Controller reads, and everything of manifests/: the ground of the integration tests, the demo and the benchmark.
//
//	plane, err := controlplane.Start(controlplane.Options{})
//	defer plane.Stop()
//	plane.Admin()                                       a client configuration that may do everything
//	plane.Kubeconfig(ctx, controlplane.ServiceAccount)  a file, to run the controller as its ServiceAccount
//	plane.Reset(ctx)                                    an empty cluster again
//
// Start takes about three seconds. Tests of one package can share a control plane, see RunTests.
//
// No other controller runs: nothing reacts to an object but what the test itself starts. The stand-ins for the operators
// that write the objects of a cluster are in test/simulator. The binaries come from hack/build-control-plane.sh, which builds
// them from the module in the folder binaries, or from the folder that KUBEBUILDER_ASSETS names.
package controlplane
