// Demo shows the Update Status Controller at work, without a cluster: `make demo` builds and runs it.
//
// It starts a real etcd and kube-apiserver, installs manifests/, runs the built controller as its ServiceAccount, and plays
// an update or loads a recorded cluster. The pages to read, in order:
//
//	main.go, command.go   flags, signals, exit status: 0; 1 with a sentence; 130 after a signal
//	setup.go              one folder with a control plane and a controller, and how they go again, whatever happens
//	play.go               an update is played from its start to its end, with a fault if one is named, and watched with the client
//	example.go            a program of others that reports to the update
//	recorded.go           a recorded cluster instead of a played one
//	hosted.go             the update of a hosted cluster
//	commands.go           what a user would type, and its output
//
// The package story, which is pure, has what is played.
package main
