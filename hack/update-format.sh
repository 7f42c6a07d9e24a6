#!/usr/bin/env bash
# Formats the Go code.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools github.com/golangci/golangci-lint/v2/cmd/golangci-lint
"${TOOLS}/golangci-lint" fmt
