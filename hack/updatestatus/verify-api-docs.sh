#!/usr/bin/env bash
# Fails if docs/updatestatus/api.md is outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/updatestatus/update-api-docs.sh docs
