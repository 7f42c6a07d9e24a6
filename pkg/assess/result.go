package assess

import (
	"time"

	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Result is what an assessment returns.
type Result struct {
	// Report is all there is to say about the subject, as of now.
	Report insight.Report
	// NextCheck is the moment at which the answer changes although nothing happens; zero if it does not.
	NextCheck time.Time
	// LongDrain is whether it is about a node that has been draining for so long that its drain is to be explained, with
	// NodeInput.Drain.Blockers.
	LongDrain bool
}

// The subjects of reports, by kind.
const (
	kindClusterVersion    = "ClusterVersion"
	kindClusterOperator   = "ClusterOperator"
	kindMachineConfigPool = "MachineConfigPool"
	kindNode              = "Node"
	kindAlert             = "Alert"
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

// NodeSubject is the subject of reports about a node.
func NodeSubject(name string) insight.Subject {
	return insight.Subject{Kind: kindNode, Name: name}
}
