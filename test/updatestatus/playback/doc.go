// Package playback writes a cluster of test/updatestatus/simulator, recorded or played, to an API server.
//
//	writer.go  creates and changes objects, as those do who own them
//	player.go  makes the writes of a simulation, at their times or as fast as it can
package playback
