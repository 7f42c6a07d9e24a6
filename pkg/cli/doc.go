// Package cli is the command that shows the state of an update: from a cluster, an UpdateStatus in a file, or the
// collected objects of a cluster.
//
// The binary oc-update-status is this command as a plugin of oc and kubectl. NewCommand takes nothing but the streams, so
// that another binary can have it as a subcommand. Read options.go first: Complete, Validate and Run are the steps of the
// command. Where the object comes from is in source.go (the cluster) and files.go, how it is printed in output.go, how a
// watch goes in watch.go and what it draws in screen.go, and what is said when the object can't be had in errors.go.
//
// The package has no rules of its own: what the state of an update is comes from the UpdateStatus, or from pkg/snapshot,
// and how it reads from pkg/describe.
package cli
