#!/usr/bin/env bash
# Fails if the generated code of the UpdateStatus API is outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/updatestatus/update-codegen.sh pkg/apis pkg/generated
