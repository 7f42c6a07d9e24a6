#!/usr/bin/env bash
# Builds the image with podman, docker or buildah: image.sh IMAGE VERSION COMMIT. BUILDER and BASE, if they are set, replace the
# builder and the base image, and CGO_ENABLED, GOEXPERIMENT and GOFIPS140 what the builder says.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

image=${1:-}
if [[ -z ${image} ]]; then
	echo "ERROR: IMAGE=NAME is missing, the name of the image: make image IMAGE=quay.io/me/cluster-version-operator:test" >&2
	exit 2
fi
arguments=(--build-arg "VERSION=${2:?the version of the binaries}" --build-arg "COMMIT=${3:?their commit}" --tag "${image}")
for argument in BUILDER BASE CGO_ENABLED GOEXPERIMENT GOFIPS140; do
	[[ -z ${!argument:-} ]] || arguments+=(--build-arg "${argument}=${!argument}")
done
for tool in podman docker buildah; do
	if command -v "${tool}" >/dev/null; then
		exec "${tool}" build "${arguments[@]}" .
	fi
done
echo "ERROR: none of podman, docker and buildah is on the PATH" >&2
exit 1
