#!/usr/bin/env bash
# Generates docs/updatestatus/metrics.md from the definitions of the metrics.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

generated=$(go run ./hack/updatestatus/metrics)
echo "${generated}" >docs/updatestatus/metrics.md
