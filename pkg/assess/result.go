package assess

import (
	"time"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Result is what an assessment returns.
type Result struct {
	// Report is all insights about the subject, as of now.
	Report insight.Report
	// NextCheck is when the result changes without an event, zero if it does not.
	NextCheck time.Time
	// LongDrain is whether the subject is a node whose drain takes long and has to be explained, with DrainInput.Blockers.
	LongDrain bool
	// DrainObserved and DrainFailedWith are when the node's drain was first observed, and what its last attempt failed with, for the
	// next assessment (DrainInput). They are zero if the node is not being drained.
	DrainObserved   time.Time
	DrainFailedWith string
}

// The subjects of reports, by kind.
const (
	kindClusterVersion    = "ClusterVersion"
	kindClusterOperator   = "ClusterOperator"
	kindMachineConfigPool = "MachineConfigPool"
	kindNode              = "Node"
	kindHostedCluster     = "HostedCluster"
	kindComponent         = "ControlPlaneComponent"
	kindNodePool          = "NodePool"
	kindMachine           = "Machine"
	kindAlert             = "Alert"
	// kindDrainAhead are the drains that are ahead in a pool.
	kindDrainAhead = "DrainAhead"
)

// ClusterVersionSubject is the subject of reports about the control plane as a whole.
func ClusterVersionSubject() insight.Subject {
	return insight.Subject{Kind: kindClusterVersion, Name: ClusterVersionName}
}

// ClusterVersionName is the name of the one ClusterVersion of a cluster.
const ClusterVersionName = "version"

// ClusterOperatorSubject is the subject of reports about a cluster operator.
func ClusterOperatorSubject(name string) insight.Subject {
	return insight.Subject{Kind: kindClusterOperator, Name: name}
}

// MachineConfigPoolSubject is the subject of reports about a pool.
func MachineConfigPoolSubject(name string) insight.Subject {
	return insight.Subject{Kind: kindMachineConfigPool, Name: name}
}

// HostedClusterSubject is the subject of reports about the control plane of a hosted cluster as a whole.
func HostedClusterSubject(name string) insight.Subject {
	return insight.Subject{Kind: kindHostedCluster, Name: name}
}

// ComponentSubject is the subject of reports about a component of the control plane of a hosted cluster.
func ComponentSubject(name string) insight.Subject {
	return insight.Subject{Kind: kindComponent, Name: name}
}

// NodePoolSubject is the subject of reports about a node pool.
func NodePoolSubject(name string) insight.Subject {
	return insight.Subject{Kind: kindNodePool, Name: name}
}

// MachineSubject is the subject of reports about a Machine and its node.
func MachineSubject(name string) insight.Subject {
	return insight.Subject{Kind: kindMachine, Name: name}
}

// NodeSubject is the subject of reports about a node.
func NodeSubject(name string) insight.Subject {
	return insight.Subject{Kind: kindNode, Name: name}
}
