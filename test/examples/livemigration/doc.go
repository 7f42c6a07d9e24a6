// Package livemigration reports, in an UpdateInformer, the virtual machines of KubeVirt that hold up the drain of a node:
//
//	not-migratable-NODE  they can't migrate, so that the drain waits until they are shut down
//	migrating-NODE       they still have to migrate; a Warning if a migration failed
//
// To run it: `oc apply -f rbac.yaml`, and a Deployment of livemigration-informer with the ServiceAccount update-informer in openshift-cnv.
//
// What it relies on:
//
//	kubevirt/api, core/v1/types.go    the fields of VirtualMachineInstances and of their migrations, and the phases of a migration
//	kubevirt/kubevirt, pkg/virt-api/webhooks/validating-webhook/admitters/pod-eviction-admitter.go
//	                                  evacuationNodeName: the node that a machine is to leave, from the first try to evict its pod until it
//	                                  has migrated. The pod of a machine that can't migrate is refused to be evicted instead
//	kubevirt/kubevirt, pkg/virt-controller/watch/drain/disruptionbudget/disruptionbudget.go
//	                                  the PodDisruptionBudget kubevirt-disruption-budget-… of each machine that may leave a node only by
//	                                  migrating, by its eviction strategy or else that of the cluster; the machine is its controller
package livemigration
