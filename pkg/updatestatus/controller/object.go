package controller

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/metadata/metadatalister"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Store creates, reads and writes objects with the status of a cluster. Its errors name the object, and are those of
// k8s.io/apimachinery/pkg/api/errors; its objects have no managedFields.
type Store interface {
	reader
	writer
}

type reader interface {
	// Get returns an object as far as it can be decoded, and whether that is all of it.
	Get(ctx context.Context, name string) (object *updatev1alpha1.UpdateStatus, isWhole bool, err error)
}

type writer interface {
	Create(ctx context.Context, name string) (*updatev1alpha1.UpdateStatus, error)
	// Encode encodes an object for Put, with its status that is encoded already.
	Encode(object *updatev1alpha1.UpdateStatus, status []byte) ([]byte, error)
	// Put writes the status of an object, with the resourceVersion that it was built from, and returns the metadata of what is stored.
	Put(ctx context.Context, name string, content []byte) (*metav1.PartialObjectMetadata, error)
}

// content is an object as JSON: its status is what is compared, and the whole is what is written.
type content struct {
	status, whole []byte
}

// object is the object in the cluster as it was last read or written. Only its metadata is watched: the controller's own writes,
// up to 1 MiB each, are not sent back, and what another client wrote is read once.
type object struct {
	store  Store
	name   string
	lister metadatalister.NamespaceLister
	// clock is the clock of what is observed, pace that of real traffic.
	clock, pace clock.PassiveClock
	// lastSeen is the object as it was last read or written, without managedFields. It is nil if it must be read.
	lastSeen *updatev1alpha1.UpdateStatus
	// status is its status, encoded.
	status []byte
	// size is the size of the known object as JSON, in bytes.
	size atomic.Int64
	// inSync is whether the known object has the status that it should have.
	inSync bool
	// notCached is whether this controller created the object and the cache does not have it yet.
	notCached bool
	// behindSince is since when the cache has been behind the known object, zero if it is not.
	behindSince time.Time
	// writtenByOther is whether the known object has a status that this controller did not write.
	writtenByOther bool
	// writeUncertain is whether a write that failed may have been stored all the same.
	writeUncertain bool
}

func newObject(in Input) *object {
	all := metadatalister.New(in.Informer.GetIndexer(), schema.GroupVersionResource{})
	o := &object{store: in.Store, name: in.Name, clock: in.Clock, pace: in.Pace, lister: all}
	if in.Namespace != "" {
		o.lister = all.Namespace(in.Namespace)
	}
	return o
}

// cacheTimeout is how long the cache may be behind the known object until that is read: it was deleted before the cache had it,
// or etcd was restored from a backup.
const cacheTimeout = 10 * time.Second

// current returns the object in the cluster, and creates it if it is missing. The cache may be behind the last write.
func (o *object) current(ctx context.Context) (*updatev1alpha1.UpdateStatus, error) {
	cached, err := o.lister.Get(o.name)
	missing := apierrors.IsNotFound(err)
	switch {
	case missing && !o.notCached:
		return o.create(ctx)
	case err != nil && !missing:
		return nil, fmt.Errorf("reading metadata from the cache: %w", err)
	}
	o.notCached = missing
	if o.lastSeen != nil && !o.mustRead(cached) {
		return o.lastSeen, nil
	}
	current, err := o.read(ctx)
	if apierrors.IsNotFound(err) {
		// The cache is behind a deletion, or its watch ended with the CRD.
		return o.create(ctx)
	}
	return current, err
}

// mustRead returns whether the cluster may have another object than the known one. cached is nil if the cache has none yet.
func (o *object) mustRead(cached *metav1.PartialObjectMetadata) bool {
	if cached != nil {
		order, err := resourceversion.CompareResourceVersion(cached.ResourceVersion, o.lastSeen.ResourceVersion)
		if err != nil || order > 0 || cached.UID != o.lastSeen.UID {
			return true
		}
		if order == 0 {
			o.behindSince = time.Time{}
			return false
		}
	}
	if o.behindSince.IsZero() {
		o.behindSince = o.pace.Now()
	}
	return o.pace.Since(o.behindSince) >= cacheTimeout
}

