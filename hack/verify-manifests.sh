#!/usr/bin/env bash
# Fails when a manifest is not named as release payloads name it or has not the annotations that all have.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-manifests.sh manifests
