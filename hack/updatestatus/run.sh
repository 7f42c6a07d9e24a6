#!/usr/bin/env bash
# Runs the controller on this machine, against the cluster of your kubeconfig (KUBECONFIG, one file) and with its permissions.
# Creates the namespace, for the events, and the CRDs in the cluster. The controller reads no alerts, since the Thanos querier
# is reachable only from within the cluster. Arguments are flags of the controller.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

find_client
for file in "${MANIFESTS}"/*_update-status-controller_*{_namespace,.crd}-*.yaml; do
	"${CLIENT}" apply --filename="${file}"
done
exec bin/cluster-version-operator update-status-controller --kubeconfig "${KUBECONFIG:-${HOME}/.kube/config}" \
	--disable-leader-election --listen 127.0.0.1:8443 --alerts-url= --v=2 "$@"