// readAfter returns after which time to sync again because the cache is behind, zero if it is not.
func (o *object) readAfter() time.Duration {
	if o.behindSince.IsZero() {
		return 0
	}
	return max(cacheTimeout-o.pace.Since(o.behindSince), minCheckDelay)
}

// errNotServed is why an object can't be created: its CRD was deleted, or is about to be.
var errNotServed = errors.New("its CRD does not exist")

func (o *object) create(ctx context.Context) (*updatev1alpha1.UpdateStatus, error) {
	created, err := o.store.Create(ctx, o.name)
	if apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("%w: %w", errNotServed, err)
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the object
	}
	klog.FromContext(ctx).Info("Created the UpdateStatus", "updateStatus", klog.KObj(created))
	o.notCached = true
	return o.setCurrent(created)
}

func (o *object) read(ctx context.Context) (*updatev1alpha1.UpdateStatus, error) {
	current, isWhole, err := o.store.Get(ctx, o.name)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the object
	}
	current, err = o.setCurrent(current)
	if !isWhole {
		o.status = nil // whatever is written next, the object has another one
	}
	return current, err
}

// setCurrent sets the known object to one that was read, without the times that cannot be true: they may have been written by
// another client, and the API server could refuse to store them again.
func (o *object) setCurrent(current *updatev1alpha1.UpdateStatus) (*updatev1alpha1.UpdateStatus, error) {
	encoded, err := o.encode(current)
	if err != nil {
		return nil, err
	}
	insight.Renew(&current.Status)
	now := o.clock.Now()
	insight.DropUnknownTimes(&current.Status, now, metav1.NewTime(now.Truncate(time.Second)))
	o.writtenByOther = !o.hasStatus(encoded)
	o.set(current, encoded, false)
	return current, nil
}

// encode encodes an object.
func (o *object) encode(current *updatev1alpha1.UpdateStatus) (content, error) {
	status, err := json.Marshal(current.Status)
	if err != nil {
		return content{}, fmt.Errorf("encoding a status: %w", err)
	}
	return o.encodeWith(current, status)
}

// encodeWith encodes an object whose status is encoded already.
func (o *object) encodeWith(desired *updatev1alpha1.UpdateStatus, status []byte) (content, error) {
	whole, err := o.store.Encode(desired, status)
	return content{status: status, whole: whole}, err //nolint:wrapcheck // it names the object
}

func (o *object) set(lastSeen *updatev1alpha1.UpdateStatus, encoded content, inSync bool) {
	o.lastSeen, o.status, o.inSync, o.behindSince = lastSeen, encoded.status, inSync, o.pace.Now()
	o.size.Store(int64(len(encoded.whole)))
}

// hasStatus is whether the known object has this status.
func (o *object) hasStatus(desired content) bool {
	return bytes.Equal(o.status, desired.status)
}

// write writes the status of an object that was built from the known one.
func (o *object) write(ctx context.Context, desired *updatev1alpha1.UpdateStatus, encoded content) error {
	stored, err := o.store.Put(ctx, o.name, encoded.whole)
	if err != nil {
		if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
			o.lastSeen = nil
		}
		o.writeUncertain = o.writeUncertain || mayBeStored(err)
		return err //nolint:wrapcheck // it names the object
	}
	klog.FromContext(ctx).V(4).Info("Wrote the status", "updateStatus", klog.KObj(stored),
		"resourceVersion", stored.ResourceVersion, "bytes", len(encoded.whole))
	o.set(&updatev1alpha1.UpdateStatus{ObjectMeta: stored.ObjectMeta, Spec: desired.Spec, Status: desired.Status}, encoded, true)
	return nil
}

// mayBeStored is whether a write that failed may have been stored all the same: the connection was lost, or the API server
// timed out waiting for etcd. All other errors mean that it was not.
func mayBeStored(err error) bool {
	var response apierrors.APIStatus
	return !errors.As(err, &response) || response.Status().Code >= http.StatusInternalServerError
}

// sizeInCluster returns the size of the object in bytes, zero if there is none. It is safe for concurrent use.
func (o *object) sizeInCluster() int {
	if _, err := o.lister.Get(o.name); err != nil {
		return 0
	}
	return int(o.size.Load())
}
