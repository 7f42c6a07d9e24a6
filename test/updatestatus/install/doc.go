// Package install installs the client as its users do, without a network: with krew, from what `make krew` writes, and with
// `go install`. It is a module of its own, so that krew is not among what the binaries use; hack/updatestatus/test-module.sh runs it.
package install
