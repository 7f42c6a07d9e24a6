#!/usr/bin/env bash
# Writes the health checks and their causes to docs/insights.md.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go test -p 1 ./pkg/assess/... -run '^TestInsightsPage$' -update
go test ./pkg/causes -run '^TestPage$' -update
