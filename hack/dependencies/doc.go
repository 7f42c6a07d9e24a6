// Dependencies fails when a direct dependency of a module has no line in docs/dependencies.md that says what it is for,
// or when a line there is about none. Its arguments are the folders of the modules. hack/verify-vendor.sh calls it.
package main
