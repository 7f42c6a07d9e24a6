#!/usr/bin/env bash
# Fails if docs/updatestatus/estimates.md is outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/updatestatus/update-estimates.sh docs/updatestatus/estimates.md
