// Purity fails when a package does what its kind must not, by `go list -deps` and by reading the sources:
//
//   - a pure package holds rules: it imports no shell, reaches no client through anything it imports, and starts no
//     goroutine. Which packages outside the module it may import, and that it reads no clock, is told to the linters in
//     .golangci.yml; a test keeps the lists there and here the same.
//   - a shell does I/O and holds no rules: it imports no other shell, but for the few that put shells together.
//
// The list of packages is in packages.go. hack/verify-purity.sh calls it.
package main
