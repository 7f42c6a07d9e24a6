#!/usr/bin/env bash
# Runs the linters of .golangci.yml.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools github.com/golangci/golangci-lint/v2/cmd/golangci-lint
"${TOOLS}/golangci-lint" config verify
"${TOOLS}/golangci-lint" run
