package ledger

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Update is the update of a cluster, as far as the sources have reported it. It is for sources that have work only while there is one;
// everything else is read from the status, with package update.
type Update struct {
	// Known is whether every source that watches the cluster has been complete: until then more may be updating than was
	// reported.
	Known bool
	// Unfinished is whether any update is not known to be complete, also one that is asked for, and nodes that are behind because their pool
	// is paused. It is another question than whether something is being updated: the one that update.State.IsComplete answers of a status. Sources
	// have to know before there is one, by their reports alone, in which a node of unknown version does not count.
	Unfinished bool
	// Started is when the newest update of the control plane started, or was asked for, zero if that is not known.
	Started time.Time
}

// Update returns the update of the cluster.
func (v View) Update() Update {
	update := Update{Known: !slices.ContainsFunc(insight.Watching(), func(source insight.Source) bool { return !v[source].Complete })}
	isDone, isUnfinished := false, false
	for _, source := range v {
		for _, one := range source.Insights {
			isUnfinished = isUnfinished || one.Unfinished
			if version := insight.VersionOf(&one.Insight); version != nil {
				isOver := meta.IsStatusConditionFalse(version.Conditions, updatev1alpha1.ConditionUpdating)
				isDone = isOver && version.Requested == nil
				update.Started = timeOf(version.StartedAt)
				if isOver && version.Requested != nil {
					update.Started = timeOf(version.Requested.Since)
				}
			}
		}
	}
	update.Unfinished = !isDone || isUnfinished
	return update
}

// timeOf returns zero for an absent time.
func timeOf(optional *metav1.Time) time.Time {
	if optional == nil {
		return time.Time{}
	}
	return optional.Time
}

// dropHealth drops the health insights. They are about an update; outside updates, use the platform's own alerts.
func (v View) dropHealth() {
	for name, source := range v {
		source.Insights = slices.DeleteFunc(source.Insights, func(one *insight.ScopedInsight) bool { return one.Insight.Health != nil })
		v[name] = source
	}
}
