// Package cli is the command that shows the status of an update: from a cluster, from an UpdateStatus in a file, or from
// files with the objects of a cluster.
//
// The binary oc-update-status is this command as a plugin of oc and kubectl. NewCommand takes streams and what selects a
// cluster, so that oc can add it as a subcommand (docs/updatestatus/upstream.md).
//
// Start reading at options.go: Validate, Complete and Run are the steps of the command. It reads the object from the cluster
// (source.go) or from files (files.go), and prints it (output.go) once or at every change (watch.go, screen.go). errors.go
// has the messages about a status that is missing or outdated.
//
// The package has no rules of its own: the status comes from the UpdateStatus or from pkg/updatestatus/snapshot, its text from
// pkg/updatestatus/describe.
package cli
