package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// Sequence is a cluster that is updated several times, with what it is in each update.
type Sequence struct {
	Name    string
	Updates []Cluster
}

// Cluster is a cluster in one update.
type Cluster struct {
	Workers, MaxUnavailable int
	Times                   Times
	// OperatorScale is how long the operators take, 1 for the usual.
	OperatorScale float64
	// IsMinor is whether the update is one to the next minor version.
	IsMinor bool
	// Disruption is what the update does to the nodes.
	Disruption simulator.Disruption
}

// sequences are those for which ranges are measured.
func sequences() []Sequence {
	machines, drains, metal := times()[0], times()[1], times()[2]
	same := func(one Cluster) []Cluster { return []Cluster{one, one, one, one} }
	small := Cluster{Workers: 6, MaxUnavailable: 1, Times: machines, OperatorScale: 1}
	large := Cluster{Workers: 30, MaxUnavailable: 3, Times: machines, OperatorScale: 1}
	bare := Cluster{Workers: 6, MaxUnavailable: 1, Times: metal, OperatorScale: 1.3}
	slow := Cluster{Workers: 12, MaxUnavailable: 2, Times: drains, OperatorScale: 1}
	grown, quick, minor := small, Cluster{Workers: 12, MaxUnavailable: 1, Times: machines, OperatorScale: 1}, small
	grown.Workers = 18
	quicker := quick
	quicker.MaxUnavailable = 3
	minor.IsMinor, minor.OperatorScale = true, 1.6
	// Whether nodes reboot is not known before the first one of the update was updated.
	undisrupted := small
	undisrupted.Times, undisrupted.Disruption = times()[4], simulator.NoDisruption
	return []Sequence{
		{"virtual machines, 6 nodes, 1 at a time", same(small)},
		{"virtual machines, 30 nodes, 3 at a time", same(large)},
		{"bare metal, 6 nodes, 1 at a time", same(bare)},
		{"long drains, 12 nodes, 2 at a time", same(slow)},
		{"virtual machines, then bare metal", []Cluster{small, small, bare, bare}},
		{"a pool that grew from 6 nodes to 18", []Cluster{small, small, grown, grown}},
		{"12 nodes, maxUnavailable 1, then 3", []Cluster{quick, quick, quicker, quicker}},
		{"patch and minor versions in turn", []Cluster{small, minor, small, minor}},
		{"one update without a reboot", []Cluster{small, small, undisrupted, small}},
	}
}

const (
	// updateSigma is by how much all operators, and all nodes, of one update take longer or shorter than in another.
	updateSigma = 0.08
	// look is how often the ranges are read.
	look = 30 * time.Second
)

// glance are the ranges at a moment.
type glance struct {
	at   time.Time
	made *updatev1alpha1.UpdateStatusSummaryStatus
}

// playUpdate plays an update with what is known of those before, and returns what was seen and its record.
func playUpdate(cluster Cluster, seed uint64, history estimate.History) ([]glance, updatev1alpha1.UpdateRecordStatus) {
	random := rand.New(rand.NewPCG(seed, 1))
	factor := func() float64 { return math.Exp(updateSigma * random.NormFloat64()) }
	operators, nodes := factor(), factor()
	to := "4.20.2"
	if cluster.IsMinor {
		to = "4.21.0"
	}
	playing := played.New(simulator.Update{
		Seed: seed, Start: start, From: before, To: to, OperatorScale: cluster.OperatorScale * operators,
		Pools: []simulator.Pool{
			{Name: "master", Nodes: 3, Disruption: cluster.Disruption},
			{Name: poolName, Nodes: cluster.Workers, MaxUnavailable: cluster.MaxUnavailable, Disruption: cluster.Disruption},
		},
		NodeTimes: func(random *rand.Rand) (drain, update, reboot time.Duration) {
			scaled := func(one time.Duration) time.Duration { return time.Duration(nodes * float64(one)) }
			return scaled(cluster.Times.drain(random)), scaled(cluster.Times.Update.draw(random)), scaled(cluster.Times.Reboot.draw(random))
		},
	})
	var seen []glance
	var made *updatev1alpha1.UpdateStatusSummaryStatus
	fold := record.Resume(nil)
	last := start
	for now, more := playing.Next(); more; now, more = playing.Next() {
		isLook := now.Sub(last) >= look
		// The times of phases come from the status that the controller builds when a node changed.
		if !isLook && !playing.NodeChanged() {
			continue
		}
		status := playing.Status(now)
		if !isLook {
			continue
		}
		last = now
		reading := update.Read(status)
		fold.Observe(reading, now)
		made = summary.Of(summary.Input{Update: reading, History: history, Previous: made, Now: now})
		seen = append(seen, glance{now, made})
	}
	end := last.Add(look)
	fold.Observe(update.Read(playing.Status(end)), end)
	return seen, fold.Record().Status
}

