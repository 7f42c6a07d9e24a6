#!/usr/bin/env bash
# Builds the control plane for tests, demo and benchmark (etcd, kube-apiserver and kubectl) into bin/control-plane, from the
# module test/updatestatus/controlplane/binaries. Does nothing if that module has not changed since.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

sources=test/updatestatus/controlplane/binaries
target="${ROOT}/bin/control-plane"
binaries=(etcd kubectl kube-apiserver)

# source_hash prints a hash of the module, its main packages, and the flags below.
source_hash() {
	cat "${sources}"/go.mod "${sources}"/go.sum "${sources}"/*/main.go hack/updatestatus/build-control-plane.sh | git hash-object --stdin
}

is_built() {
	local binary
	for binary in "${binaries[@]}"; do
		[ -x "${target}/${binary}" ] || return 1
	done
	[ -e "${target}/.built-from" ] && [ "$(<"${target}/.built-from")" = "$(source_hash)" ]
}

if is_built; then
	exit 0
fi

cd "${sources}"
# The version of a server selects its feature gates, and kubectl parses it.
version=$(go list -mod=readonly -m -f '{{.Version}}' k8s.io/kubernetes)
IFS=. read -r major minor _ <<<"${version#v}"
package=k8s.io/component-base/version
flags="-s -w -X ${package}.gitVersion=${version} -X ${package}.gitMajor=${major} -X ${package}.gitMinor=${minor}"

echo "Building etcd, kubectl and kube-apiserver ${version} into bin/control-plane, which takes several minutes the first time" >&2
mkdir -p "${target}"
rm -f "${target}/.built-from"
for binary in "${binaries[@]}"; do
	echo "  ${binary}" >&2
	CGO_ENABLED=0 go build -mod=readonly -ldflags "${flags}" -o "${target}/${binary}" "./${binary}"
done
cd "${ROOT}"
source_hash >"${target}/.built-from"
