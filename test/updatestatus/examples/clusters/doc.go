// Package clusters brings the example of docs/updatestatus/informers.md to a real API server, with the objects that it reports about.
package clusters
