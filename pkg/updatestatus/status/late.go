package status

import (
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/nodestate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// startPatience is how long after the first status nodes may not be ready: the controller may run on the only node of a cluster, whose
// reboot was its own.
const startPatience = 5 * time.Minute

// lateNodes returns health insights about nodes that take too long: the sources know neither since when they are in their phase nor what
// others took. Of hosted clusters these are nodes that are updated in place: those that are replaced only drain.
func (m merger) lateNodes(reported []*insight.ScopedInsight, entries []*cacheEntry) []*insight.ScopedInsight {
	var found []*insight.ScopedInsight
	for at, one := range reported {
		node := entries[at].merged.Node
		if node == nil || !entries[at].progress.State.Updating {
			continue
		}
		late := m.late(node, entries[at].progress)
		late.IsLeaving, late.NotReady, late.NotBegun = one.Leaving, one.NotReady, one.NotBegun
		if late.NotBegun && late.Since.IsZero() {
			late.Since = entries[at].progress.UpdatingSince() // it was first observed so
		}
		if m.stored[insight.UID("health", nodestate.NotReturned+"/"+node.Name)] != nil {
			late.NotBefore = time.Time{} // it was reported before the controller started
		}
		of := assess.Subject{Resource: assess.NodeRef(node.Name), Part: one.Part}
		of.Resource.Cluster = node.Resource.Cluster
		health, nextCheck := assess.CheckHealth(nodestate.LateChecks, late, of, late.Now)
		for i := range health {
			found = append(found, &health[i])
		}
		m.nextCheck = assess.Earliest(m.nextCheck, wholeSecondFrom(nextCheck))
	}
	return found
}

// wholeSecondFrom returns the first whole second that is not before a time, zero if that is. A status is of a whole second: one that is built
// within the second before changes nothing.
func wholeSecondFrom(at time.Time) time.Time {
	if at.IsZero() || at.Equal(at.Truncate(time.Second)) {
		return at
	}
	return at.Truncate(time.Second).Add(time.Second)
}

// late returns what is known of a node that is being updated.
func (m merger) late(node *updatev1alpha1.NodeInsight, progress estimate.Progress) nodestate.Late {
	late := nodestate.Late{Node: node, State: progress.State, Now: m.clock.Time.Time, NotBefore: m.startedAt.Add(startPatience)}
	for _, phase := range node.Phases {
		if insight.NodePhase(phase.Phase) == progress.State.Phase {
			late.Since, late.IsAtLeast = phase.StartedAt.Time, phase.Phase == updatev1alpha1.PhaseRebooting && estimate.IsReported(node, phase)
		}
	}
	if pool := m.pools[progress.Pool]; pool != nil {
		late.Usual.Median, late.Usual.Long = pool.Usual(progress.State.Phase)
	}
	if late.Usual.Long == 0 {
		late.Usual.Median, late.Usual.Long = m.history.Usual(progress.Pool, progress.State.Phase)
	}
	return late
}
