package simulator

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// Update is the script of a played update. The zero value of every field but Start has a meaning of its own. Durations are those of
// the played cluster: they are scaled.
type Update struct {
	// Seed decides everything random: the same script plays the same update.
	Seed uint64
	// From and To are the versions; by default one patch release apart.
	From, To string
	// Start is when the administrator requests the update, after the time with heartbeats only.
	Start time.Time
	// Quiet is how long nothing but heartbeats happens before the update.
	Quiet time.Duration
	// Scale is how long a second of the update takes, in seconds: 1 by default, less to play faster.
	Scale float64
	// Pools are the pools of the cluster; by default three master, four worker and two infra nodes. One of them is
	// master.
	Pools []Pool
	// Degraded are nodes that fail to update, with the reason that the Machine Config Daemon gives; those of Preflight fail before
	// their drain, so that they stay schedulable. Unreconcilable are nodes whose daemon refuses the configuration.
	Degraded       map[string]string
	Preflight      map[string]bool
	Unreconcilable map[string]string
	// RebootFails are nodes whose reboot command fails.
	RebootFails map[string]bool
	// Blocked are nodes whose drain does not end, until it is unblocked.
	Blocked map[string]bool
	// Idle are nodes whose daemon does not begin. Hanging are nodes whose image pull does not end. Cordoned are those that an administrator has cordoned, and Unready those that have
	// not been ready, from before the update on.
	Idle, Hanging, Cordoned, Unready map[string]bool
	// RenderFails are pools whose configuration can't be rendered, with the error. NoController is whether the machine-config-controller
	// does not run.
	RenderFails  map[string]string
	NoController bool
	// Lost are nodes that do not come back from their reboot, until they are repaired.
	Lost map[string]bool
	// HeartbeatEvery is how often each kubelet reports that nothing has changed; never by default.
	HeartbeatEvery time.Duration
	// Operators are the operators of the payload, which needs network and machine-config; by default those of a real one.
	Operators []string
	// OperatorScale scales the durations of the operators: 1 by default.
	OperatorScale float64
	// SlowOperators are operators that take longer, by a duration. FailingOperators reach the new version and stay degraded, with a
	// message, until they are repaired.
	SlowOperators    map[string]time.Duration
	FailingOperators map[string]string
	// UnavailableOperators do not become available again after their update.
	UnavailableOperators map[string]string
	// Revisions are how many revisions operators of static pods roll out, one after the other: they are degraded for some minutes in each.
	Revisions map[string]int
	// Forced is whether the requests are forced, of releases whose signature can't be verified. MultiArch is whether the release of the update is
	// one for several architectures, also of the version that runs.
	Forced, MultiArch bool
	// Acceptance is how long the Cluster Version Operator retrieves and verifies a release, in which it writes nothing; some minutes
	// by default. Refused is why it does not accept the release of the update, and for how many tries.
	Acceptance time.Duration
	Refused    Refusal
	// Unanswered is whether the Cluster Version Operator does nothing about the request, and NoResponse whether it does not run at all.
	Unanswered, NoResponse bool
	// Failure is a manifest of the release that can't be applied, or a Deployment that does not roll out: until it is admitted.
	Failure Failure
	// Killed is how long after it has accepted the release the Cluster Version Operator is killed, and StatusRefused how long after that the API
	// server refuses what it writes of its status; 0 for never.
	Killed, StatusRefused time.Duration
	// NodeTimes draws how long a node takes to drain, to update and to reboot; some minutes each by default. A node with a reboot of 0
	// needs none.
	NodeTimes func(random *rand.Rand) (drain, update, reboot time.Duration)
	// NoMachineConfigNodes leaves MachineConfigNodes out, which releases from 4.19 on have.
	NoMachineConfigNodes bool
	// AtLeast is how long is played at least, from Start: what happens by the clock alone (retries, timeouts) does not keep an update
	// going that is stuck.
	AtLeast time.Duration
	// Dress is called with each object before it is created, to give it what a real one has besides what the update is
	// about: labels, payloads, lists of images. It is called for each object that the cluster starts with, and for those that are
	// created during the update.
	Dress func(Object)
}

// Refusal is why a release is not accepted: reason and message of ReleaseAccepted.
type Refusal struct {
	Reason  string
	Message builders.Text
	// Tries is how often it is refused before it is accepted; 0 is for ever.
	Tries int
}

// Disruption is what a configuration does to a node: a node disruption policy.
type Disruption string

const (
	// Reboot drains and reboots; it is the default.
	Reboot Disruption = ""
	// NoDisruption changes files only: no drain, no reboot.
	NoDisruption Disruption = "None"
	// Reload reloads a service: no drain, no reboot.
	Reload Disruption = "Reload"
)

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
	// Zones is in how many zones the nodes are, in turn; 3 by default, none if it is negative.
	Zones int
	// Disruption is what the update does to the nodes.
	Disruption Disruption
	// ImageBuild is how long the image of the pool is built, in image mode; 0 without. BuildFails is whether the build fails.
	ImageBuild time.Duration
	BuildFails bool
}

const (
	masterPool  = "master"
	arbiterPool = "arbiter"
	workerPool  = "worker"
	infraPool   = "infra"

	defaultZones = 3
	defaultFrom  = "4.20.1"
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
		if u.Pools[at].Zones == 0 {
			u.Pools[at].Zones = defaultZones
		}
	}
	// The script is changed on the way.
	u.Degraded = maps.Clone(u.Degraded)
	u.Unreconcilable = maps.Clone(u.Unreconcilable)
	u.Blocked = maps.Clone(u.Blocked)
	u.Lost = maps.Clone(u.Lost)
	u.FailingOperators = maps.Clone(u.FailingOperators)
	return u
}
