#!/usr/bin/env bash
# Fails if docs/metrics.md is outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-metrics.sh docs/metrics.md
