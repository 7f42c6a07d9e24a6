package status

import (
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// usual is how long a node usually takes from the begin of a phase to the end of its update: ten minutes to drain, five to
// update, five to reboot. It is a rule of thumb, for as long as no node of the pool is done.
var usual = [len(updatePhases)]time.Duration{20 * time.Minute, 10 * time.Minute, 5 * time.Minute}

const (
	// stuckAfter is the least that a node takes before it is said to be stuck: three times what is usual, and the time
	// after which the Machine Config Operator gives up a drain and says that the node is degraded.
	stuckAfter = time.Hour
	// farMedians and farSpreads say what is far longer than others took: three medians, and three times the range of the
	// middle half above it (what Tukey calls far out).
	farMedians = 3
	farSpreads = 3
	// overdue is the share of what it has taken that a node is expected to take still, if none before it took as long.
	overdue = 0.25
)

// pace is how fast the nodes of a pool are updated. Its times are in seconds.
type pace struct {
	durations *nodeDurations
	// limit is what counts as far longer than others took.
	limit float64
}

func paceOf(durations *nodeDurations) pace {
	p := pace{durations: durations, limit: stuckAfter.Seconds()}
	if all := durations[wholeUpdate].Seconds; len(all) > 0 {
		low, median, high := quantile(all, 0.25), quantile(all, 0.5), quantile(all, 0.75)
		p.limit = max(p.limit, farMedians*median, high+farSpreads*(high-low))
	}
	return p
}

// from are the durations from the begin of a phase on. What is far longer than the others took says more of a gap, as when
// nobody watched, or of one node than of those to come, and counts for no more than the limit.
func (p pace) from(at int) []float64 {
	seconds := p.durations[at].Seconds
	limited := make([]float64, len(seconds))
	for i, one := range seconds {
		limited[i] = min(float64(one), p.limit)
	}
	return limited
}

// present returns where in its update a node is at a moment, and for how long it has been there, in seconds. Where that
// was not seen, or no node was seen to go on from there, its whole update counts.
func (p pace) present(node progress, now time.Time) (at int, elapsed float64) {
	if last := len(node.phases) - 1; last >= 0 {
		at = phaseAt(node.phases[last].Phase)
		known := len(p.durations[at].Seconds) > 0 || len(p.durations[wholeUpdate].Seconds) == 0
		isPresent := node.phases[last].Phase == updatev1alpha1.NodeUpdatePhase(node.state.Phase)
		if known && isPresent {
			return at, max(now.Sub(node.phases[last].StartedAt.Time).Seconds(), 0)
		}
	}
	return wholeUpdate, max(now.Sub(node.since).Seconds(), 0)
}

// job is a node that is being updated: how long it has been so, and what others took from the same point on.
type job struct {
	elapsed float64
	// others are sorted; there is at least one.
	others []float64
}

// longer returns those of the others that took longer than this one has taken already.
func (j job) longer() []float64 {
	for at, one := range j.others {
		if one > j.elapsed {
			return j.others[at:]
		}
	}
	return nil
}

// rest is how long the node is expected to take still.
func (j job) rest() float64 {
	longer := j.longer()
	if len(longer) == 0 {
		return overdue * j.elapsed
	}
	return mean(longer) - j.elapsed
}

// doneWithin is the probability that it takes no longer than some time.
func (j job) doneWithin(time float64) float64 {
	longer := j.longer()
	if len(longer) == 0 {
		if time >= overdue*j.elapsed {
			return 1
		}
		return 0
	}
	done := 0
	for done < len(longer) && longer[done] <= j.elapsed+time {
		done++
	}
	return float64(done) / float64(len(longer))
}

// longest is the most that it may take still.
func (j job) longest() float64 {
	if len(j.longer()) == 0 {
		return overdue * j.elapsed
	}
	return j.others[len(j.others)-1] - j.elapsed
}

func mean(of []float64) float64 {
	var sum float64
	for _, one := range of {
		sum += one
	}
	return sum / float64(len(of))
}
