package standalone

import (
	"cmp"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/podstate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/reference"
)

// LeaseName is the name of the Lease that the leading process of the Cluster Version Operator renews in podstate.VersionNamespace
// (openshift/cluster-version-operator, pkg/start/start.go).
const LeaseName = "version"

// The Cluster Version Operator renews its Lease every 26 seconds, and gives it up after 107; in a cluster with a single node every 60 and 240
// (openshift/library-go, pkg/config/leaderelection/leaderelection.go, LeaderElectionDefaulting and LeaderElectionSNOConfig). A pod that replaces
// another may take six minutes until it leads.
var (
	silentThresholds     = assess.Thresholds{Warning: 7 * time.Minute, Failure: 15 * time.Minute}
	silentAloneThreshold = assess.Thresholds{Warning: 10 * time.Minute, Failure: 25 * time.Minute}
)

// aloneLease is the shortest duration of a Lease in a cluster with a single node: 270 seconds, while it is 137 in others.
const aloneLease = 200 * time.Second

// silentCheck is that of a Cluster Version Operator that has stopped.
var silentCheck = assess.Check[checkedVersion]{Find: silent, HealthCheck: assess.HealthCheck{
	Name: "cluster-version-operator-silent", Then: assess.ThenVersionOperator,
	Texts: assess.Texts{assess.NoCase: {
		Sentence: "The Cluster Version Operator does not run: it has stopped renewing its Lease",
		Description: "Nobody applies the release. While it runs, it renews the Lease openshift-cluster-version/version every 26 seconds (60 in a " +
			"cluster with a single node). {holder} was the last to do so.",
	}},
	Impact: updatev1alpha1.ImpactUpdateStalled, Causality: assess.NeitherCauseNorEffect,
	Appears: "the Lease of the Cluster Version Operator was not renewed for more than 7 minutes (single node: 10) during an update or a request; " +
		"Error from 15 minutes on (single node: 25)",
	Response:  "Check its pod: why does it not run, or not reach the API server?",
	NextSteps: assess.ReadOnly("oc get pods -n openshift-cluster-version -o wide", "oc logs -n openshift-cluster-version deployment/cluster-version-operator"),
}}

// silent returns that the Cluster Version Operator has stopped during an update or a request. Its silence counts from the start of this process:
// both may have been down with the API server.
func silent(version checkedVersion) *assess.Finding {
	lease := version.lease.Lease
	isNeeded := version.isProgressing() || version.request.RequestedUpdate != nil
	if !isNeeded || lease == nil || lease.Spec.RenewTime == nil {
		return nil
	}
	renewed := lease.Spec.RenewTime.Time
	found := &assess.Finding{
		Since: renewed, CountedSince: assess.Later(version.observed.startedAt, renewed.Add(version.lease.age)), Thresholds: &silentThresholds,
		Words: assess.Words{"holder": "A process that it does not name"}, Reference: reference.Updating,
		Pods:     version.pods[podstate.VersionOperator],
		Affected: []updatev1alpha1.ResourceRef{{Group: coordinationv1.GroupName, Resource: "leases", Namespace: podstate.VersionNamespace, Name: LeaseName}},
	}
	if holder := lease.Spec.HolderIdentity; holder != nil {
		found.Words["holder"] = cmp.Or(*holder, found.Words["holder"])
	}
	if version.lease.isAlone() {
		found.Thresholds = &silentAloneThreshold
	}
	return found
}

// leaseRead is the Lease of the Cluster Version Operator, nil if it is unknown, and how long ago it was read at most.
type leaseRead struct {
	*coordinationv1.Lease

	age time.Duration
}

// isAlone returns whether the Lease is that of a cluster with a single node.
func (l leaseRead) isAlone() bool {
	return l.Lease != nil && l.Spec.LeaseDurationSeconds != nil && time.Duration(*l.Spec.LeaseDurationSeconds)*time.Second >= aloneLease
}

func (in ClusterVersionInput) leaseRead(now time.Time) leaseRead {
	read := leaseRead{Lease: in.Lease}
	if at := in.LeaseReadAt; !at.IsZero() && at.Before(now) {
		read.age = now.Sub(at)
	}
	return read
}
