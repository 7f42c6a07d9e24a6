#!/usr/bin/env bash
# Fails when the generated code of the UpdateStatus API is not what its types make.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-codegen.sh pkg/apis pkg/generated
