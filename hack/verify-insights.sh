#!/usr/bin/env bash
# Fails if the tables in docs/insights.md are outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-insights.sh docs/insights.md
