package retrywatch

import (
	"context"
	"errors"
	"io"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/klog/v2"
)

const (
	// openTimeout is how long an API server has to accept a watch, which takes it no time. A request that stalls on its way
	// would leave the cache stale, and nothing would report it.
	openTimeout = 8 * time.Second
	// errorThreshold is how many watches in a row may bring nothing but an error until the reflector lists instead. An event
	// that can't be decoded is the first of each watch from there; a connection that breaks looks the same once.
	errorThreshold = 3
	// silenceThreshold is how long the watches of a resource may bring nothing, not even a bookmark, until the reflector lists: an API server
	// sends a bookmark about once a minute (kubernetes/kubernetes, staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go,
	// defaultBookmarkFrequency). A connection that is open and delivers nothing, as behind a broken proxy, would leave the cache stale. One
	// list too many is harmless: an API server that has just started may have nothing to send a bookmark about.
	silenceThreshold = 3 * time.Minute
)

var errSilent = errors.New("neither an event nor a bookmark for three minutes: listing")

// Observer receives the error of each list and watch that failed, and nil each time the informer watches again. A list
// alone is no success: an informer that may list and not watch has a stale cache.
type Observer func(context.Context, error)

// New returns a ListWatch for one informer that retries the watches of another.
func New(from cache.ListerWatcherWithContext, observe Observer) *cache.ListWatch {
	l := &listWatch{from: from, observe: observe}
	return &cache.ListWatch{ListWithContextFunc: l.list, WatchFuncWithContext: l.watch}
}

type listWatch struct {
	from    cache.ListerWatcherWithContext
	observe Observer
}

func (l *listWatch) list(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	list, err := l.from.ListWithContext(ctx, options)
	if err != nil && ctx.Err() == nil {
		l.observe(ctx, err)
	}
	return list, err //nolint:wrapcheck // the reflector decides by it
}

// watch retries a watch if it has a resourceVersion.
func (l *listWatch) watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	if isInitial(options) || options.ResourceVersion == "" || options.ResourceVersion == "0" {
		events, err := l.open(ctx, options, nil, newHearing())
		if err != nil && IsTemporary(err) {
			// The reflector waits for up to a minute after a refused connection, even if its context ends. After this it lists.
			err = apierrors.NewServiceUnavailable(err.Error())
		}
		return events, err
	}
	return watchtools.NewRetryWatcherWithContext(ctx, options.ResourceVersion, &resumer{listWatch: l, options: options, heard: newHearing()}) //nolint:wrapcheck // never fails
}

// isInitial returns whether a watch starts with events for all objects that exist.
func isInitial(options metav1.ListOptions) bool {
	return options.SendInitialEvents != nil && *options.SendInitialEvents
}

// open opens a watch and observes whether it succeeds. One that starts with all objects succeeds at their end only.
func (l *listWatch) open(ctx context.Context, options metav1.ListOptions, errors *int, heard *hearing) (watch.Interface, error) {
	watching, cancel := context.WithCancel(ctx)
	timeout := time.AfterFunc(openTimeout, cancel)
	from, err := l.from.WatchWithContext(watching, options)
	if !timeout.Stop() && err == nil {
		from.Stop()
		err = context.DeadlineExceeded
	}
	if err != nil {
		cancel()
		if ctx.Err() == nil {
			l.observe(ctx, err)
		}
		return nil, err //nolint:wrapcheck // the reflector decides by it
	}
	if !isInitial(options) {
		l.observe(ctx, nil)
	}
	opened := &stream{from: from, cancel: cancel, events: make(chan watch.Event), observe: l.observe, errors: errors, heard: heard}
	go opened.forward(watching)
	return opened, nil
}

// resumer opens the watches of a RetryWatcher.
type resumer struct {
	*listWatch

	options metav1.ListOptions
	// isFailing is whether the last watch could not be opened.
	isFailing bool
	// errors is the number of watches in a row that brought nothing but an error.
	errors int
	// heard is when one of the watches brought something last.
	heard *hearing
}

// WatchWithContext is part of cache.WatcherWithContext.
func (r *resumer) WatchWithContext(ctx context.Context, from metav1.ListOptions) (watch.Interface, error) {
	options := r.options
	options.ResourceVersion = from.ResourceVersion
	events, err := r.resume(ctx, options)
	switch {
	case err == nil:
		r.isFailing = false
		return events, nil
	case IsTemporary(err), apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		// An API server that starts refuses everything until it has read the roles.
		if !r.isFailing {
			r.isFailing = true
			klog.FromContext(ctx).V(2).Info("Watch failed, retrying every second", "err", err)
		}
		return nil, io.EOF // which RetryWatcher retries without a line in the log
	default:
		// RetryWatcher would retry most of these for ever.
		failed := watch.NewFakeWithChanSize(1, false)
		failed.Action(watch.Error, expired(err))
		return failed, nil
	}
}

// resume opens a watch. An API server whose etcd was restored from a backup accepts it too, and brings nothing until its
// revisions have passed the one of the watch.
func (r *resumer) resume(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	if r.isFailing {
		list, err := r.list(ctx, metav1.ListOptions{Limit: 1})
		if err != nil {
			return nil, err
		}
		if isBehind(list, options.ResourceVersion) {
			return nil, apierrors.NewResourceExpired("etcd was restored from a backup")
		}
	}
	return r.open(ctx, options, &r.errors, r.heard)
}

// isBehind returns whether a list is older than a resourceVersion.
func isBehind(list runtime.Object, resourceVersion string) bool {
	listed, err := meta.ListAccessor(list)
	if err != nil {
		return true
	}
	order, err := resourceversion.CompareResourceVersion(listed.GetResourceVersion(), resourceVersion)
	return err != nil || order < 0
}

// expired returns an error with which a RetryWatcher ends and a reflector lists.
func expired(err error) *metav1.Status {
	return &apierrors.NewResourceExpired(err.Error()).ErrStatus
}

// IsTemporary returns whether the API server did not process a request: it is away, starting or overloaded.
func IsTemporary(err error) bool {
	switch apierrors.ReasonForError(err) {
	case metav1.StatusReasonUnknown, metav1.StatusReasonTooManyRequests, metav1.StatusReasonServerTimeout, metav1.StatusReasonTimeout,
		metav1.StatusReasonInternalError, metav1.StatusReasonServiceUnavailable:
		return true
	default:
		return false
	}
}
