package publish

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

type (
	// Statuses is the store of UpdateStatuses.
	Statuses = Store[updatev1alpha1.UpdateStatus, *updatev1alpha1.UpdateStatus]
	// Summaries is the store of UpdateStatusSummaries.
	Summaries = Store[updatev1alpha1.UpdateStatusSummary, *updatev1alpha1.UpdateStatusSummary]
	// Records is the store of UpdateRecords.
	Records = Store[updatev1alpha1.UpdateRecord, *updatev1alpha1.UpdateRecord]
)

// Built returns what was built last, nil if nothing was.
type Built func() *update.Built

// Platform are the stores of the objects about a cluster.
type Platform struct {
	// Name is the name of its status and of its summary.
	Name string
	// IsHosted is whether it is a hosted cluster, with its objects in a management cluster.
	IsHosted bool

	Statuses  *Statuses
	Summaries *Summaries
	Records   *Records
}

// Standalone returns the stores of the cluster that the controller runs in. The client is one of update.openshift.io.
func Standalone(client rest.Interface) Platform {
	return Platform{
		Name:      updatev1alpha1.SingletonName,
		Statuses:  newStore[updatev1alpha1.UpdateStatus](client, kind{name: "UpdateStatus", resource: "updatestatuses"}, Owner{}),
		Summaries: newStore[updatev1alpha1.UpdateStatusSummary](client, kind{name: "UpdateStatusSummary", resource: "updatestatussummaries"}, Owner{}),
		Records:   newStore[updatev1alpha1.UpdateRecord](client, kind{name: "UpdateRecord", resource: "updaterecords"}, Owner{}),
	}
}

// Hosted returns the stores of a hosted cluster: they are in the namespace of its HostedCluster in the management cluster, which other
// ones may have objects in. The names of records start with that of the HostedCluster there. hostedCluster is the reference to the
// HostedCluster in a status of which nothing is known yet.
func Hosted(client rest.Interface, owner Owner, hostedCluster updatev1alpha1.ResourceRef) Platform {
	status := kind{name: "HostedClusterUpdateStatus", resource: "hostedclusterupdatestatuses"}
	summary := kind{name: "HostedClusterUpdateStatusSummary", resource: "hostedclusterupdatestatussummaries"}
	record := kind{
		name: "HostedClusterUpdateRecord", resource: "hostedclusterupdaterecords", prefix: owner.Name + "-",
		labels: labels.Set{updatev1alpha1.HostedClusterLabel: owner.Name},
	}
	statuses := newStore[updatev1alpha1.UpdateStatus](client, status, owner)
	statuses.decode = func(content []byte) (*updatev1alpha1.UpdateStatus, error) {
		return decodeHosted(content, hostedCluster)
	}
	statuses.encode = func(object *updatev1alpha1.UpdateStatus, _ []byte) ([]byte, error) {
		return encode(status, &updatev1alpha1.HostedClusterUpdateStatus{
			ObjectMeta: object.ObjectMeta, Spec: object.Spec, Status: *insight.ToHosted(&object.Status),
		}, nil)
	}
	return Platform{
		Name:      owner.Name,
		IsHosted:  true,
		Statuses:  statuses,
		Summaries: newStore[updatev1alpha1.UpdateStatusSummary](client, summary, owner),
		Records:   newStore[updatev1alpha1.UpdateRecord](client, record, owner),
	}
}

// decodeHosted decodes the status of a hosted cluster.
func decodeHosted(content []byte, hostedCluster updatev1alpha1.ResourceRef) (*updatev1alpha1.UpdateStatus, error) {
	var decoded updatev1alpha1.HostedClusterUpdateStatus
	err := json.Unmarshal(content, &decoded)
	status := insight.FromHosted(&decoded.Status)
	if status.ControlPlane == nil {
		status.ControlPlane = &updatev1alpha1.ControlPlane{Resource: hostedCluster}
	}
	return &updatev1alpha1.UpdateStatus{ObjectMeta: decoded.ObjectMeta, Spec: decoded.Spec, Status: *status}, err
}
