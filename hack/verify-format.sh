#!/usr/bin/env bash
# Fails if Go code is not formatted, and prints the difference.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools github.com/golangci/golangci-lint/v2/cmd/golangci-lint
if ! "${TOOLS}/golangci-lint" fmt --diff; then
	echo "ERROR: not formatted: run hack/update-format.sh and commit the result" >&2
	exit 1
fi
