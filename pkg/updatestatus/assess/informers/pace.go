package informers

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const (
	// maxChanges is how many changes of a trusted informer are reported at once within changesInterval, before the others wait for its end:
	// those of an Error or Critical are written whatever else is.
	maxChanges      = 4
	changesInterval = time.Minute
)

// pace is what a trusted informer contributes, and how often that has changed.
type pace struct {
	reported contribution
	// since is when an interval started, and changes the number of changes in it.
	since   time.Time
	changes int
}

// paced returns what a trusted informer contributes, or what it contributed before if that changes too often, and when to look again, zero if
// that is at its next change.
func (a *Assessor) paced(found contribution, now time.Time) (contribution, time.Time) {
	last, isKnown := a.trusted[found.name]
	if isKnown && equality.Semantic.DeepEqual(last.reported.report, found.report) {
		return found, time.Time{}
	}
	if since := now.Sub(last.since); !isKnown || since < 0 || since >= changesInterval {
		last = pace{since: now}
	}
	if last.changes == maxChanges {
		found.report, found.bytes, found.isLeftOut = last.reported.report, last.reported.bytes, last.reported.isLeftOut
		return found, last.since.Add(changesInterval)
	}
	last.reported, last.changes = found, last.changes+1
	if a.trusted == nil {
		a.trusted = map[string]pace{}
	}
	a.trusted[found.name] = last
	return found, time.Time{}
}

// deleted returns what a deleted informer that is trusted contributes: nothing, which is a change.
func (a *Assessor) deleted(informers []*updatev1alpha1.UpdateInformer, states map[string]updatev1alpha1.InformerState) []contribution {
	exists := map[string]bool{}
	for _, one := range informers {
		exists[nameOf(one)] = true
	}
	var all []contribution
	for name, one := range a.trusted {
		if states[name] != updatev1alpha1.InformerTrusted {
			delete(a.trusted, name)
		} else if !exists[name] {
			gone := contribution{name: name, isTrusted: true}
			gone.report.Subject = one.reported.report.Subject
			all = append(all, gone)
		}
	}
	slices.SortFunc(all, func(a, b contribution) int { return cmp.Compare(a.name, b.name) })
	return all
}
