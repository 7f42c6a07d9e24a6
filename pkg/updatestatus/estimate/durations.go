package estimate

import (
	"math"
	"slices"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Durations are what the nodes of a pool took, by the index of the phase from which on.
type Durations [len(phases)]updatev1alpha1.NodeDurations

// ReadDurations reads what a status has. It may have been edited: what is no duration is dropped.
func ReadDurations(stored []updatev1alpha1.NodeDurations) Durations {
	var read Durations
	for _, one := range stored {
		at := indexOf(one.Phase)
		if at < 0 {
			continue
		}
		one.Seconds = slices.DeleteFunc(slices.Clone(one.Seconds), func(seconds int32) bool {
			return seconds < 1 || time.Duration(seconds)*time.Second > longestUpdate
		})
		slices.Sort(one.Seconds)
		one.Seconds = one.Seconds[:min(len(one.Seconds), updatev1alpha1.NodeDurationsMaxSeconds)]
		one.Count = max(one.Count, int32(len(one.Seconds)))
		read[at] = one
	}
	return read
}

// list returns the durations as a status has them.
func (d *Durations) list() []updatev1alpha1.NodeDurations {
	var listed []updatev1alpha1.NodeDurations
	for at := range d {
		if len(d[at].Seconds) > 0 {
			listed = append(listed, d[at])
		}
	}
	return listed
}

// Quantiles returns the durations as a status has them, in place of more than a number of each phase that many quantiles: the
// shortest, the longest, and those between them.
func (d *Durations) Quantiles(count int) []updatev1alpha1.NodeDurations {
	listed := d.list()
	for at := range listed {
		if seconds := listed[at].Seconds; len(seconds) > count {
			listed[at].Seconds = make([]int32, count)
			for i := range count {
				listed[at].Seconds[i] = int32(quantile(seconds, float64(i)/float64(count-1)))
			}
		}
	}
	return listed
}

// Add adds what a node took that is done.
func (d *Durations) Add(node Phases, done time.Time) {
	d.add(node.durations(done))
}

func (d *Durations) add(taken phaseDurations) {
	for at, seconds := range taken {
		if seconds > 0 {
			d[at].Phase = phases[at]
			addDuration(&d[at], seconds)
		}
	}
}

// addDuration keeps a random sample (algorithm R of Vitter) and not the last durations, which are those of the slow nodes of
// each batch. The random number comes from the count, so that the same durations give the same sample.
func addDuration(to *updatev1alpha1.NodeDurations, seconds int32) {
	if to.Count == math.MaxInt32 {
		return
	}
	to.Count++
	if len(to.Seconds) >= updatev1alpha1.NodeDurationsMaxSeconds {
		leaves := int(mix(uint64(to.Count)) % uint64(to.Count))
		if leaves >= len(to.Seconds) {
			return
		}
		to.Seconds = slices.Delete(to.Seconds, leaves, leaves+1)
	}
	at, _ := slices.BinarySearch(to.Seconds, seconds)
	to.Seconds = slices.Insert(to.Seconds, at, seconds)
}

// mix spreads a number over all bits (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// haveRebooted returns whether most of the nodes rebooted. Those of an update that changes neither the operating system nor what
// node disruption policies reboot for don't.
func (d *Durations) haveRebooted() bool {
	return 2*int64(d[rebooting].Count) > int64(d[wholeUpdate].Count)
}

// with returns two samples together, the other one scaled so that both have the same level.
func (d Durations) with(other Durations) Durations {
	if len(d[wholeUpdate].Seconds) > 0 {
		mean, _ := logarithms(d[wholeUpdate].Seconds)
		other = other.scale(mean)
	}
	for at := range d {
		d[at].Phase, d[at].Count = phases[at], d[at].Count+other[at].Count
		d[at].Seconds = slices.Sorted(slices.Values(slices.Concat(d[at].Seconds, other[at].Seconds)))
	}
	return d
}

// scale returns a sample scaled so that the logarithm of the whole update, which it has, has a mean.
func (d Durations) scale(mean float64) Durations {
	own, _ := logarithms(d[wholeUpdate].Seconds)
	factor := math.Exp(mean - own)
	for at := range d {
		scaled := make([]int32, len(d[at].Seconds))
		for i, one := range d[at].Seconds {
			scaled[i] = int32(min(max(float64(one)*factor, 1), longestUpdate.Seconds()))
		}
		d[at].Seconds = scaled
	}
	return d
}

// usualNodesAtLeast is of how many nodes it must be known what they took.
const usualNodesAtLeast = 3

// usual returns the median and the 90th percentile from the start of a phase on, zero if they are not known of three nodes.
func (d *Durations) usual(phase insight.NodePhase) (median, long time.Duration) {
	at := indexOf(updatev1alpha1.NodeUpdatePhase(phase))
	if at < 0 || len(d[at].Seconds) < usualNodesAtLeast {
		return 0, 0
	}
	of := func(share float64) time.Duration {
		return time.Duration(quantile(d[at].Seconds, share)) * time.Second
	}
	return of(0.5), of(0.9)
}

// Medians are rounded: one that moves by seconds with every node that is done would change all nodes in progress.
const (
	coarse = time.Minute
	fine   = 30 * time.Second
	// coarseFrom is the median from which on it is rounded coarsely.
	coarseFrom = 10 * time.Minute
)

// typical returns the median of the durations, rounded; zero if there is none.
func typical(durations *updatev1alpha1.NodeDurations) time.Duration {
	if len(durations.Seconds) == 0 {
		return 0
	}
	median := time.Duration(quantile(durations.Seconds, 0.5) * float64(time.Second))
	if median >= coarseFrom {
		return median.Round(coarse)
	}
	return max(median.Round(fine), fine)
}

// quantile returns a quantile of sorted numbers, of which there is at least one, interpolated between two of them.
func quantile(sorted []int32, share float64) float64 {
	position := share * float64(len(sorted)-1)
	below := int(position)
	if below+1 >= len(sorted) {
		return float64(sorted[len(sorted)-1])
	}
	part := position - float64(below)
	return float64(sorted[below])*(1-part) + float64(sorted[below+1])*part
}
