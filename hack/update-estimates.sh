#!/usr/bin/env bash
# Measures the errors of the estimates of pools on played updates, and writes the page that tells them.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

made=$(go run ./test/estimates)
echo "${made}" >docs/estimates.md
