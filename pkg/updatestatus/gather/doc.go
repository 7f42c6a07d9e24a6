// Package gather collects what explains an UpdateStatus from a cluster into files, in the layout of `oc adm inspect` and
// must-gather:
//
//	cluster-scoped-resources/GROUP/RESOURCE/NAME.yaml      the objects of update.openshift.io, and those that they are assessed from
//	namespaces/NAMESPACE/GROUP/RESOURCE/NAME.yaml          the UpdateInformers of all namespaces
//	namespaces/NAMESPACE/GROUP/RESOURCE.yaml               lists of the controller's namespace; of the Machine Config Operator its Deployment
//	namespaces/NAMESPACE/pods/POD/CONTAINER/CONTAINER/logs the logs of the controller, current.log and previous.log
//	timestamp                                              the start and the end, a line each
//	errors.log                                             what could not be collected, if there was something
//
// What must not leave a cluster is not collected: no Secrets, and of MachineConfigs only the metadata.
package gather
