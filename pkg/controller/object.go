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
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/metadata/metadatalister"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// object is the object in the cluster as it was last read or written. Only its metadata is watched: the controller's own writes,
// up to 1 MiB each, are not sent back, and what another client wrote is read once.
type object struct {
	store
	identity

	put    PutStatus
	lister metadatalister.NamespaceLister
	// clock is the clock of what is observed, pace that of real traffic.
	clock, pace clock.PassiveClock
	// lastSeen is the object as it was last read or written, without managedFields. It is nil if it must be read.
	lastSeen *updatev1alpha1.UpdateStatus
	// content is the known object, encoded.
	content content
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
	o := &object{put: in.PutStatus, clock: in.Clock, pace: in.Pace}
	if in.Hosted != nil {
		o.store, o.identity = in.Hosted, identity{kindHosted, in.Hosted.Name.Namespace, in.Hosted.Name.Name}
		o.lister = metadatalister.New(in.Informer.GetIndexer(), hostedResource).Namespace(o.namespace)
		return o
	}
	o.store, o.identity = standalone{in.Client}, identity{kind: kindStandalone, name: updatev1alpha1.SingletonName}
	o.lister = metadatalister.New(in.Informer.GetIndexer(), standaloneResource)
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
		return nil, fmt.Errorf("reading %s from the cache: %w", o.identity, err)
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

// requestTimeout bounds a request. An API server that does not respond, since it is cut off or prepares the storage of the
// resource, must not be waited for until the connection breaks: the next attempt may reach another one.
const requestTimeout = 8 * time.Second

// errNotServed is why an object can't be created: its CRD was deleted, or is about to be.
var errNotServed = errors.New("its CRD does not exist")

func (o *object) create(ctx context.Context) (*updatev1alpha1.UpdateStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	created, err := o.store.create(ctx)
	if apierrors.IsNotFound(err) {
		err = fmt.Errorf("%w: %w", errNotServed, err)
	}
	if err != nil {
		return nil, fmt.Errorf("creating %s: %w", o.identity, err)
	}
	klog.FromContext(ctx).Info("Created the UpdateStatus", "updateStatus", klog.KObj(created))
	o.notCached = true
	return o.setCurrent(created)
}

func (o *object) read(ctx context.Context) (*updatev1alpha1.UpdateStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	current, err := o.get(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", o.identity, err)
	}
	return o.setCurrent(current)
}

// setCurrent sets the known object to one that was read, without the times that cannot be true: they may have been written by
// another client, and the API server could refuse to store them again.
func (o *object) setCurrent(read stored) (*updatev1alpha1.UpdateStatus, error) {
	current := read.UpdateStatus
	current.ManagedFields = nil
	status, err := json.Marshal(current.Status)
	if err != nil {
		return nil, fmt.Errorf("encoding the status of %s: %w", o.identity, err)
	}
	encoded, err := o.encode(current, status, read.summary)
	if err != nil {
		return nil, err
	}
	now := o.clock.Now()
	insight.DropUnknownTimes(&current.Status, now, metav1.NewTime(now.Truncate(time.Second)))
	o.writtenByOther = !o.hasStatus(encoded)
	o.set(current, encoded, false)
	return current, nil
}

func (o *object) set(lastSeen *updatev1alpha1.UpdateStatus, encoded content, inSync bool) {
	o.lastSeen, o.content, o.inSync, o.behindSince = lastSeen, encoded, inSync, o.pace.Now()
	o.size.Store(int64(len(encoded.whole)))
}

// hasStatus is whether the known object has this status.
func (o *object) hasStatus(desired content) bool {
	return bytes.Equal(o.content.status, desired.status) && isSameSummary(o.content.summary, desired.summary)
}

// write writes the status of an object that was built from the known one.
func (o *object) write(ctx context.Context, desired *updatev1alpha1.UpdateStatus, encoded content) error {
	requestContext, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	stored, err := o.put(requestContext, desired.Name, encoded.whole)
	if err != nil {
		if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
			o.lastSeen = nil
		}
		o.writeUncertain = o.writeUncertain || mayBeStored(err)
		return fmt.Errorf("writing the status of %s: %w", o.identity, err)
	}
	klog.FromContext(ctx).V(4).Info("Wrote the status", "updateStatus", klog.KObj(stored),
		"resourceVersion", stored.ResourceVersion, "bytes", len(encoded.whole))
	stored.ManagedFields = nil
	o.set(&updatev1alpha1.UpdateStatus{
		TypeMeta: desired.TypeMeta, ObjectMeta: stored.ObjectMeta, Spec: desired.Spec, Status: desired.Status,
	}, encoded, true)
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
