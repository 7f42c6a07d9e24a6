// Package snapshot reads the objects of a cluster from files and assesses them, with the rules of the controller and
// without a cluster: that is how support, tests and --must-gather work.
//
//	folder, .tar.gz, file, DIR/NAME ──► files ──► documents ──► objects ──► Snapshot ──► Assess ──► UpdateStatus
//	                            source.go   collector.go   outline.go   kinds.go    snapshot.go   assess.go
//
// Load takes, at any depth and under any name, YAML and JSON files with one object, a list, or several documents. Of all
// objects only those are parsed that an assessment needs (kinds.go), and of MachineConfigs, which are large, only the
// metadata: the lines of a file are looked at, and what is not needed is never turned into an object. A must-gather of
// gigabytes thus takes seconds, and the memory of its largest file with a needed object.
//
// Pods, PodDisruptionBudgets and MachineConfigNodes explain drains, where they were collected. Of a pod, what is needed for
// that is kept.
//
// A file with an answer of Prometheus to GET /api/v1/alerts adds the alerts that fire (alerts.go).
//
// What can't be read is passed over and named, with its file and line, in Snapshot.Problems. Where an object is there
// more than once, the newest by its resource version counts. Symbolic links are never followed, and nothing of an archive
// is ever written to disk.
//
// A folder may also hold several recorded clusters, as files that begin with the cluster's name: NAME-cv.yaml for the
// ClusterVersion, and any other NAME-….yaml beside it. Load("DIR/NAME") reads one of them, Clusters("DIR") lists them.
package snapshot
