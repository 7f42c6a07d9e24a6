#!/usr/bin/env bash
# Fails if docs/estimates.md is outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-estimates.sh docs/estimates.md
