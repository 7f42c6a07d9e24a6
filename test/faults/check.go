package faults

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/util/wait"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

// waitUntilRight waits until the object has what an assessment of the whole cluster returns, and returns how long that took.
func (w *World) waitUntilRight(ctx context.Context, limit time.Duration) (time.Duration, error) {
	started := time.Now()
	var last error
	err := wait.PollUntilContextTimeout(ctx, pollInterval, limit, true, func(ctx context.Context) (bool, error) {
		wrong := w.compare(ctx)
		// That the time is up is not what is wrong.
		if last == nil || wrong == nil || !errors.Is(wrong, context.DeadlineExceeded) {
			last = wrong
		}
		return wrong == nil, nil
	})
	if err != nil {
		return 0, fmt.Errorf("the object was not right %s after the last fault: %w", limit, last)
	}
	return time.Since(started), w.checkRunning()
}

// compare returns what is wrong with the object.
func (w *World) compare(ctx context.Context) error {
	objects := append(w.simulation.Objects(), w.added...)
	if w.restored {
		objects = w.backup
	}
	expected, err := invariants.ExpectedWith(w.trusted, objects, time.Now())
	if err != nil {
		return err
	}
	us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the object: %w", err)
	}
	want, got := invariants.WithoutObserved(expected), invariants.WithoutObserved(us)
	if w.prune != nil {
		w.prune(&want)
	}
	if w.tenant != nil {
		withoutTenant(&want)
		withoutTenant(&got)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("status (-assessed +observed):\n%s", diff)
	}
	w.rightVersion = us.ResourceVersion
	return nil
}

// check returns what is wrong with any version of the object.
func (w *World) check() error {
	if w.restored {
		return nil // the object goes back with the cluster
	}
	last, problems := invariants.Update{Target: target, Operators: payload, SourcesLag: w.scenario.FailsRepeatedly}.Check(w.versions())
	if last != invariants.StageControlPlaneDone {
		problems = append(problems, fmt.Sprintf("the update ended at stage %d", last))
	}
	// Versions may be missing: the watch of the observer breaks with the others.
	_, moved := invariants.Starts(w.versions())
	problems = append(problems, moved...)
	var errs []error
	for _, problem := range problems {
		errs = append(errs, errors.New(problem))
	}
	return errors.Join(errs...)
}

// versions are those of the object during the update that the scenario did not write. The observer may first receive older ones: it
// lists from the cache of the API server. A version that is not Available says itself that a source was unable to read the cluster,
// and that its insights are from before: they may contradict those of the other source. The insights of a tenant may contradict anything.
func (w *World) versions() []*updatev1alpha1.UpdateStatus {
	var versions []*updatev1alpha1.UpdateStatus
	for _, us := range append(slices.Clone(w.observer.Versions()), w.last) {
		order, err := resourceversion.CompareResourceVersion(us.ResourceVersion, w.firstVersion)
		if w.edited[us.ResourceVersion] || err != nil || order < 0 || !invariants.IsAvailable(us) {
			continue
		}
		us = us.DeepCopy()
		withoutTenant(&us.Status)
		versions = append(versions, us)
	}
	return versions
}
