#!/usr/bin/env bash
# Runs `go test` with the given flags and packages, and prints a line for each package. The results are kept in bin/test, for
# hack/updatestatus/testresults.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools gotest.tools/gotestsum
mkdir -p bin/test
"${TOOLS}/gotestsum" --format=pkgname --format-hide-empty-pkg --hide-summary=all --jsonfile "bin/test/$$.json" -- \
	-timeout=90m "$@"
