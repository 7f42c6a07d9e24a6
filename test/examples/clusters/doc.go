// Package clusters brings the examples of docs/informers.md to a real API server, with the objects that they report about.
package clusters
