#!/usr/bin/env bash
# Fails when a manifest is not named as release payloads name it or has not the annotations that all have, and when
# Prometheus could not parse an alert, or would raise it when it should not.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

mkdir -p "${TOOLS}"
(cd hack/check-rules && go build -mod=readonly -o "${TOOLS}/" .)
"${TOOLS}/check-rules" manifests/*_prometheusrule.yaml
(cd hack/check-rules && go test -mod=readonly ./...)
verify_update hack/update-manifests.sh manifests
