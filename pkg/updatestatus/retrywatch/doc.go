// Package retrywatch makes the informers of client-go survive the restart of an API server within seconds.
//
// A plain reflector waits longer after each failed list or watch, up to a minute after a few within two minutes: an API
// server that restarts refuses connections, forbids, and answers that the watch is too old, which uses up several of these
// waits. A ListWatch of this package retries a watch every second from its last resourceVersion (client-go's
// RetryWatcher), so that the reflector has to back off only if it lists again: after a watch that is too old, that is
// refused, or that can't be decoded. It reports every result to an observer, as nothing else tells that an informer's cache
// is stale.
package retrywatch
