package assess

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

// Progress is whether a cluster is updated, by what the sources say that watch it. It takes their messages in the order in
// which they were sent; so it never knows more, or less, than the UpdateStatus will say.
type Progress struct {
	complete map[insight.Source]bool
	// unfinished are the subjects whose update goes on.
	unfinished map[insight.Subject]bool
	started    time.Time
}

// Update is where the update of a cluster is.
type Update struct {
	// Known is whether every source that watches the cluster has told everything at least once: until then more may be
	// updated than what was told of.
	Known bool
	// Updating is whether the update goes on: that of the control plane, or that of a worker pool with nodes.
	Updating bool
	// Started is when the newest update of the control plane started, zero if that is not known.
	Started time.Time
}

// NewProgress returns what is known before anything was said.
func NewProgress() *Progress {
	return &Progress{complete: map[insight.Source]bool{}, unfinished: map[insight.Subject]bool{}}
}

// Apply takes a message. What it says of other subjects than those that are updated does not matter.
func (p *Progress) Apply(message insight.Message) {
	if message.State != nil && message.State.Complete {
		p.complete[message.Source] = true
	}
	for _, report := range message.Reports {
		delete(p.unfinished, report.Subject)
		if report.Subject == ClusterVersionSubject() {
			p.started = time.Time{}
		}
		for _, placed := range report.Insights {
			p.apply(report.Subject, placed)
		}
	}
}

func (p *Progress) apply(subject insight.Subject, placed insight.ScopedInsight) {
	if isUnfinished(placed) {
		p.unfinished[subject] = true
	}
	if one := placed.Insight; one.ClusterVersion != nil && one.ClusterVersion.StartedAt != nil {
		p.started = one.ClusterVersion.StartedAt.Time
	}
}

// Update returns where the update is by now.
func (p *Progress) Update() Update {
	update := Update{Known: true, Updating: len(p.unfinished) > 0, Started: p.started}
	for _, source := range insight.Watching() {
		update.Known = update.Known && p.complete[source]
	}
	return update
}

// isUnfinished is whether an insight tells of an update that goes on: of the control plane as its ClusterVersion says, and
// of worker pools.
func isUnfinished(placed insight.ScopedInsight) bool {
	switch one := placed.Insight; {
	case one.ClusterVersion != nil:
		return meta.IsStatusConditionTrue(one.ClusterVersion.Conditions, updatev1alpha1.ConditionUpdating)
	case one.MachineConfigPool != nil:
		return placed.Unfinished && placed.Part != insight.ControlPlane
	default:
		return false
	}
}
