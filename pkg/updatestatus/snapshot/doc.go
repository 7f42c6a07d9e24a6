// Package snapshot reads the objects of a cluster from files and assesses them by the rules of the controller, without a
// cluster. Support, tests and --must-gather use it.
//
//	directory, archive, file, DIR/NAME ──► files ──► documents ──► objects ──► Snapshot ──► Assess ──► UpdateStatus
//	             source.go, archive.go    collector.go   outline.go   objects.go  snapshot.go   assess.go
//
// Load reads files of YAML or JSON (json.go) with one object, a list, or several documents, at any depth and with any name, in UTF-8 or in UTF-16
// with a byte order mark (encoding.go). It decodes
// only the objects that an assessment needs (kinds.go), and only the metadata of MachineConfigs, which are large. It finds
// them by their lines, without parsing the others. A must-gather of gigabytes thus takes seconds, and as much memory as its
// largest file.
//
// Pods, PodDisruptionBudgets and MachineConfigNodes are optional. They explain why a drain is blocked.
//
// A file with a response of Prometheus to GET /api/v1/alerts or /api/v1/rules adds the firing alerts (alerts.go), and the file
// timestamp of a must-gather tells when it was collected (timestamp.go).
//
// Load skips what it is unable to read, and lists it with its file and line in Snapshot.Problems, with files that seem to be cut
// off. What files lack altogether standalone.Missing tells. Of several objects with the same name it uses the one with the newest
// resource version. It never follows symbolic links, and never writes the
// files of an archive to disk.
//
// A directory can also have several recorded clusters, as files that start with the name of the cluster: NAME-cv.yaml with
// the ClusterVersion, and other files NAME-…. Load("DIR/NAME") reads one of them, Clusters("DIR") lists them.
package snapshot
