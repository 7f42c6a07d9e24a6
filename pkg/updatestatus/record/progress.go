package record

import (
	"slices"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

// largePool is the number of nodes up to which a pool has no progress: its nodes in the record tell it.
const largePool = 200

// observeProgress adds how many nodes of each large pool are in which phase, if that has changed.
func (p pools) observeProgress(nodes []update.Node, w *observer) {
	present := map[string]*updatev1alpha1.PoolProgress{}
	for name, one := range p {
		if one.Nodes > largePool {
			present[name] = &updatev1alpha1.PoolProgress{At: *w.statusTime()}
		}
	}
	if len(present) == 0 {
		return
	}
	for _, node := range nodes {
		if counts := present[node.Pool]; counts != nil {
			count(counts, phaseOf(node))
		}
	}
	for name, counts := range present {
		p[name].addProgress(*counts)
	}
}

// phaseOf returns the phase of a node. One that has rebooted and is uncordoned is in its phase Rebooting until it is done.
func phaseOf(node update.Node) insight.NodePhase {
	if last := len(node.Phases) - 1; node.State.Updating && last >= 0 {
		return insight.NodePhase(node.Phases[last].Phase)
	}
	return node.State.Phase
}

func count(counts *updatev1alpha1.PoolProgress, phase insight.NodePhase) {
	switch phase {
	case insight.PhaseDraining:
		counts.Draining++
	case insight.PhaseUpdating:
		counts.Updating++
	case insight.PhaseRebooting:
		counts.Rebooting++
	case insight.PhaseCompleted:
		counts.Completed++
	case insight.PhasePaused, insight.PhasePending, insight.PhaseUnknown: // all others have not started
	}
}

// addProgress adds the counts of a moment. Without a change they say nothing new, and of two at the same moment the last one counts.
func (p *pool) addProgress(counts updatev1alpha1.PoolProgress) {
	if last := len(p.Progress) - 1; last >= 0 {
		before := p.Progress[last]
		if before.At.Equal(&counts.At) {
			p.Progress = p.Progress[:last]
		} else if before.At = counts.At; before == counts {
			return
		}
	}
	p.Progress = thinned(append(p.Progress, counts), updatev1alpha1.RecordMaxProgress)
}

// thinned leaves out moments until there are at most limit: always the one between two others that are nearest to each other, so
// that the first and the last stay, and the others are spread over the time between.
func thinned(all []updatev1alpha1.PoolProgress, limit int) []updatev1alpha1.PoolProgress {
	for len(all) > limit {
		nearest := 1
		for at := 1; at < len(all)-1; at++ {
			if all[at+1].At.Sub(all[at-1].At.Time) < all[nearest+1].At.Sub(all[nearest-1].At.Time) {
				nearest = at
			}
		}
		all = slices.Delete(all, nearest, nearest+1)
	}
	return all
}
