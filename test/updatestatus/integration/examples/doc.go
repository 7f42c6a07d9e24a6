// Package examples runs the programs and the example of docs/updatestatus/informers.md on a real API server, as their ServiceAccounts.
package examples
