#!/usr/bin/env bash
# Collects from the cluster of one's kubeconfig what it takes to understand what its UpdateStatus says: gather.sh DIR. OC is
# oc, kubectl or another client. Of MachineConfigs only their names and releases are collected, of Secrets nothing. What could
# not be collected is in DIR/errors.log; docs/support.md says how to read the rest.
from=${PWD}
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

directory=${1:?the folder to collect into}
[[ ${directory} == /* ]] || directory=${from}/${directory}
namespace=openshift-update-status-controller
find_client
mkdir -p "${directory}/cluster"
date -u +%Y-%m-%dT%H:%M:%SZ >"${directory}/collected-at"
: >"${directory}/errors.log"

# collect FILE ARGUMENT... asks the cluster, and keeps the answer unless it is empty.
collect() {
	local file=${directory}/$1
	shift
	if ! "${CLIENT}" "$@" >"${file}" 2>>"${directory}/errors.log" || [[ ! -s ${file} ]]; then
		rm -f "${file}"
	fi
}

# The object, and what it is made of: apart, so that the rest can be assessed without it.
collect updatestatuses.yaml get updatestatuses.update.openshift.io --output=yaml --show-managed-fields
collect cluster/clusterversions.yaml get clusterversions.config.openshift.io --output=yaml
collect cluster/clusteroperators.yaml get clusteroperators.config.openshift.io --output=yaml
collect cluster/machineconfigpools.yaml get machineconfigpools.machineconfiguration.openshift.io --output=yaml
# All of the metadata would be too much: after an oc apply the whole MachineConfig is in an annotation.
collect cluster/machineconfigs.yaml get machineconfigs.machineconfiguration.openshift.io --output=jsonpath='{range .items[*]}---{"\n"}apiVersion: machineconfiguration.openshift.io/v1{"\n"}kind: MachineConfig{"\n"}metadata:{"\n"}  name: {.metadata.name}{"\n"}  annotations:{"\n"}    machineconfiguration.openshift.io/release-image-version: "{.metadata.annotations.machineconfiguration\.openshift\.io/release-image-version}"{"\n"}{end}'
collect cluster/nodes.yaml get nodes --output=yaml
collect cluster/machine-config-operator.yaml get deployment machine-config-operator --namespace=openshift-machine-config-operator --output=yaml

# The controller.
collect controller.yaml get deployments,replicasets,pods,services,configmaps,networkpolicies --namespace="${namespace}" --output=yaml
collect leases.yaml get leases --namespace="${namespace}" --output=yaml
collect events.yaml get events --namespace="${namespace}" --output=yaml
for pod in $("${CLIENT}" get pods --namespace="${namespace}" --output=name 2>>"${directory}/errors.log"); do
	collect "${pod#pod/}.log" logs --namespace="${namespace}" "${pod}"
	collect "${pod#pod/}.previous.log" logs --namespace="${namespace}" --previous "${pod}"
done

if ! compgen -G "${directory}/cluster/*" >/dev/null; then
	echo "ERROR: nothing could be collected: see ${directory}/errors.log" >&2
	exit 1
fi
