// The kubectl of the demo and the tests, as Kubernetes builds it.
package main
