package hosted

import (
	"cmp"
	"time"

	"k8s.io/apimachinery/pkg/util/version"
)

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
	// From and To are the versions, from 4.18 on; DefaultFrom and DefaultTo by default. Each has what its release and the HyperShift of its
	// time write.
	From, To string
	// ByTag is whether releases are asked for by their tags, and not by their digests.
	ByTag bool
	// Paused is whether the HostedCluster is paused when its components are updated: its payload goes on. It stays so.
	Paused bool
}

// DefaultPools are a pool of each kind.
func DefaultPools() []Pool {
	return []Pool{{Name: "surge", UpgradeType: Replace, Nodes: 3}, {Name: "metal", UpgradeType: InPlace, Nodes: 3}}
}

func (s Script) withDefaults() Script {
	s.From, s.To = cmp.Or(s.From, DefaultFrom), cmp.Or(s.To, DefaultTo)
	return s
}

// The first releases that write something (openshift/hypershift): the components of a control plane, a history of these, and with
// the Cluster API 1.9 how far the deletion of a Machine is. Before, HyperShift's own operator alone reports components.
const (
	hasComponents = "4.20.0"
	hasHistory    = "4.22.0"
	hasDeletion   = "4.19.0"
)

// isSince returns whether a version is not before another one.
func isSince(release, first string) bool {
	return version.MustParseSemantic(release).AtLeast(version.MustParseSemantic(first))
}
