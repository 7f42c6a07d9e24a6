#!/usr/bin/env bash
# Fails if a pure package does I/O or its tests need many packages besides its own, or if a shell imports another one, by the table
# of packages in ARCHITECTURE.md.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go run ./hack/updatestatus/purity
