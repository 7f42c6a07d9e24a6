// Package ceph reports, in an UpdateInformer, that a Ceph cluster of Rook rebuilds its data, and that Rook therefore blocks the drain of
// the next node:
//
//	storage-rebuilding  data is degraded, misplaced or unavailable; a Warning if a drain waits for it
//	ceph-…              a health check of Ceph that is an error, such as ceph-osd-full
//
// To run it: `oc apply -f rbac.yaml`, and a Deployment of ceph-informer with the ServiceAccount update-informer in openshift-storage.
// It reports nothing, and does not renew the UpdateInformer, while Rook does not check Ceph.
//
//	ceph.go            reads the cluster
//	insights.go        what is reported of it
//	updateinformer.go  renews the UpdateInformer once a minute
//
// What it relies on:
//
//	rook/rook, pkg/apis/ceph.rook.io/v1/types.go             the fields of a CephCluster: ClusterStatus, CephStatus, CephHealthMessage
//	rook/rook, pkg/operator/ceph/cluster/cephstatus.go       that details has the summaries of Ceph's health checks, and lastChecked the time
//	rook/rook, pkg/operator/ceph/disruption/clusterdisruption/osd.go
//	                                                         the PodDisruptionBudgets: rook-ceph-osd in normal operation; while data is
//	                                                         rebuilt after a drain instead rook-ceph-osd-TYPE-NAME for each failure domain
//	                                                         but the drained one, which allow no disruption
//	ceph/ceph, doc/rados/operations/health-checks.rst        the codes of the health checks
//	ceph/ceph, src/mon/PGMap.cc                              their summaries: "Degraded data redundancy: 12/96 objects degraded (12.500%), …"
package ceph
