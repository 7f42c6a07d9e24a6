// Demo shows the Update Status Controller at work, without a cluster: `make demo` builds and runs it.
//
// It starts a real etcd and kube-apiserver, installs manifests/, runs the built controller as its ServiceAccount, and plays
// an update or loads a recorded cluster. The pages to read, in order:
//
//	main.go, command.go   flags, signals, exit status: 0; 1 with a sentence; 128 and the signal's number
//	setup.go              one folder with a control plane and a controller, and how they go again, whatever happens
//	play.go               an update is played from its start to its end
//	examples.go           two programs of others that report to the update
//	recorder.go           remembers each write of the actors and each version of the UpdateStatus, with their times
//	live.go               shows versions as they come: on a terminal one screen (frame.go), otherwise blocks (pages.go)
//	recorded.go           a recorded cluster instead of a played one
//	commands.go           what a user would type, and its output
//
// Pure packages of their own: story (what is played, and what is worth a look), lag (how late the status was), frame.go and
// pages.go.
package main
