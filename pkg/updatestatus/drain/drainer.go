package drain

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// Drainer is what drains a node.
type Drainer int

const (
	// MachineConfigOperator drains the nodes of a cluster that is not hosted.
	MachineConfigOperator Drainer = iota
	// ClusterAPI drains a node of a hosted cluster that is replaced.
	ClusterAPI
	// HostedClusterConfigOperator drains a node of a hosted cluster that is updated in place.
	HostedClusterConfigOperator
)

// What the drains of hosted clusters leave on a node, besides what WaitsFor leaves: the Cluster API pods with a label
// (kubernetes-sigs/cluster-api, internal/controllers/machine/drain/filters.go, drainLabelFilter), the other one the pod that updates the
// node (openshift/hypershift, control-plane-operator/hostedclusterconfigoperator/controllers/drainer/drainer.go).
const (
	skipLabel, skip = "cluster.x-k8s.io/drain", "skip"
	UpgradePod      = "machine-config-daemon-"
)

// drainerText describes a drainer: the component that it is, the words before what it reports, and the advice for a drain whose cause is
// unknown, with a page about it.
type drainerText struct {
	component, reports, advice, reference string
}

var textOfDrainer = map[Drainer]drainerText{
	MachineConfigOperator: {component: updatev1alpha1.ComponentMachineConfigOperator, reports: "The Machine Config Operator reports", advice: checkLogs, reference: reference.DrainFailing},
	ClusterAPI: {
		component: updatev1alpha1.ComponentClusterAPI,
		reports:   "The Machine reports",
		advice: "A drain waits for every pod that a PodDisruptionBudget protects; without a nodeDrainTimeout in the NodePool, it waits " +
			"indefinitely. Check the logs of the Deployment cluster-api in the namespace of the control plane, in the management cluster.",
		reference: reference.StuckEvictions,
	},
	HostedClusterConfigOperator: {
		advice: "A drain waits for every pod that a PodDisruptionBudget protects, and is retried until it succeeds. Check the logs " +
			"of the Deployment hosted-cluster-config-operator in the namespace of the control plane, in the management cluster.",
		reference: reference.StuckEvictions,
	},
}

func (d Drainer) isOfHosted() bool {
	return d != MachineConfigOperator
}

// waitsFor returns whether the drain waits until a pod is gone. In a hosted cluster it does not wait for a deleted pod of an unreachable
// node.
func (in Input) waitsFor(pod *corev1.Pod) bool {
	switch {
	case !WaitsFor(pod):
		return false
	case in.Drainer.isOfHosted() && in.Unreachable && pod.DeletionTimestamp != nil:
		return false
	case in.Drainer == ClusterAPI:
		return !strings.EqualFold(pod.Labels[skipLabel], skip)
	case in.Drainer == HostedClusterConfigOperator:
		return pod.Name != UpgradePod+in.Node
	default:
		return true
	}
}
