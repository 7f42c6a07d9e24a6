#!/usr/bin/env bash
# Runs the linters of .golangci.yml.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools sigs.k8s.io/kube-api-linter/cmd/golangci-lint-kube-api-linter
"${TOOLS}/golangci-lint-kube-api-linter" config verify
"${TOOLS}/golangci-lint-kube-api-linter" run
