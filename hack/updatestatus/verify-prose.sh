#!/usr/bin/env bash
# Fails if code reads a sentence that the project itself has written.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go run ./hack/updatestatus/prose
