#!/usr/bin/env bash
# Applies manifests/ to the cluster of one's kubeconfig, in the order in which the Cluster Version Operator does, or deletes
# them in the reverse one: deploy.sh apply|delete [FLAG...], the flags being those of oc. IMAGE is the image to run; OC is
# oc, kubectl or another client.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

verb=${1:-}
files=(manifests/*.yaml)
placeholder=$(sed -n 's/^ *name: \(placeholder\..*\)$/\1/p' manifests/image-references)
find_client

case ${verb} in
apply)
	if [[ -z ${IMAGE:-} ]]; then
		echo "ERROR: IMAGE= is missing: the image with the controller, as made by make image and pushed to a registry" >&2
		exit 2
	fi
	for file in "${files[@]}"; do
		content=$(<"${file}")
		"${CLIENT}" apply --filename=- "${@:2}" <<<"${content//"${placeholder}"/${IMAGE}}"
	done
	;;
delete)
	# The namespace is the first that is applied, hence the last that goes.
	for ((at = ${#files[@]} - 1; at >= 0; at--)); do
		"${CLIENT}" delete --ignore-not-found --filename="${files[at]}" "${@:2}"
	done
	;;
*)
	echo "usage: deploy.sh apply|delete [FLAG...]" >&2
	exit 2
	;;
esac
