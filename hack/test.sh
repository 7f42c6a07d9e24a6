#!/usr/bin/env bash
# Runs `go test` with the given flags and packages: a line for each package, and at the end what failed, each test with
# its own output alone.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools gotest.tools/gotestsum
"${TOOLS}/gotestsum" --format=pkgname --format-hide-empty-pkg --hide-summary=skipped -- "$@"
