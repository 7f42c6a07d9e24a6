// Package causes plays updates with one known fault, with all that it leads to in a real cluster, and checks what a person is
// told first. Everything is in memory: simulator plays the update, a fault changes what its objects say, and the rules of the
// controller make the status of that.
//
//	faults.go   all kinds of faults: what is wrong, what it leads to outside of what the simulator plays, and when; they are in
//	            nodefaults.go, poolfaults.go, operatorfaults.go, versionfaults.go and requestfaults.go
//	cluster.go  the objects that a fault changes
//	play.go     one update with one fault
//	hosted.go   the same for updates of a hosted cluster, which package hosted plays
package causes
