package ledger

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Update is the update of a cluster, as far as the sources have reported it.
type Update struct {
	// Known is whether every source that watches the cluster has been complete: until then more may be updating than was
	// reported.
	Known bool
	// Updating is whether the control plane or a worker pool is updating.
	Updating bool
	// Started is when the newest update of the control plane started, zero if that is not known.
	Started time.Time
}

// Update returns the update of the cluster.
func (l *Ledger) Update() Update {
	update := Update{Known: true, Updating: len(l.updating) > 0, Started: l.started}
	for _, source := range insight.Watching() {
		entry, found := l.entries[source]
		update.Known = update.Known && found && entry.complete
	}
	return update
}

// trackUpdate takes from a report what it says about the update, so that Update does not search all reports.
func (l *Ledger) trackUpdate(report insight.Report) {
	delete(l.updating, report.Subject)
	if slices.ContainsFunc(report.Insights, isUpdating) {
		l.updating[report.Subject] = true
	}
	if report.Subject.Kind == "ClusterVersion" {
		l.started = startOf(report.Insights)
	}
}

// isUpdating is whether an insight is that of the control plane or a worker pool that is updating.
func isUpdating(scoped insight.ScopedInsight) bool {
	if version := insight.VersionOf(&scoped.Insight); version != nil {
		return meta.IsStatusConditionTrue(version.Conditions, updatev1alpha1.ConditionUpdating)
	}
	return insight.PoolOf(&scoped.Insight) != nil && scoped.Unfinished && scoped.Part != insight.ControlPlane
}

// startOf returns when the update of the control plane started, zero if that is not known.
func startOf(insights []insight.ScopedInsight) time.Time {
	for at := range insights {
		if version := insight.VersionOf(&insights[at].Insight); version != nil && version.StartedAt != nil {
			return version.StartedAt.Time
		}
	}
	return time.Time{}
}
