package recordwriter

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
)

// Client reads, creates, writes and deletes the records of a cluster.
type Client interface {
	reader
	writer
}

type reader interface {
	List(context.Context, metav1.ListOptions) (*updatev1alpha1.UpdateRecordList, error)
	Get(context.Context, string, metav1.GetOptions) (*updatev1alpha1.UpdateRecord, error)
}

type writer interface {
	Create(context.Context, *updatev1alpha1.UpdateRecord, metav1.CreateOptions) (*updatev1alpha1.UpdateRecord, error)
	UpdateStatus(context.Context, *updatev1alpha1.UpdateRecord, metav1.UpdateOptions) (*updatev1alpha1.UpdateRecord, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

// Hosted is a Client for the records of a hosted cluster. They are in the namespace of its HostedCluster, which other ones may have
// records in; there, their names start with that of the HostedCluster.
type Hosted struct {
	// Client is that of the namespace.
	Client updateclient.HostedClusterUpdateRecordInterface
	// Name is that of the HostedCluster.
	Name string
	// Owner returns the reference to the HostedCluster, which owns the records.
	Owner func(context.Context) (metav1.OwnerReference, error)
}

// List is part of Client.
func (h Hosted) List(ctx context.Context, options metav1.ListOptions) (*updatev1alpha1.UpdateRecordList, error) {
	options.LabelSelector = labels.Set{updatev1alpha1.HostedClusterLabel: h.Name}.String()
	listed, err := h.Client.List(ctx, options)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller wraps it
	}
	records := &updatev1alpha1.UpdateRecordList{ListMeta: listed.ListMeta}
	for at := range listed.Items {
		records.Items = append(records.Items, *h.read(&listed.Items[at]))
	}
	return records, nil
}

// Get is part of Client.
func (h Hosted) Get(ctx context.Context, name string, options metav1.GetOptions) (*updatev1alpha1.UpdateRecord, error) {
	hosted, err := h.Client.Get(ctx, h.prefix()+name, options)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller wraps it
	}
	return h.read(hosted), nil
}

// Create is part of Client.
func (h Hosted) Create(
	ctx context.Context, record *updatev1alpha1.UpdateRecord, options metav1.CreateOptions,
) (*updatev1alpha1.UpdateRecord, error) {
	owner, err := h.Owner(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading HostedCluster %s, which owns the record: %w", h.Name, err)
	}
	hosted := h.hosted(record)
	hosted.Labels = map[string]string{updatev1alpha1.HostedClusterLabel: h.Name}
	hosted.OwnerReferences = []metav1.OwnerReference{owner}
	if hosted, err = h.Client.Create(ctx, hosted, options); err != nil {
		return nil, err //nolint:wrapcheck // the caller wraps it
	}
	return h.read(hosted), nil
}

// UpdateStatus is part of Client.
func (h Hosted) UpdateStatus(
	ctx context.Context, record *updatev1alpha1.UpdateRecord, options metav1.UpdateOptions,
) (*updatev1alpha1.UpdateRecord, error) {
	hosted, err := h.Client.UpdateStatus(ctx, h.hosted(record), options)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller wraps it
	}
	return h.read(hosted), nil
}

// Delete is part of Client.
func (h Hosted) Delete(ctx context.Context, name string, options metav1.DeleteOptions) error {
	return h.Client.Delete(ctx, h.prefix()+name, options) //nolint:wrapcheck // the caller wraps it
}

func (h Hosted) prefix() string {
	return h.Name + "-"
}

// hosted returns a record as it is in the namespace, and read what it was there.
func (h Hosted) hosted(record *updatev1alpha1.UpdateRecord) *updatev1alpha1.HostedClusterUpdateRecord {
	hosted := &updatev1alpha1.HostedClusterUpdateRecord{ObjectMeta: record.ObjectMeta, Status: record.Status}
	hosted.Name = h.prefix() + record.Name
	return hosted
}

func (h Hosted) read(hosted *updatev1alpha1.HostedClusterUpdateRecord) *updatev1alpha1.UpdateRecord {
	record := &updatev1alpha1.UpdateRecord{ObjectMeta: hosted.ObjectMeta, Status: hosted.Status}
	record.Name = strings.TrimPrefix(hosted.Name, h.prefix())
	return record
}
