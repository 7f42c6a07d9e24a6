#!/usr/bin/env bash
# Fails if the CRD of UpdateStatus, or one of monitoring for the tests, is outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/update-crds.sh manifests test/controlplane/monitoring
