#!/usr/bin/env bash
# Fails if docs/updatestatus/metrics.md is outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/updatestatus/update-metrics.sh docs/updatestatus/metrics.md
