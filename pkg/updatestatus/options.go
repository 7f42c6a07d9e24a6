package updatestatus

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Options say how to run the controller.
type Options struct {
	// AlertsURL is where the alerts that fire are asked for, with the controller's own token; empty if nowhere.
	AlertsURL string
	// AlertsCAFile holds the authority of its certificate.
	AlertsCAFile string
	// AlertsEvery is how often they are asked for while the cluster is updated, zero for the usual.
	AlertsEvery time.Duration
	// HostedCluster is the namespace and the name of the HostedCluster that is kept instead of the cluster, empty for the cluster.
	// The controller then runs in the namespace of its control plane.
	HostedCluster types.NamespacedName
	// HostedKubeconfig is the kubeconfig file of the hosted cluster, empty if only the management cluster is read.
	HostedKubeconfig string
}

// IsHosted returns whether the controller runs for a hosted cluster.
func (o Options) IsHosted() bool {
	return o.HostedCluster != types.NamespacedName{}
}
