package steady

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/pager"
)

// canSkip is whether a watch can't be taken up where it was broken, but who watches can be told what it has missed. An API
// server that has just started knows nothing of what was before; and what a watch does not get past, a list may, or it goes on to
// tell why not.
func (s *steadyWatch) canSkip(err error, fruitless int) bool {
	isTooOld := apierrors.IsResourceExpired(err) || apierrors.IsGone(err)
	isStuck := err != nil && !isRefusal(err) && fruitless >= stuckAfter
	return s.resumable && s.known != nil && (isTooOld || isStuck)
}

// beginAnew lists what there is, tells who watches what it has missed, and begins a watch after that.
func (s *steadyWatch) beginAnew(ctx context.Context) (watch.Interface, error) {
	version, err := s.tellMissed(ctx)
	if err != nil {
		return nil, err
	}
	s.options.ResourceVersion = version
	return s.begin(ctx, s.options)
}

// tellMissed returns the version up to which nothing is missed any more. Objects are listed in pages, so that those of a
// large cluster are never held all at once. If the rest of a list is too old by then, that is the error.
func (s *steadyWatch) tellMissed(ctx context.Context) (string, error) {
	// Pages are listed in a goroutine of the pager's, which may outlive the error of what is done with them.
	version := ""
	pages := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		page, err := s.list(ctx, options)
		if err != nil {
			return nil, err
		}
		accessor, err := meta.ListAccessor(page)
		if err != nil {
			return nil, fmt.Errorf("reading what was listed: %w", err)
		}
		version = accessor.GetResourceVersion()
		return page, nil
	})
	pages.PageBufferSize = 0
	kept := map[cache.ObjectName]bool{}
	selected := metav1.ListOptions{LabelSelector: s.options.LabelSelector, FieldSelector: s.options.FieldSelector}
	err := pages.EachListItem(ctx, selected, func(object runtime.Object) error { return s.tellIfNew(ctx, object, kept) })
	if err != nil {
		return "", err //nolint:wrapcheck // it is passed on as what the API server said
	}
	for _, object := range s.known.keepOnly(kept, version) {
		if !s.send(ctx, watch.Event{Type: watch.Deleted, Object: object}) {
			return "", ctx.Err()
		}
	}
	// Objects that have not changed for long have old versions. This is the one from which to go on.
	if bookmark := s.known.bare(cache.ObjectName{}, version); bookmark != nil {
		s.send(ctx, watch.Event{Type: watch.Bookmark, Object: bookmark})
	}
	return version, nil
}

// tellIfNew takes note that an object is there, and tells who watches of it if that does not know it so.
func (s *steadyWatch) tellIfNew(ctx context.Context, object runtime.Object, kept map[cache.ObjectName]bool) error {
	name, isNew, err := s.known.take(object)
	if err != nil {
		return err
	}
	kept[name] = true
	if isNew && !s.send(ctx, watch.Event{Type: watch.Modified, Object: object}) {
		return ctx.Err()
	}
	return nil
}
