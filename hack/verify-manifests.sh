#!/usr/bin/env bash
# Fails if a manifest has no valid name for a release payload or lacks annotations, and if an alert does not parse or does not
# fire as its tests expect.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

mkdir -p "${TOOLS}"
(cd hack/check-rules && go build -mod=readonly -o "${TOOLS}/" .)
(
	temporary_directory
	go run ./hack/render-manifests none "${TEMPORARY}" "${MANIFESTS}"/*_update-status-controller_*_prometheusrule-*.yaml
	"${TOOLS}/check-rules" "${TEMPORARY}"/*.yaml
	# The last document of the file.
	sed -n '/^kind: PrometheusRule/,$p' "${HOSTED_MANIFESTS}/monitoring.yaml" >"${TEMPORARY}/hosted"
	"${TOOLS}/check-rules" "${TEMPORARY}/hosted"
)
(cd hack/check-rules && go test -mod=readonly ./...)
verify_update hack/update-manifests.sh "${MANIFESTS}" tombstones
