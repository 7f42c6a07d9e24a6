#!/usr/bin/env bash
# Renders manifests/ and applies them to the cluster of your kubeconfig, in the order of the Cluster Version Operator, or deletes
# them in the reverse order: deploy.sh apply|delete [FLAG...], with flags of oc. IMAGE is the image to run; OC is oc, kubectl or
# another client.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verb=${1:-}
if [[ ${verb} == apply && -z ${IMAGE:-} ]]; then
	echo "ERROR: IMAGE=NAME is missing, the image of the controller, built by make image and pushed to a registry:" \
		"make deploy IMAGE=quay.io/me/cluster-version-operator:test" >&2
	exit 2
fi
find_client
temporary_directory
go run ./hack/updatestatus/render-manifests "${IMAGE:-none}" "${TEMPORARY}" "${MANIFESTS}"/*_update-status-controller_*.yaml
files=("${TEMPORARY}"/*.yaml)

case ${verb} in
apply)
	for file in "${files[@]}"; do
		"${CLIENT}" apply --filename="${file}" "${@:2}"
	done
	;;
delete)
	# The namespace is applied first and deleted last.
	for ((i = ${#files[@]} - 1; i >= 0; i--)); do
		"${CLIENT}" delete --ignore-not-found --filename="${files[i]}" "${@:2}"
	done
	;;
*)
	echo "usage: deploy.sh apply|delete [FLAG...]" >&2
	exit 2
	;;
esac
