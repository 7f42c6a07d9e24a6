#!/usr/bin/env bash
# Collects what explains the UpdateStatus of a cluster, in the layout of must-gather: gather.sh [FOLDER]. In the image it is
# /usr/bin/gather, which `oc adm must-gather --image=` runs; in a clone of the repository it needs make build, and collects from the
# cluster of your kubeconfig.
set -o errexit -o nounset -o pipefail

binary=$(dirname "${BASH_SOURCE[0]}")/../../bin/cluster-version-operator
exec "${binary}" update-status-controller gather "${1:-/must-gather}"
