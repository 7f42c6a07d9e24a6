#!/usr/bin/env bash
# Writes the health checks and their causes to docs/updatestatus/insights.md.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go test -p 1 ./pkg/updatestatus/assess/... -run '^TestInsightsPage$' -update
go test ./pkg/updatestatus/causes -run '^TestPage$' -update
