package informers

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
)

// How an UpdateInformer is to be renewed; docs/updatestatus/informers.md tells authors.
const (
	// outdatedAfter is how long an informer that is to be renewed once a minute may miss that.
	outdatedAfter = 3 * time.Minute
	// withdrawnAfter is after how long without a renewal an informer is not reported.
	withdrawnAfter = 15 * time.Minute
	// idleOutdatedAfter is the same as outdatedAfter while no update is in progress: an informer is to be renewed every ten minutes then.
	idleOutdatedAfter = 30 * time.Minute
	// maxAhead is how far the clock of an author may be ahead.
	maxAhead = time.Minute
)

// renewal is how recent an informer is.
type renewal struct {
	// at is when it was last renewed, zero if it never was.
	at time.Time
	// isOutdated is whether its owner has missed renewals, and isWithdrawn whether for so long that it is not reported.
	isOutdated, isWithdrawn bool
	// nextCheck is when to check again, zero if only the next renewal changes anything.
	nextCheck time.Time
}

// renewalOf returns how recent an informer is during an update that started at a time. An informer that was renewed as usual before the
// update has three minutes to notice it.
func renewalOf(informer *updatev1alpha1.UpdateInformer, updateStarted, now time.Time) renewal {
	if informer.Status.RenewedAt == nil {
		return renewal{isOutdated: true, isWithdrawn: true}
	}
	// Renewals of an author whose clock is set right may follow closely on those that did not count, so that they are no change
	// (IsRenewed).
	withdrawn := renewal{isOutdated: true, isWithdrawn: true, nextCheck: now.Add(outdatedAfter)}
	at := assess.TimeOf(informer.Status.RenewedAt)
	if at.After(now.Add(maxAhead)) || at.Unix() < 0 {
		return withdrawn
	}
	since := at
	if updateStarted.Sub(at) <= idleOutdatedAfter {
		since = assess.Later(at, updateStarted)
	}
	outdatedAt, withdrawnAt := since.Add(outdatedAfter), since.Add(withdrawnAfter)
	switch {
	case now.Before(outdatedAt):
		return renewal{at: at, nextCheck: outdatedAt}
	case now.Before(withdrawnAt):
		return renewal{at: at, isOutdated: true, nextCheck: withdrawnAt}
	default:
		return withdrawn
	}
}

// Renewals returns when each of the trusted informers was last renewed. One that never was has the zero time.
func Renewals(all []*updatev1alpha1.UpdateInformer, settings []updatev1alpha1.InformerSetting) map[types.NamespacedName]time.Time {
	trusted, _ := split(all, statesOf(settings))
	renewals := make(map[types.NamespacedName]time.Time, len(trusted))
	for _, one := range trusted {
		renewals[types.NamespacedName{Namespace: one.Namespace, Name: one.Name}] = assess.TimeOf(one.Status.RenewedAt)
	}
	return renewals
}

// IsRenewed returns whether two states of an UpdateInformer differ in nothing but a renewal in time, after which nothing has to be
// assessed again.
func IsRenewed(before, after *updatev1alpha1.UpdateInformer) bool {
	first, second := before.Status.RenewedAt, after.Status.RenewedAt
	if first == nil || second == nil {
		return first == second
	}
	return second.Sub(first.Time).Abs() < outdatedAfter
}
