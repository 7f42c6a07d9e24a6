package simulator

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

// Update is the script of a played update. The zero value of every field but Start has a meaning of its own.
type Update struct {
	// Seed decides everything random: the same script plays the same update.
	Seed uint64
	// From and To are the versions; by default one patch release apart.
	From, To string
	// Start is when the administrator requests the update, after the time with heartbeats only.
	Start time.Time
	// Quiet is how long nothing but heartbeats happens before the update, scaled like everything else.
	Quiet time.Duration
	// Scale is how long a second of the update takes, in seconds: 1 by default, less to play faster.
	Scale float64
	// Pools are the pools of the cluster; by default three master, four worker and two infra nodes. One of them is
	// master.
	Pools []Pool
	// Degraded are nodes that fail to update, with the reason that the Machine Config Daemon gives.
	Degraded map[string]string
	// Blocked are nodes whose drain does not end, until it is unblocked.
	Blocked map[string]bool
	// HeartbeatEvery is how often each kubelet reports that nothing has changed; never by default.
	HeartbeatEvery time.Duration
	// Operators is how many operators the payload has at least; by default, and never less than, those of a real one.
	Operators int
	// OperatorScale scales the durations of the operators: 1 by default.
	OperatorScale float64
	// NodeTimes draws how long a node takes to drain, to update and to reboot; some minutes each by default.
	NodeTimes func(random *rand.Rand) (drain, update, reboot time.Duration)
	// Dress is called with each object before it is created, to give it what a real one has besides what the update is
	// about: labels, payloads, lists of images. It is called for each object that the cluster starts with, and for the
	// MachineConfigs of the update.
	Dress func(Object)
}

// Pool is a pool of nodes in the script of an update. Its nodes are named by NodeName.
type Pool struct {
	// Name is the name of the pool, and the role of its nodes.
	Name string
	// Nodes is their number.
	Nodes int
	// MaxUnavailable is how many of them are updated at a time; 1 by default.
	MaxUnavailable int
	// Paused is whether the pool is paused from the start.
	Paused bool
}

const (
	masterPool = "master"
	workerPool = "worker"
	infraPool  = "infra"

	defaultFrom = "4.20.1"
	// DefaultTo is the version of an update that names none.
	DefaultTo = "4.20.2"
	// installedVersion is what the cluster was installed with, long before.
	installedVersion = "4.19.12"
)

// DefaultPools are the pools of an update that names none.
func DefaultPools() []Pool {
	return []Pool{{Name: masterPool, Nodes: 3}, {Name: workerPool, Nodes: 4}, {Name: infraPool, Nodes: 2}}
}

func (u Update) withDefaults() Update {
	if u.From == "" {
		u.From = defaultFrom
	}
	if u.To == "" {
		u.To = DefaultTo
	}
	if u.Scale == 0 {
		u.Scale = 1
	}
	if u.OperatorScale == 0 {
		u.OperatorScale = 1
	}
	if u.Dress == nil {
		u.Dress = func(Object) {}
	}
	if len(u.Pools) == 0 {
		u.Pools = DefaultPools()
	}
	u.Pools = slices.Clone(u.Pools)
	for at := range u.Pools {
		u.Pools[at].MaxUnavailable = max(u.Pools[at].MaxUnavailable, 1)
	}
	u.Degraded = maps.Clone(u.Degraded)
	u.Blocked = maps.Clone(u.Blocked)
	return u
}

// Lasting returns the script with the scale at which the update takes a time from its first to its last write.
func (u Update) Lasting(wanted time.Duration) Update {
	u.Scale = 1
	simulation := NewSimulation(u)
	last := u.Start
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		last = write.Time
	}
	u.Scale = wanted.Seconds() / last.Sub(u.Start).Seconds()
	return u
}
