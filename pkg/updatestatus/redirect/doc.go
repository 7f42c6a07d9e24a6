// Package redirect keeps the credentials of a client at its API server. The transports of client-go add the token of a configuration to each
// request, also to those that follow a redirect, wherever that leads.
//
// An API server redirects nothing that the clients of this project request. What does is a proxy, or a server that is not the one that
// the user thinks.
package redirect
