#!/usr/bin/env bash
# Fails if a CRD of update.openshift.io, or one of monitoring for the tests, is outdated.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verify_update hack/updatestatus/update-crds.sh "${MANIFESTS}" "${HOSTED_MANIFESTS}" test/updatestatus/controlplane/monitoring
