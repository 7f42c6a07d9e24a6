#!/usr/bin/env bash
# Measures the errors of the estimates of pools on simulated updates, and writes docs/estimates.md.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

generated=$(go run ./test/estimates)
echo "${generated}" >docs/estimates.md
