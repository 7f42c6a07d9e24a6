#!/usr/bin/env bash
# Generates the CRDs of update.openshift.io from their types, and, for the API server of the tests, the CRDs of the monitoring
# resources in manifests/.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

build_tools sigs.k8s.io/controller-tools/cmd/controller-gen
temporary_directory
"${TOOLS}/controller-gen" crd paths=./pkg/apis/update/v1alpha1 "output:crd:dir=${TEMPORARY}"
for file in "${TEMPORARY}"/update.openshift.io_*.yaml; do
	plural=${file##*_}
	target="${MANIFESTS}/0000_00_update-status-controller_01_${plural%.yaml}.crd-DevPreviewNoUpgrade.yaml"
	[[ ${plural} != hosted* ]] || target="${HOSTED_MANIFESTS}/${plural%.yaml}.crd.yaml"
	go run ./hack/updatestatus/finish-crd <"${file}" >"${target}"
done
# Others contribute to the status of a hosted cluster in its management cluster.
cp "${MANIFESTS}/0000_00_update-status-controller_01_updateinformers.crd-DevPreviewNoUpgrade.yaml" "${HOSTED_MANIFESTS}/updateinformers.crd.yaml"
hack/updatestatus/update-manifests.sh

monitoring=github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1
"${TOOLS}/controller-gen" crd:maxDescLen=0 "paths=${monitoring}" "output:crd:dir=${TEMPORARY}"
cp "${TEMPORARY}"/monitoring.coreos.com_{podmonitors,prometheusrules,servicemonitors}.yaml test/updatestatus/controlplane/monitoring/