// moments are the shares of the time of an update at which a range is measured, in percent.
var moments = []int{0, 10, 25, 50, 75}

// ranges is what was measured of some ranges: at each of the moments, how many there were, how many covered the end, and how wide
// they were in proportion to what was left.
type ranges struct {
	name    string
	count   []int
	covered []int
	widths  [][]float64
}

func newRanges(name string) *ranges {
	return &ranges{name: name, count: make([]int, len(moments)), covered: make([]int, len(moments)), widths: make([][]float64, len(moments))}
}

func (r *ranges) add(moment int, estimate *updatev1alpha1.SummaryEstimate, now, end time.Time) {
	if estimate == nil || !end.After(now) {
		return
	}
	r.count[moment]++
	if !estimate.Earliest.After(end) && !estimate.Latest.Time.Before(end) {
		r.covered[moment]++
	}
	r.widths[moment] = append(r.widths[moment], float64(estimate.Latest.Sub(estimate.Earliest.Time))/float64(end.Sub(now)))
}

// coverage is the share of the ranges that covered the end.
func (r *ranges) coverage(moment int) float64 {
	return float64(r.covered[moment]) / float64(r.count[moment])
}

// width is the median of the widths.
func (r *ranges) width(moment int) float64 {
	return quantile(slices.Sorted(slices.Values(r.widths[moment])), 0.5)
}

// measuredSequence is what was measured of a sequence: the first update, without a record, and the others.
type measuredSequence struct {
	Sequence

	first, later *ranges
}

// measuredRanges is what was measured of all sequences.
type measuredRanges struct {
	sequences []measuredSequence
	// first and later are of all of them, for the whole update; controlPlane and pools are of all updates, for these.
	first, later, controlPlane, pools *ranges
}

// sequenceRuns is how often each sequence is played for the page.
const sequenceRuns = 6

// measureRanges plays each sequence some times, as many of them at a time as there are processors.
func measureRanges(sequences []Sequence, runs int) *measuredRanges {
	all := &measuredRanges{
		sequences: make([]measuredSequence, len(sequences)), first: newRanges("**all of them, without a record**"),
		later: newRanges("**all of them, with records**"), controlPlane: newRanges("their control planes"), pools: newRanges("their pools"),
	}
	updates := make([][]watched, len(sequences))
	inParallel(len(sequences), func(at int) { updates[at] = playSequence(sequences[at], uint64(at), runs) })
	for at, sequence := range sequences {
		one := measuredSequence{sequence, newRanges(sequence.Name + ", without a record"), newRanges(sequence.Name)}
		for _, played := range updates[at] {
			own, together := one.later, all.later
			if played.isFirst {
				own, together = one.first, all.first
			}
			for moment, share := range moments {
				all.measure(moment, share, played, own, together)
			}
		}
		all.sequences[at] = one
	}
	return all
}

// watched is an update that was played.
type watched struct {
	isFirst bool
	seen    []glance
	made    updatev1alpha1.UpdateRecordStatus
}

func playSequence(sequence Sequence, number uint64, runs int) []watched {
	var all []watched
	for run := range uint64(runs) {
		var history estimate.History
		for at, cluster := range sequence.Updates {
			seen, made := playUpdate(cluster, 1000*number+10*run+uint64(at), history)
			all = append(all, watched{at == 0, seen, made})
			history = slices.Insert(history, 0, made)
		}
	}
	return all
}

// measure adds the ranges at a moment.
func (m *measuredRanges) measure(moment, share int, of watched, own, together *ranges) {
	made, end := &of.made, of.made.CompletedAt
	if end == nil {
		panic(fmt.Sprintf("the end of an update is not known: %+v", made.RecordTimes))
	}
	wanted := made.StartedAt.Add(end.Sub(made.StartedAt.Time) * time.Duration(share) / 100)
	for _, one := range of.seen {
		if one.at.Before(wanted) || one.made.ControlPlane == nil || one.made.StartedAt == nil {
			continue
		}
		for _, to := range []*ranges{own, together} {
			to.add(moment, one.made.Estimate, one.at, end.Time)
		}
		m.controlPlane.add(moment, one.made.ControlPlane.Estimate, one.at, made.ControlPlane.CompletedAt.Time)
		for _, pool := range one.made.WorkerPools {
			for _, done := range made.Pools {
				if done.Name == pool.Name && done.CompletedAt != nil {
					m.pools.add(moment, pool.Estimate, one.at, done.CompletedAt.Time)
				}
			}
		}
		return
	}
}
