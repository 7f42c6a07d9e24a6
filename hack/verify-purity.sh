#!/usr/bin/env bash
# Fails when a pure package does I/O or a shell imports another one. The list of packages is hack/purity/packages.go.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go run ./hack/purity
