package simulator

import "fmt"

// atLeast returns whether a release has what came with a minor version of OpenShift 4, or a later one.
func atLeast(version string, minor int) bool {
	var gotMajor, gotMinor int
	if _, err := fmt.Sscanf(version, "%d.%d", &gotMajor, &gotMinor); err != nil {
		return false
	}
	return gotMajor > 4 || gotMajor == 4 && gotMinor >= minor
}

// The releases of OpenShift 4 since which something is written.
const (
	// sincePostConfigAction: openshift/machine-config-operator, pkg/daemon/update.go.
	sincePostConfigAction = 15
	// sinceMachineConfigNodes: openshift/api, features/features.go; v1 and on by default. A technology preview before.
	sinceMachineConfigNodes = 19
	// sinceSlowOperators: openshift/cluster-version-operator, pkg/cvo/status.go: Failing is Unknown with SlowClusterOperator.
	sinceSlowOperators = 19
	// sinceAvailable: openshift/cluster-network-operator, pkg/controller/statusmanager/pod_status.go: it does not wait for a pod that is updated and not
	// available.
	sinceAvailable = 22
	// sinceImageBuildDegraded: openshift/machine-config-operator, pkg/controller/node/status.go.
	sinceImageBuildDegraded = 20
	// sinceArbiterTurn: openshift/machine-config-operator, pkg/controller/node/node_controller.go.
	sinceArbiterTurn = 23
	// sinceImageRollout is when pools say of an image that nodes are getting it.
	sinceImageRollout = 23
)
