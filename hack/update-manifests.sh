#!/usr/bin/env bash
# Gives every manifest the annotations of hack/finish-manifests/release.go.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

go run ./hack/finish-manifests manifests
