package steady

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

const (
	// firstRetry and lastRetry bound the time until something is tried again, to which up to half is added by chance.
	firstRetry = 100 * time.Millisecond
	lastRetry  = 2 * time.Second
	// ForbiddenPatience is how long it must be forbidden to list or watch before that is a refusal: an API server that starts
	// forbids everything until it has read the roles.
	ForbiddenPatience = 5 * time.Second
	// beginTimeout is how long an API server has to begin a watch, which takes it no time. A request that stalls on its way
	// would leave what is watched unseen, and nobody would know.
	beginTimeout = 8 * time.Second
	// retrySteps is how often the time doubles from the first to the last.
	retrySteps = 5
)

// Client is what typed, dynamic and metadata clients of a resource have in common. L is the type of their lists.
type Client[L runtime.Object] interface {
	List(ctx context.Context, options metav1.ListOptions) (L, error)
	Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)
}

// listerWatcher is a cache.ListerWatcherWithContext of one reflector, which lists before it watches.
type listerWatcher[L runtime.Object] struct {
	client  Client[L]
	tweak   func(*metav1.ListOptions)
	trouble func(error)
	// listed is what was listed last, nil if a watch has gone on from there.
	listed *known
}

// New returns a ListerWatcher, for one informer, of what a client lists and watches with options that tweak may change.
// Trouble is told why the informer does not see: the error of each try that is made again, and of what is left to the reflector,
// which may wait for a minute before it tries. It is told nil when the informer sees: when it watches, as a list says nothing
// of what comes after it. Both may be nil.
func New[L runtime.Object](client Client[L], tweak func(*metav1.ListOptions), trouble func(error)) cache.ListerWatcher {
	if tweak == nil {
		tweak = func(*metav1.ListOptions) {}
	}
	if trouble == nil {
		trouble = func(error) {}
	}
	return &listerWatcher[L]{client: client, tweak: tweak, trouble: trouble}
}

// List is part of cache.ListerWatcher.
func (l *listerWatcher[L]) List(options metav1.ListOptions) (runtime.Object, error) {
	return l.ListWithContext(context.Background(), options) //nolint:forbidigo // the interface has none
}

// Watch is part of cache.ListerWatcher.
func (l *listerWatcher[L]) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return l.WatchWithContext(context.Background(), options) //nolint:forbidigo // the interface has none
}

// ListWithContext lists, and tries again while that may help.
func (l *listerWatcher[L]) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	l.tweak(&options)
	if options.Continue == "" || l.listed == nil {
		l.listed = newKnown()
	}
	list, err := l.list(ctx, options)
	if err != nil {
		tellUnlessEnded(ctx, l.trouble, err)
		return list, err
	}
	return list, l.listed.takeList(list)
}

func (l *listerWatcher[L]) list(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	return try(ctx, l.trouble, func(ctx context.Context) (runtime.Object, error) { return l.client.List(ctx, options) })
}

// WatchWithContext returns a watch that goes on when it is broken.
func (l *listerWatcher[L]) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	l.tweak(&options)
	first, err := l.begin(ctx, options)
	if err != nil {
		tellUnlessEnded(ctx, l.trouble, err)
		return nil, err
	}
	made := &steadyWatch{
		events: make(chan watch.Event), begin: l.begin, list: l.list, trouble: l.trouble, options: options, known: l.listed,
	}
	l.listed = nil
	made.goOn(ctx, first)
	return made, nil
}

// begin begins a watch, with which the informer sees, unless all that there is has to be told first.
func (l *listerWatcher[L]) begin(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	begun, err := try(ctx, l.trouble, func(ctx context.Context) (watch.Interface, error) { return l.beginSoon(ctx, options) })
	if err == nil && !isInitial(options) {
		l.trouble(nil)
	}
	return begun, err
}

// isInitial is whether a watch tells first what there is.
func isInitial(options metav1.ListOptions) bool {
	return options.SendInitialEvents != nil && *options.SendInitialEvents
}

// tellUnlessEnded tells of an error, unless it is that nobody wants an answer any more.
func tellUnlessEnded(ctx context.Context, trouble func(error), err error) {
	if ctx.Err() == nil {
		trouble(err)
	}
}

// beginSoon begins a watch, unless that takes too long.
func (l *listerWatcher[L]) beginSoon(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	ctx, cancel := context.WithCancel(ctx)
	late := time.AfterFunc(beginTimeout, cancel)
	begun, err := l.client.Watch(ctx, options)
	if !late.Stop() && err == nil {
		begun.Stop()
		err = context.DeadlineExceeded
	}
	if err != nil {
		cancel()
		return nil, err
	}
	return &begunWatch{Interface: begun, cancel: cancel}, nil
}

// begunWatch is a watch with a context of its own.
type begunWatch struct {
	watch.Interface

	cancel context.CancelFunc
}

// Stop is part of watch.Interface.
func (b *begunWatch) Stop() {
	b.Interface.Stop()
	b.cancel()
}

// try does something until it succeeds, is refused, or the context ends. Trouble is told of what is tried again.
func try[T any](ctx context.Context, trouble func(error), do func(context.Context) (T, error)) (T, error) {
	delay := retries()
	var forbidden time.Time
	for told := false; ; {
		result, err := do(ctx)
		switch {
		case !isForbidden(err):
			forbidden = time.Time{}
		case forbidden.IsZero():
			forbidden = time.Now()
		}
		isPassing := !isRefusal(err) || !forbidden.IsZero() && time.Since(forbidden) < ForbiddenPatience
		if err == nil || !isPassing || ctx.Err() != nil {
			return result, err
		}
		trouble(err)
		if !told {
			told = true
			klog.FromContext(ctx).V(2).Info("The API server does not answer, trying again", "err", err)
		}
		if !pause(ctx, delay.Step()) {
			return result, err
		}
	}
}

func retries() wait.Backoff {
	return wait.Backoff{Duration: firstRetry, Factor: 2, Jitter: 0.5, Steps: retrySteps, Cap: lastRetry}
}

// pause returns whether the time has passed before the context ended.
func pause(ctx context.Context, length time.Duration) bool {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func isForbidden(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err)
}

// isRefusal is whether an API server has understood what it was asked for, and will not answer otherwise soon. All else is
// that of an API server that is away, busy, or just starting.
func isRefusal(err error) bool {
	switch apierrors.ReasonForError(err) {
	case metav1.StatusReasonUnknown, metav1.StatusReasonTooManyRequests, metav1.StatusReasonServerTimeout, metav1.StatusReasonTimeout,
		metav1.StatusReasonInternalError, metav1.StatusReasonServiceUnavailable:
		return false
	default:
		return true
	}
}
