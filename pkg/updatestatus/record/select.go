package record

import (
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// Of returns the record of the newest update of a cluster that is looked at once: it knows no more times than the objects of the
// cluster have. It is nil if the status is about no update, or about one that is complete.
func Of(u *update.Update, now time.Time) *Named {
	recorder := Resume(nil)
	recorder.Observe(u, now)
	return recorder.Record()
}

// For returns the record about the newest update of a status, and whether it is a stored one, and not made of the status alone. While
// no update is in progress it is the newest record, of the last update that was recorded. It is nil if there is none. The records are
// sorted, the newest one first.
func For(u *update.Update, newestFirst []updatev1alpha1.UpdateRecord, now time.Time) (found *Named, isStored bool) {
	if version := u.ControlPlane.Version; version != nil && version.StartedAt != nil {
		for at := range newestFirst {
			if one := &newestFirst[at]; version.StartedAt.Equal(one.Status.StartedAt) {
				return named(one), true
			}
		}
	}
	if result := Of(u, now); result != nil {
		return result, false
	}
	if len(newestFirst) == 0 || newestFirst[0].Status.StartedAt == nil {
		return nil, false
	}
	return named(&newestFirst[0]), true
}

// ToResume returns the record that a Recorder goes on from: that of the newest update of a status, or else the newest one of an update
// before. One that lies in the future, since a clock was wrong, is of neither. It is nil if there is none; isKnown is whether the status
// says which update is the newest. The records are sorted, the newest one first.
func ToResume(u *update.Update, newestFirst []updatev1alpha1.UpdateRecord) (found *Named, isKnown bool) {
	if !isObserved(u) || !isUpdate(u) {
		return nil, false
	}
	started := u.ControlPlane.Version.StartedAt
	for at := range newestFirst {
		if one := &newestFirst[at]; one.Status.StartedAt != nil && !started.Before(one.Status.StartedAt) {
			return named(one), true
		}
	}
	return nil, true
}

func named(stored *updatev1alpha1.UpdateRecord) *Named {
	return &Named{Name: stored.Name, Status: stored.Status}
}

// Find returns the record with a name, or else the newest one of an update to that version, nil if there is neither.
func Find(newestFirst []updatev1alpha1.UpdateRecord, name string) *Named {
	for _, isIt := range []func(*updatev1alpha1.UpdateRecord) bool{
		func(one *updatev1alpha1.UpdateRecord) bool { return one.Name == name },
		func(one *updatev1alpha1.UpdateRecord) bool { return one.Status.Versions.Target == name },
	} {
		for at := range newestFirst {
			if one := &newestFirst[at]; isIt(one) {
				return named(one)
			}
		}
	}
	return nil
}
