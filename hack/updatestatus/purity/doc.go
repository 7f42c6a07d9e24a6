// Purity fails when a package does what its kind must not, by `go list -deps` and by reading the sources. The table of
// packages in ARCHITECTURE.md is the list of packages and their kinds:
//
//   - a pure package holds rules: it imports no shell, reaches no client through its imports, and starts no goroutine.
//     Its tests need few packages besides its own, so that they are compiled in seconds.
//     Which packages outside the module it may import, and that it reads no clock, is checked by the linters
//     (.golangci.yml); a test compares the list there with the table.
//   - a package that imports pkg/updatestatus/update reads a status through it alone, so that one question has one answer.
//   - packages of one kind of cluster each (pkg/updatestatus/assess/standalone, pkg/updatestatus/assess/hosted) do not import each other.
//   - a shell does I/O and holds no rules: it imports no other shell.
//   - wiring is a shell that puts others together.
//
// hack/updatestatus/verify-purity.sh calls it.
package main
