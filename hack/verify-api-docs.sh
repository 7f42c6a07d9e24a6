#!/usr/bin/env bash
# Fails if docs/api.md is outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-api-docs.sh docs
