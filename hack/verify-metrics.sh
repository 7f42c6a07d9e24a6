#!/usr/bin/env bash
# Fails when the reference of the metrics is not what their definitions make.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-metrics.sh docs/metrics.md
