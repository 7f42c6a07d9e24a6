// Dependencies fails if a direct dependency of a module has no line in docs/updatestatus/dependencies.md that explains it, or if a line has
// no dependency. Its arguments are the directories of the modules. hack/updatestatus/verify-modules.sh runs it.
package main
