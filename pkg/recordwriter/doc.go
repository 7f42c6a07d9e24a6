// Package recordwriter writes the UpdateRecords, for a controller that follows the primary one (package follow). Package record
// makes the record of the statuses.
//
//	writer.go   when a record is written
//	objects.go  the objects: reading, creating, writing and deleting them
//	hosted.go   those of a hosted cluster
//
// A record is written when its update starts and ends, in between once a minute if it has changed and every ten minutes if not,
// and when the process ends. After a restart the newest record is read back.
package recordwriter
