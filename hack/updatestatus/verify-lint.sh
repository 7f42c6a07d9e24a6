#!/usr/bin/env bash
# Runs the linters of .golangci.yml.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

# A cache of its own for each clone: what is cached has the paths of the clone, and counts as written by hand once that is removed.
GOLANGCI_LINT_CACHE="$(go env GOCACHE)-lint${ROOT//\//-}"
export GOLANGCI_LINT_CACHE

build_tools sigs.k8s.io/kube-api-linter/cmd/golangci-lint-kube-api-linter
"${TOOLS}/golangci-lint-kube-api-linter" config verify
"${TOOLS}/golangci-lint-kube-api-linter" run
