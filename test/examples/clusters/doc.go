// Package clusters brings the example of docs/informers.md to a real API server, with the objects that it reports about.
package clusters
