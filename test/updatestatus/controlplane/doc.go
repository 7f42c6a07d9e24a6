// Package controlplane starts a real etcd and a real kube-apiserver, with RBAC on, the CRDs of OpenShift that the Update
// Status Controller reads, and everything of manifests/: the ground of the integration tests, the demo and the benchmark.
//
//	plane, err := controlplane.Start(controlplane.Options{})
//	defer plane.Stop()
//	plane.Admin()                                       a client configuration that may do everything
//	plane.Kubeconfig(ctx, controlplane.ServiceAccount)  a file, to run the controller as its ServiceAccount
//	plane.Reset(ctx)                                    an empty cluster again
//
// Start takes about two seconds, and for the first time, until there is a snapshot, ten. Tests take a control plane from a Pool:
//
//	pool.go      the control planes of the tests of a package
//	room.go      how many run at a time on this machine
//	snapshot.go  the data of etcd with which they start
//	guard.go     kills what a test leaves behind
//
// No other controller runs: nothing reacts to an object but what the test itself starts. The stand-ins for the operators
// that write the objects of a cluster are in test/updatestatus/simulator. The binaries come from hack/updatestatus/build-control-plane.sh, which builds
// them from the module in the folder binaries, or from the folder that KUBEBUILDER_ASSETS names.
package controlplane
