#!/usr/bin/env bash
# Fails when docs/api.md is not what the types of the UpdateStatus API make.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-api-docs.sh docs
