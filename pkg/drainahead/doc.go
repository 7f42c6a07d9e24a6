// Package drainahead is the informer controller that looks ahead at drains: while the cluster is updated and nodes wait, it
// reports the nodes that will not drain, since a PodDisruptionBudget never allows a disruption of one of their pods: early
// enough to mend it. Its rules are in packages drain and assess.
//
//	informer.go  the controller: level driven, looks while an update is in progress
//
// PodDisruptionBudgets are read every ten minutes, which costs one list; pods only in namespaces with a budget that may never
// allow a disruption. Which nodes wait is looked at every minute. What can't be read is logged.
package drainahead
