#!/usr/bin/env bash
# Generates docs/metrics.md from the definitions of the metrics.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

generated=$(go run ./hack/metrics)
echo "${generated}" >docs/metrics.md
