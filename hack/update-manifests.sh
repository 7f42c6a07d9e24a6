#!/usr/bin/env bash
# Adds the annotations of hack/finish-manifests/release.go to all manifests.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go run ./hack/finish-manifests "${MANIFESTS}"/*_update-status-controller_*.yaml
