// Package examples runs the examples of docs/informers.md on a real API server, as their ServiceAccounts.
package examples
