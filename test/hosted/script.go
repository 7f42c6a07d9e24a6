package hosted

import "time"

// How the nodes of a pool are updated.
const (
	Replace = "Replace"
	InPlace = "InPlace"
)

// The hosted cluster, and the versions of its update.
const (
	Namespace   = "clusters"
	Name        = "demo"
	DefaultFrom = "4.22.3"
	DefaultTo   = "4.22.4"
)

// ControlPlaneNamespace is the namespace of its components and machines.
const ControlPlaneNamespace = Namespace + "-" + Name

// Pool is a node pool.
type Pool struct {
	Name string
	// UpgradeType is Replace or InPlace.
	UpgradeType string
	Nodes       int
	// Version is the one before the update, empty for that of the hosted cluster. A pool with another one is not updated.
	Version string
	// Paused is whether the pool is paused before its update starts. It stays so.
	Paused bool
	// Failing is whether the second node of the pool fails to be updated in place, which stops the pool.
	Failing bool
	// Stuck is the stage that the first Machine that is replaced does not leave, which stops the pool; empty if there is none.
	Stuck Stage
}

// Stage is a stage of the deletion of a Machine: the reason of its condition Deleting.
type Stage string

const (
	// Draining is the drain of its node, of which a PodDisruptionBudget protects a pod.
	Draining Stage = "DrainingNode"
	// Detaching is the wait for volumes to be detached from its node.
	Detaching Stage = "WaitingForVolumeDetach"
)

// Script is an update.
type Script struct {
	// Start is when it is requested.
	Start time.Time
	// Length is how long it takes, zero for as long as a real one.
	Length time.Duration
	Pools  []Pool
	// BringsHistory is whether the release before the update wrote no history of the components.
	BringsHistory bool
	// Paused is whether the HostedCluster is paused when its components are updated: its payload goes on. It stays so.
	Paused bool
}

// DefaultPools are a pool of each kind.
func DefaultPools() []Pool {
	return []Pool{{Name: "surge", UpgradeType: Replace, Nodes: 3}, {Name: "metal", UpgradeType: InPlace, Nodes: 3}}
}
