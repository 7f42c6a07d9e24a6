package causes

import (
	"slices"
	"strings"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/pkg/summary"
)

// seeds is how many updates are played with each kind of fault.
const seeds = 100

// TestFirstCause: from a moment after its insight on a fault is the first cause that is told, of two faults both are causes, and
// nothing else is said to be the cause of a fault.
func TestFirstCause(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(seeds) {
				of := kind()
				moments := Play(of, seed)
				if problem := firstProblem(of, moments); problem != "" {
					t.Fatalf("seed %d, %v: %s", seed, of.insights, problem)
				}
			}
		})
	}
}

// firstProblem returns what is wrong in an update, empty if nothing is.
func firstProblem(of *fault, moments []Moment) string {
	told, before := false, false
	for _, moment := range moments {
		var insights []*updatev1alpha1.Insight
		for _, about := range of.insights {
			if found := find(moment.Status, about); found != nil {
				insights = append(insights, found)
			}
		}
		for _, one := range insights {
			if len(one.Health.CausedBy) > 0 {
				return moment.After.String() + ": it is caused by " + one.Health.CausedBy[0].UID
			}
		}
		is := len(insights) == len(of.insights)
		if is && before {
			told = true
			made := summary.Of(summary.Input{Status: moment.Status, Now: start.Add(moment.After)})
			var first []string
			for at, attention := range made.Attention {
				if at < len(insights) {
					first = append(first, attention.UID)
				}
			}
			for _, one := range insights {
				if !slices.Contains(first, one.UID) {
					return moment.After.String() + ": it is not told first:\n" + page(moment)
				}
			}
		}
		before = is
	}
	if !told {
		return "it is never told"
	}
	return ""
}

// find returns the health insight about a fault, nil if there is none.
func find(status *updatev1alpha1.UpdateStatusStatus, fault about) *updatev1alpha1.Insight {
	informers := slices.Clone(status.ControlPlane.Informers)
	for _, pool := range status.WorkerPools {
		informers = append(informers, pool.Informers...)
	}
	for _, informer := range informers {
		for at := range informer.Insights {
			one := &informer.Insights[at]
			if one.Health != nil && assess.CheckOf(one.UID) == fault.check && one.Health.Scope.Resources[0].Name == fault.object {
				return one
			}
		}
	}
	return nil
}

// page returns what a person sees at 80 by 24.
func page(moment Moment) string {
	us := &updatev1alpha1.UpdateStatus{Status: *moment.Status}
	now := start.Add(moment.After)
	return strings.Join(describe.Screen(us, describe.Options{Now: now, Width: 80, Head: describe.Head(us, now)}, nil, 23), "\n")
}
