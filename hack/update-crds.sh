#!/usr/bin/env bash
# Generates the CRD of UpdateStatus from its types.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

crd=manifests/0000_00_update-status-controller_01_updatestatuses.crd.yaml

build_tools sigs.k8s.io/controller-tools/cmd/controller-gen
made=$("${TOOLS}/controller-gen" crd paths=./pkg/apis/update/v1alpha1 output:crd:stdout | go run ./hack/finish-crd)
echo "${made}" >"${crd}"
