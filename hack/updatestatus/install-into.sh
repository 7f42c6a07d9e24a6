#!/usr/bin/env bash
# Copies what belongs there into a checkout of the repository of the Cluster Version Operator: install-into.sh DIR. Packages, documents,
# tests and tools have folders of their own; the files of the subcommand go into the folder of the command, and the manifests into
# install/, but for those of hosted clusters, which are in no payload.
# Prints the line that its main.go needs.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

target=${1:-}
if [[ -z ${target} || ! -f ${target}/cmd/cluster-version-operator/main.go ]]; then
	echo "usage: install-into.sh DIR, with a checkout of the repository of the Cluster Version Operator" >&2
	exit 2
fi
mkdir -p "${target}/install"
cp cmd/cluster-version-operator/updatestatus*.go "${target}/cmd/cluster-version-operator/"
cp "${MANIFESTS}"/*_update-status-controller_*.yaml "${target}/install/"
for folder in docs/updatestatus hack/updatestatus pkg/apis pkg/generated pkg/updatestatus test/updatestatus "${HOSTED_MANIFESTS}"; do
	mkdir -p "${target}/${folder}"
	cp -R "${folder}/." "${target}/${folder}/"
done

echo 'rootCmd.AddCommand(newUpdateStatusControllerCommand())'
echo "Add this line to a function init() of cmd/cluster-version-operator, then run: go mod tidy && go mod vendor" >&2
