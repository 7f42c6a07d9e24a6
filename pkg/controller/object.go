package controller

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/metadata/metadatalister"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned/typed/update/v1alpha1"
)

// object is UpdateStatus/cluster as this controller knows it. Its metadata alone is watched: what the controller has
// written itself needs not come back with every write, up to 1 MiB of it. What somebody else has written is read once.
type object struct {
	client updateclient.UpdateStatusInterface
	put    PutStatus
	lister metadatalister.Lister
	// known is the object as it was written or read last, without managedFields, nil before.
	known *updatev1alpha1.UpdateStatus
	// unseen is whether this controller has created the object, and the cache has not shown it yet.
	unseen bool
	// content is the known object as it was written, which has its status.
	content content
	// size is that of the known object as JSON, in bytes.
	size atomic.Int64
}

// AcceptMetadata asks an API server for nothing but the metadata of an object, as the "Accept" of a request.
const AcceptMetadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"

// PutStatus writes the status of an UpdateStatus. It takes the object as JSON, with the resourceVersion that it was made
// from, and returns the metadata of what was written, or an error of k8s.io/apimachinery/pkg/api/errors.
type PutStatus func(ctx context.Context, name string, content []byte) (*metav1.PartialObjectMetadata, error)

// NewPutStatus returns a PutStatus. The API server is asked to answer with the metadata alone.
func NewPutStatus(client rest.Interface) PutStatus {
	return func(ctx context.Context, name string, content []byte) (*metav1.PartialObjectMetadata, error) {
		result := client.Put().Resource(updatev1alpha1.Resource("updatestatuses").Resource).Name(name).SubResource("status").
			SetHeader("Content-Type", runtime.ContentTypeJSON).
			SetHeader("Accept", AcceptMetadata).
			Body(content).Do(ctx)
		if err := result.Error(); err != nil {
			return nil, err //nolint:wrapcheck // the caller says what was tried
		}
		answer, err := result.Raw()
		if err != nil {
			return nil, err //nolint:wrapcheck // the caller says what was tried
		}
		written := &metav1.PartialObjectMetadata{}
		if err := json.Unmarshal(answer, written); err != nil {
			return nil, fmt.Errorf("reading the answer of the API server: %w", err)
		}
		return written, nil
	}
}

// current returns the object as it is in the cluster, and creates it if it is missing. The cache may be behind this
// controller's own last write.
func (o *object) current(ctx context.Context) (*updatev1alpha1.UpdateStatus, error) {
	seen, err := o.lister.Get(updatev1alpha1.SingletonName)
	missing := apierrors.IsNotFound(err)
	switch {
	case missing && !o.unseen:
		return o.create(ctx)
	case err != nil && !missing:
		return nil, fmt.Errorf("looking for UpdateStatus/%s: %w", updatev1alpha1.SingletonName, err)
	}
	o.unseen = missing
	if o.known == nil || !missing && (o.known.UID != seen.UID || newer(&seen.ObjectMeta, &o.known.ObjectMeta)) {
		found, err := o.read(ctx)
		if apierrors.IsNotFound(err) {
			// The cache is behind a deletion, or was cut off by that of the CRD.
			return o.create(ctx)
		}
		return found, err
	}
	return o.known, nil
}

func newer(a, b *metav1.ObjectMeta) bool {
	order, err := resourceversion.CompareResourceVersion(a.ResourceVersion, b.ResourceVersion)
	return err != nil || order > 0
}

// answerTimeout is how long an API server has for an answer. One that does not answer, since it is cut off or builds up what
// it stores the resource in, must not be waited for until the connection breaks: the next try may find another one.
const answerTimeout = 8 * time.Second

func (o *object) create(ctx context.Context) (*updatev1alpha1.UpdateStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	created, err := o.client.Create(ctx, &updatev1alpha1.UpdateStatus{
		ObjectMeta: metav1.ObjectMeta{Name: updatev1alpha1.SingletonName},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("creating UpdateStatus/%s: %w", updatev1alpha1.SingletonName, err)
	}
	klog.FromContext(ctx).Info("Created the UpdateStatus", "updateStatus", klog.KObj(created))
	o.unseen = true
	return o.measure(created)
}

func (o *object) read(ctx context.Context) (*updatev1alpha1.UpdateStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	found, err := o.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("reading UpdateStatus/%s: %w", updatev1alpha1.SingletonName, err)
	}
	return o.measure(found)
}

// measure takes note of an object that came from the API server.
func (o *object) measure(found *updatev1alpha1.UpdateStatus) (*updatev1alpha1.UpdateStatus, error) {
	found.ManagedFields = nil
	status, err := json.Marshal(found.Status)
	if err != nil {
		return nil, fmt.Errorf("encoding the status of UpdateStatus/%s: %w", found.Name, err)
	}
	encoded, err := contentOf(found, status)
	if err != nil {
		return nil, err
	}
	o.know(found, encoded)
	return found, nil
}

func (o *object) know(object *updatev1alpha1.UpdateStatus, encoded content) {
	o.known, o.content = object, encoded
	o.size.Store(int64(len(encoded.whole)))
}

// says is whether the known object has the status of this one.
func (o *object) says(desired content) bool {
	return bytes.Equal(o.content.status, desired.status)
}

// write writes the status of an object that was made from the known one.
func (o *object) write(ctx context.Context, desired *updatev1alpha1.UpdateStatus, encoded content) error {
	putting, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	written, err := o.put(putting, desired.Name, encoded.whole)
	if err != nil {
		o.doubt(err)
		return fmt.Errorf("writing the status of UpdateStatus/%s: %w", desired.Name, err)
	}
	klog.FromContext(ctx).V(4).Info("Wrote the status", "updateStatus", klog.KObj(written),
		"resourceVersion", written.ResourceVersion, "bytes", len(encoded.whole))
	written.ManagedFields = nil
	o.know(&updatev1alpha1.UpdateStatus{
		TypeMeta: desired.TypeMeta, ObjectMeta: written.ObjectMeta, Spec: desired.Spec, Status: desired.Status,
	}, encoded)
	return nil
}

// doubt takes note of an error that says that the object is not the known one any more.
func (o *object) doubt(err error) {
	switch {
	case apierrors.IsConflict(err):
		o.known = nil
	case apierrors.IsNotFound(err):
		o.known, o.unseen = nil, false
	}
}

// inCluster returns the size of the object in the cluster, zero if there is none. It is safe for concurrent use.
func (o *object) inCluster() int {
	if _, err := o.lister.Get(updatev1alpha1.SingletonName); err != nil {
		return 0
	}
	return int(o.size.Load())
}
