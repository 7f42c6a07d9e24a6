package ledger

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Update is the update of a cluster, as far as the sources have reported it. It is for sources that have work only while there is one;
// everything else is read from the status, with package update.
type Update struct {
	// Known is whether every source that watches the cluster has been complete: until then more may be updating than was
	// reported.
	Known bool
	// Updating is false once an update is over: the control plane is known not to be updating, and no pool has nodes that are behind,
	// not even because it is paused.
	Updating bool
	// Started is when the newest update of the control plane started, zero if that is not known.
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
				isDone = meta.IsStatusConditionFalse(version.Conditions, updatev1alpha1.ConditionUpdating)
				update.Started = startOf(version)
			}
		}
	}
	update.Updating = !isDone || isUnfinished
	return update
}

// startOf returns when the update of the control plane started, zero if that is not known.
func startOf(version *updatev1alpha1.ClusterVersionInsight) time.Time {
	if version.StartedAt == nil {
		return time.Time{}
	}
	return version.StartedAt.Time
}

// dropHealth drops the health insights. They are about an update; outside updates, use the platform's own alerts.
func (v View) dropHealth() {
	for name, source := range v {
		source.Insights = slices.DeleteFunc(source.Insights, func(one *insight.ScopedInsight) bool { return one.Insight.Health != nil })
		v[name] = source
	}
}
