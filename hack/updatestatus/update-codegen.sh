#!/usr/bin/env bash
# Generates deepcopy functions, apply configurations and the clientset of the UpdateStatus API.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

api=pkg/apis/update/v1alpha1
generated=pkg/generated
header=hack/updatestatus/boilerplate.go.txt

build_tools k8s.io/code-generator/cmd/{applyconfiguration-gen,client-gen,deepcopy-gen}

# The other types are those of others, which are read.
"${TOOLS}/deepcopy-gen" --go-header-file="${header}" --output-file=zz_generated.deepcopy.go \
	"./${api}" ./pkg/apis/{clusterapi,hypershift}/v1beta1

rm -rf "${generated}"
"${TOOLS}/applyconfiguration-gen" --go-header-file="${header}" \
	--output-dir="${generated}/applyconfigurations" --output-pkg="${MODULE}/${generated}/applyconfigurations" \
	"./${api}"
"${TOOLS}/client-gen" --go-header-file="${header}" \
	--clientset-name=versioned --input-base="${MODULE}/pkg/apis" --input=update/v1alpha1 \
	--apply-configuration-package="${MODULE}/${generated}/applyconfigurations" \
	--output-dir="${generated}/clientset" --output-pkg="${MODULE}/${generated}/clientset" \
	--plural-exceptions=UpdateStatus:UpdateStatuses
