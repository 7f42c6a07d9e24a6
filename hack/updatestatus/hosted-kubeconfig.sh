#!/usr/bin/env bash
# Prints a kubeconfig for the controller of a hosted cluster: hosted-kubeconfig.sh CONTROL_PLANE_NAMESPACE KUBECONFIG, in the management
# cluster of your kubeconfig, with KUBECONFIG of an administrator of the hosted cluster. It permits what
# manifests/hypershift/hosted-cluster.yaml grants, for a year, or less if the API server limits tokens.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

namespace=${1:?the namespace of the hosted control plane} hosted=${2:?a kubeconfig of the hosted cluster}
find_client
temporary_directory
token=$("${CLIENT}" --kubeconfig "${hosted}" create token --namespace openshift-update-status-controller update-status-controller --duration 8760h)
# Its address and authority are those of the network of the management cluster.
"${CLIENT}" get secret --namespace "${namespace}" service-network-admin-kubeconfig --output 'go-template={{.data.kubeconfig | base64decode}}' \
	>"${TEMPORARY}/kubeconfig"
cluster=$("${CLIENT}" --kubeconfig "${TEMPORARY}/kubeconfig" config view --minify --raw --output 'jsonpath={.clusters[0].cluster}')
cat <<EOF
apiVersion: v1
kind: Config
clusters: [{name: hosted, cluster: ${cluster}}]
users: [{name: update-status-controller, user: {token: "${token}"}}]
contexts: [{name: hosted, context: {cluster: hosted, user: update-status-controller}}]
current-context: hosted
EOF
