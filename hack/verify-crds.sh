#!/usr/bin/env bash
# Fails when the CRD of UpdateStatus is not what its types make.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-crds.sh manifests
