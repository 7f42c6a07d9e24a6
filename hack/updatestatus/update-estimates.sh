#!/usr/bin/env bash
# Measures the errors of the estimates of pools on simulated updates, and writes docs/updatestatus/estimates.md.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

generated=$(go run ./test/updatestatus/estimates)
echo "${generated}" >docs/updatestatus/estimates.md
