// Package steady lists and watches a resource for an informer, through whatever happens to the API server.
//
// The reflectors of client-go wait longer after each list and watch that ended badly, up to a minute after a few within
// two minutes. An API server that restarts during an update does so several times, and its status matters most just then.
// A steady ListerWatcher tries again itself, after no more than two seconds, for as long as an answer may come: a broken
// watch goes on where it was broken, and one that does not begin is asked for again. Where it was broken may be too long ago
// for an API server, and is for each that has just started: then all is listed, and what was missed is told as events of
// the watch. So it is when one watch after the other brings nothing but an error, since an event can't be decoded: a list has
// what came after it, or fails for the same reason until it does not. What is refused for what it is (a resource that is
// missing or may not be read) goes to the reflector, whose rules for it are right; what is forbidden goes there after some
// seconds only, in which an API server that starts has read the roles. Nobody else would know that an informer sees nothing
// meanwhile: who made the ListerWatcher is told of each try that failed, and of what the reflector was left with, until the
// informer watches again.
//
//	steady.go  the ListerWatcher
//	watch.go   a watch that goes on
//	gap.go     what was missed in between
//	known.go   what an informer knows already
package steady
