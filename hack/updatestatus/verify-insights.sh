#!/usr/bin/env bash
# Fails if the tables in docs/updatestatus/insights.md are outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/updatestatus/update-insights.sh docs/updatestatus/insights.md
