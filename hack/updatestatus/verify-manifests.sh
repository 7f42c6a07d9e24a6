#!/usr/bin/env bash
# Fails if a manifest has no valid name for a release payload or lacks annotations. The PromQL in them is checked by test/updatestatus/promql.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/updatestatus/update-manifests.sh "${MANIFESTS}" tombstones
