// Package coalesce reads a connection on which many short messages arrive, a few at a time.
//
// Most of what a heartbeat of a Node costs is to be woken for it, and what the kernel, TLS and HTTP/2 do with each piece that
// they read. As a network card coalesces interrupts, a connection that is busy with short messages is read only some times a
// second; one that isn't is read at once, and so is what is long.
//
//	dial.go  the dialer of such connections
package coalesce
