#!/usr/bin/env bash
# Adds the annotations of hack/updatestatus/finish-manifests/release.go to all manifests, and writes their tombstones and the assets of a pull request to
# HyperShift.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go run ./hack/updatestatus/finish-manifests tombstones "${MANIFESTS}"/*_update-status-controller_*.yaml

go run ./hack/updatestatus/hypershift-pull-request
