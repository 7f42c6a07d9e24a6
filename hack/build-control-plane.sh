#!/usr/bin/env bash
# Builds the control plane that tests, demo and benchmark run on (etcd and kube-apiserver, and kubectl to look at it)
# into bin/control-plane, from the module test/controlplane/binaries. Does nothing while that module has not changed.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

sources=test/controlplane/binaries
target="${ROOT}/bin/control-plane"
binaries=(etcd kubectl kube-apiserver)

# built_from names what the binaries are made of: the module, its mains, and the flags below.
built_from() {
	cat "${sources}"/go.mod "${sources}"/go.sum "${sources}"/*/main.go hack/build-control-plane.sh | git hash-object --stdin
}

is_built() {
	local binary
	for binary in "${binaries[@]}"; do
		[ -x "${target}/${binary}" ] || return 1
	done
	[ -e "${target}/.built-from" ] && [ "$(<"${target}/.built-from")" = "$(built_from)" ]
}

if is_built; then
	exit 0
fi

cd "${sources}"
# Without its version a server does not know which of its features are on, and kubectl can't read the server's version.
version=$(go list -mod=readonly -m -f '{{.Version}}' k8s.io/kubernetes)
IFS=. read -r major minor _ <<<"${version#v}"
package=k8s.io/component-base/version
flags="-s -w -X ${package}.gitVersion=${version} -X ${package}.gitMajor=${major} -X ${package}.gitMinor=${minor}"

echo "Building etcd, kubectl and kube-apiserver ${version} into bin/control-plane: several minutes the first time, once" >&2
mkdir -p "${target}"
rm -f "${target}/.built-from"
for binary in "${binaries[@]}"; do
	echo "  ${binary}" >&2
	CGO_ENABLED=0 go build -mod=readonly -ldflags "${flags}" -o "${target}/${binary}" "./${binary}"
done
cd "${ROOT}"
built_from >"${target}/.built-from"
