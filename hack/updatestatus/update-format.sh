#!/usr/bin/env bash
# Formats the Go code.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools sigs.k8s.io/kube-api-linter/cmd/golangci-lint-kube-api-linter
"${TOOLS}/golangci-lint-kube-api-linter" fmt
