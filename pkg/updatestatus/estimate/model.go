package estimate

import (
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

const (
	// stuckAfter is the least that a node takes before its pool counts as stuck: three times the rule of thumb, and the time
	// after which the Machine Config Operator gives up a drain and reports the node as degraded.
	stuckAfter = time.Hour
	// farMedians and farSpreads define what is far longer than other nodes took: three medians, and three times the
	// interquartile range above the third quartile (Tukey's "far out").
	farMedians = 3
	farSpreads = 3
	// overdue is the share of the time that it has taken already which a node is expected to take still, where none before it
	// took as long.
	overdue = 0.25
)

// durationModel is how long the nodes of a pool take, in seconds.
type durationModel struct {
	durations *Durations
	// limit is what counts as far longer than other nodes took.
	limit float64
}

func newDurationModel(durations *Durations) durationModel {
	m := durationModel{durations: durations, limit: stuckAfter.Seconds()}
	if all := durations[wholeUpdate].Seconds; len(all) > 0 {
		low, median, high := quantile(all, 0.25), quantile(all, 0.5), quantile(all, 0.75)
		m.limit = max(m.limit, farMedians*median, high+farSpreads*(high-low))
	}
	return m
}

// from returns the durations from the start of a phase on, or else the rule of thumb. What is far longer than the others says
// more about a gap in the observation, or about one node, than about the nodes to come: it counts as the limit.
func (m durationModel) from(at int) []float64 {
	seconds := m.durations[at].Seconds
	if len(seconds) == 0 {
		return []float64{usual(at).Seconds()}
	}
	limited := make([]float64, len(seconds))
	for i, one := range seconds {
		limited[i] = min(float64(one), m.limit)
	}
	return limited
}

// present returns the phase in which a node is at a moment, and for how many seconds it has been in it. Where the start of
// the phase was not observed, or no node was observed to go on from there, it is the whole update. What nodes took that did not
// reboot says nothing about one that does.
func (m durationModel) present(node Progress, now time.Time) (at int, elapsed float64) {
	if last := len(node.phases) - 1; last >= 0 {
		at = indexOf(node.phases[last].Phase)
		known := len(m.durations[at].Seconds) > 0 || len(m.durations[wholeUpdate].Seconds) == 0 || at == rebooting
		isPresent := at >= indexOf(updatev1alpha1.NodeUpdatePhase(node.State.Phase))
		if known && isPresent {
			return at, max(now.Sub(node.phases[last].StartedAt.Time).Seconds(), 0)
		}
	}
	return wholeUpdate, max(now.Sub(node.started()).Seconds(), 0)
}

// runningNode is a node that is being updated: for how long, and what others took from the same phase on.
type runningNode struct {
	elapsed float64
	// others are sorted; there is at least one.
	others []float64
}

// longer returns those of the others that took longer than this node has taken already.
func (n runningNode) longer() []float64 {
	for at, one := range n.others {
		if one > n.elapsed {
			return n.others[at:]
		}
	}
	return nil
}

// rest returns how long the node is expected to take still.
func (n runningNode) rest() float64 {
	longer := n.longer()
	if len(longer) == 0 {
		return overdue * n.elapsed
	}
	return mean(longer) - n.elapsed
}

// doneWithin returns the probability that the node takes no longer than some time.
func (n runningNode) doneWithin(time float64) float64 {
	longer := n.longer()
	if len(longer) == 0 {
		if time >= overdue*n.elapsed {
			return 1
		}
		return 0
	}
	done := 0
	for done < len(longer) && longer[done] <= n.elapsed+time {
		done++
	}
	return float64(done) / float64(len(longer))
}

// longest returns the most that the node may take still.
func (n runningNode) longest() float64 {
	if len(n.longer()) == 0 {
		return overdue * n.elapsed
	}
	return n.others[len(n.others)-1] - n.elapsed
}

func mean(of []float64) float64 {
	var sum float64
	for _, one := range of {
		sum += one
	}
	return sum / float64(len(of))
}
