#!/usr/bin/env bash
# Generates the CRD of UpdateStatus from its types, and, for the API server of the tests, the CRDs of the monitoring resources
# in manifests/.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

crd=manifests/0000_00_update-status-controller_01_updatestatuses.crd.yaml

build_tools sigs.k8s.io/controller-tools/cmd/controller-gen
generated=$("${TOOLS}/controller-gen" crd paths=./pkg/apis/update/v1alpha1 output:crd:stdout | go run ./hack/finish-crd)
echo "${generated}" >"${crd}"
hack/update-manifests.sh

monitoring=github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1
temporary_directory
"${TOOLS}/controller-gen" crd:maxDescLen=0 "paths=${monitoring}" "output:crd:dir=${TEMPORARY}"
cp "${TEMPORARY}"/monitoring.coreos.com_{prometheusrules,servicemonitors}.yaml test/controlplane/monitoring/
