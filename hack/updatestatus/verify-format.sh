#!/usr/bin/env bash
# Fails if Go code is not formatted, and prints the difference.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools sigs.k8s.io/kube-api-linter/cmd/golangci-lint-kube-api-linter
if ! "${TOOLS}/golangci-lint-kube-api-linter" fmt --diff; then
	echo "ERROR: not formatted: run hack/updatestatus/update-format.sh and commit the result" >&2
	exit 1
fi
