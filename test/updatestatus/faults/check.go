package faults

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

// shownLines is how many lines of an error are shown.
const shownLines = 40

// shorten returns the first lines of an error. The log has all of them.
func (w *World) shorten(err error) error {
	if err == nil {
		return nil
	}
	_, _ = fmt.Fprintln(w.Log, err) // most errors are short
	lines := strings.Split(err.Error(), "\n")
	if omitted := len(lines) - shownLines; omitted > 0 {
		lines = append(lines[:shownLines], fmt.Sprintf("… and %d lines in the log", omitted))
	}
	return errors.New(strings.Join(lines, "\n"))
}

// waitUntilRight waits until the object has what an assessment of the whole cluster returns, and returns how long that took.
func (w *World) waitUntilRight(ctx context.Context, limit time.Duration) (time.Duration, error) {
	started := time.Now()
	var last error
	err := pace.Poll(ctx, pollInterval, limit, func(ctx context.Context) (bool, error) {
		wrong := w.compare(ctx)
		// That the time is up is not what is wrong.
		if last == nil || ctx.Err() == nil {
			last = wrong
		}
		return wrong == nil, nil
	})
	if err == nil {
		return time.Since(started), checkRunning(w.current)
	}
	return 0, fmt.Errorf("the object did not become right: %w: %w", err, last)
}

// compare returns what is wrong with the object.
func (w *World) compare(ctx context.Context) error {
	objects := append(w.simulation.Objects(), w.added...)
	if w.restored {
		objects = w.backup
	}
	expected, err := invariants.ExpectedWith(w.storage, objects, time.Now())
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
	if !equality.Semantic.DeepEqual(want, got) {
		return difference{want: want, got: got}
	}
	w.rightVersion = us.ResourceVersion
	return nil
}

// difference is how the object differs from an assessment of the cluster. To describe it costs more than to find it.
type difference struct {
	want, got updatev1alpha1.UpdateStatusStatus
}

// Error describes the difference.
func (d difference) Error() string {
	return "status (-assessed +observed):\n" + cmp.Diff(d.want, d.got)
}

// check returns what is wrong with any version of the object.
func (w *World) check() error {
	if w.restored {
		return nil // the object goes back with the cluster
	}
	versions := w.versions()
	last, problems := invariants.Update{Target: target, Operators: len(payload), SourcesLag: w.scenario.FailsRepeatedly}.Check(versions)
	if last != invariants.StageControlPlaneDone {
		problems = append(problems, fmt.Sprintf("the update ended at stage %d", last))
	}
	// Versions may be missing: the watch of the observer breaks with the others.
	_, moved := invariants.Starts(versions)
	if problems = append(problems, moved...); len(problems) > 0 {
		return errors.New(strings.Join(problems, "\n"))
	}
	return nil
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
