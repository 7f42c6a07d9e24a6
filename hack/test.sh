#!/usr/bin/env bash
# Runs `go test` with the given flags and packages. Prints a line for each package, and at the end the output of each failed
# test. The results are kept in bin/test, for hack/slowest.sh.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools gotest.tools/gotestsum
mkdir -p bin/test
"${TOOLS}/gotestsum" --format=pkgname --format-hide-empty-pkg --hide-summary=skipped --jsonfile "bin/test/$$.json" -- "$@"
