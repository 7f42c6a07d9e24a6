package source

import (
	"context"
	"fmt"
	"maps"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/klog/v2"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
)

// ControlPlane is what the control plane is assessed from.
type ControlPlane struct {
	Caches Caches
	// Pods requests to read the pods of operators that fail, and returns what was last read of them, and when to call it again.
	Pods               func([]podstate.Wanted, time.Time) (map[string]*assess.Pods, time.Time)
	PreviouslyObserved PreviouslyObserved
	// ReadLease reads the Lease of the Cluster Version Operator, nil if it can't be read.
	ReadLease func(context.Context) (*coordinationv1.Lease, error)

	// observed is what was observed of the ClusterVersion at the assessment before, nil before the first one.
	observed *standalone.VersionObserved
	// lease is what was read last, at leaseAt.
	lease   *coordinationv1.Lease
	leaseAt time.Time
	// pods is what was last read, or else was in the object before.
	pods map[string]*assess.Pods
}

// leaseInterval is how often the Lease is read.
const leaseInterval = time.Minute

// Assess is an Assess.
func (c *ControlPlane) Assess(ctx context.Context, now time.Time) (insight.Message, time.Time, error) {
	if c.observed == nil {
		before, err := c.PreviouslyObserved(ctx)
		if err != nil {
			return insight.Message{}, time.Time{}, fmt.Errorf("reading which update was requested: %w", err)
		}
		observed := standalone.NewVersionObserved(before)
		c.observed, c.pods = &observed, before.Pods
	}
	version := get[*configv1.ClusterVersion](c.Caches, kinds.ClusterVersions, standalone.ClusterVersionName)
	readAgain := c.renewLease(ctx, version, now)
	in := standalone.ClusterVersionInput{
		ClusterVersion:        version,
		Lease:                 c.lease,
		ClusterOperators:      list[*configv1.ClusterOperator](c.Caches, kinds.ClusterOperators),
		MachineConfigOperator: get[*appsv1.Deployment](c.Caches, kinds.MachineConfigOperator, kinds.MachineConfigOperator.Namespace+"/"+kinds.MachineConfigOperator.Name),
		Observed:              *c.observed,
		Pods:                  c.pods,
	}
	message, observed, next := standalone.ControlPlane(in, now)
	wanted := standalone.PodsWanted(message, in.ClusterOperators, now)
	podsAgain, isChanged := c.readPods(wanted, now)
	if isChanged {
		in.Pods = c.pods
		message, observed, next = standalone.ControlPlane(in, now)
	}
	c.observed = &observed
	return message, assess.Earliest(assess.Earliest(next, readAgain), podsAgain), nil
}

// renewLease reads the Lease of the Cluster Version Operator once a minute, as long as that has something to do, and returns when to read it again.
// Without the permission to read it, or without the Lease, nothing is known of it.
func (c *ControlPlane) renewLease(ctx context.Context, version *configv1.ClusterVersion, now time.Time) time.Time {
	if c.ReadLease == nil || !standalone.HasWork(version) {
		c.lease, c.leaseAt = nil, time.Time{}
		return time.Time{}
	}
	if now.Sub(c.leaseAt) >= leaseInterval {
		lease, err := c.ReadLease(ctx)
		if err != nil {
			klog.FromContext(ctx).V(2).Info("Whether the Cluster Version Operator runs is not known, as its Lease can't be read", "err", err)
			lease = nil
		}
		c.lease, c.leaseAt = lease, now
	}
	return c.leaseAt.Add(leaseInterval)
}

// readPods returns when to read pods again, and whether what is known of them differs from before. What was in the object before stays until
// the first read.
func (c *ControlPlane) readPods(wanted []podstate.Wanted, now time.Time) (again time.Time, isChanged bool) {
	pods, again := c.Pods(wanted, now)
	if pods == nil && len(wanted) > 0 || maps.Equal(pods, c.pods) {
		return again, false
	}
	c.pods = pods
	return again, true
}
