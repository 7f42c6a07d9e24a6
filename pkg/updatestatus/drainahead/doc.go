// Package drainahead is the source that looks ahead at drains: while the cluster is updated and nodes wait, it reports the nodes that
// will not drain, since a PodDisruptionBudget never allows a disruption of one of their pods, early enough to fix it. It runs in the
// loop of package source. Its rules are in packages drain and standalone.
//
//	source.go  when to read, and what is reported meanwhile
//
// PodDisruptionBudgets are read every ten minutes, which costs one list; pods only in namespaces with a budget that may never
// allow a disruption. Which nodes wait is assessed every minute. What can't be read is logged.
package drainahead
