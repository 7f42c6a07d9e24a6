#!/usr/bin/env bash
# Writes the reference of the metrics from their definitions.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

made=$(go run ./hack/metrics)
echo "${made}" >docs/metrics.md
