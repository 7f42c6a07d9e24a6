#!/usr/bin/env bash
# Fails when the page about estimates is not what the code makes.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-estimates.sh docs/estimates.md
