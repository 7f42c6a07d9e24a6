#!/usr/bin/env bash
# Collects the UpdateStatus and its summary of the cluster of your kubeconfig and the objects that explain it: gather.sh DIR. OC is oc, kubectl
# or another client. It collects only the names and releases of MachineConfigs, and no Secrets. Errors are in DIR/errors.log;
# docs/support.md explains how to read the files.
working_directory=${PWD}
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

directory=${1:?the directory to collect into}
[[ ${directory} == /* ]] || directory=${working_directory}/${directory}
namespace=openshift-update-status-controller
find_client
mkdir -p "${directory}/cluster"
date -u +%Y-%m-%dT%H:%M:%SZ >"${directory}/collected-at"
: >"${directory}/errors.log"

# collect FILE ARGUMENT... writes the output of the client to a file, unless it is empty.
collect() {
	local file=${directory}/$1
	shift
	if ! "${CLIENT}" "$@" >"${file}" 2>>"${directory}/errors.log" || [[ ! -s ${file} ]]; then
		rm -f "${file}"
	fi
}

# The objects, and in another directory the objects that it is assessed from, so that they can be assessed without it.
collect updatestatuses.yaml get updatestatuses.update.openshift.io --output=yaml --show-managed-fields
collect updatestatussummaries.yaml get updatestatussummaries.update.openshift.io --output=yaml --show-managed-fields
collect cluster/clusterversions.yaml get clusterversions.config.openshift.io --output=yaml
collect cluster/clusteroperators.yaml get clusteroperators.config.openshift.io --output=yaml
collect cluster/machineconfigpools.yaml get machineconfigpools.machineconfiguration.openshift.io --output=yaml
# Without the other metadata: after an oc apply an annotation has the whole MachineConfig.
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
	echo "ERROR: nothing was collected: see ${directory}/errors.log" >&2
	exit 1
fi
