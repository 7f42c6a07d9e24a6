#!/usr/bin/env bash
# Runs the built controller on this machine, against the cluster of one's kubeconfig (KUBECONFIG, one file) and with what
# that may do. The cluster gets the namespace, for the events, and the CRD. Alerts are not asked for, since the querier is
# reached from within the cluster only. Arguments are flags of the controller.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

find_client
for file in manifests/*_00_namespace.yaml manifests/*.crd.yaml; do
	"${CLIENT}" apply --filename="${file}"
done
exec bin/cluster-version-operator update-status-controller --kubeconfig "${KUBECONFIG:-${HOME}/.kube/config}" \
	--disable-leader-election --listen 127.0.0.1:8443 --alerts-url= --v=2 "$@"
