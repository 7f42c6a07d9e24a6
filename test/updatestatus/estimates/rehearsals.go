package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// Shape is a cluster whose update is rehearsed, with how many updates before it.
type Shape struct {
	Cluster

	Records int
}

// shapes are those for which rehearsals are measured.
func shapes() []Shape {
	var all []Shape
	for at, times := range times()[:3] {
		for _, pool := range []struct{ nodes, maxUnavailable int }{{3, 1}, {6, 1}, {12, 2}, {30, 3}, {48, 8}} {
			for _, records := range []int{0, 3} {
				one := Cluster{Workers: pool.nodes, MaxUnavailable: pool.maxUnavailable, Times: times, OperatorScale: 1 + 0.15*float64(at)}
				all = append(all, Shape{one, records})
			}
		}
	}
	return all
}

// truth is how an update went. Times are from its start on.
type truth struct {
	started      time.Time
	controlPlane time.Duration
	// nodes are the workers.
	nodes []*nodeTruth
}

type nodeTruth struct {
	name               string
	start, reboot, end time.Duration
}

// whole is how long all took, and pool how long the workers did, from when they started.
func (t *truth) whole() time.Duration {
	whole := t.controlPlane
	for _, node := range t.nodes {
		whole = max(whole, node.end)
	}
	return whole
}

func (t *truth) poolStart() time.Duration {
	return slices.MinFunc(t.nodes, func(a, b *nodeTruth) int { return int(a.start - b.start) }).start
}

// script returns the script of an update of a shape.
func (s Shape) script(seed uint64) simulator.Update {
	random := rand.New(rand.NewPCG(seed, 2))
	operators, nodes := math.Exp(updateSigma*random.NormFloat64()), math.Exp(updateSigma*random.NormFloat64())
	return simulator.Update{
		Seed: seed, Start: start, From: before, To: target, OperatorScale: s.OperatorScale * operators, NoMachineConfigNodes: true,
		Pools: []simulator.Pool{{Name: "master", Nodes: 3}, {Name: poolName, Nodes: s.Workers, MaxUnavailable: s.MaxUnavailable}},
		NodeTimes: func(random *rand.Rand) (drain, update, reboot time.Duration) {
			scaled := func(one time.Duration) time.Duration { return time.Duration(nodes * float64(one)) }
			return scaled(s.Times.drain(random)), scaled(s.Times.Update.draw(random)), scaled(s.Times.Reboot.draw(random))
		},
	}
}

// playTruth plays an update, of which no rule reads anything.
func playTruth(script simulator.Update) *truth {
	simulation, result := simulator.NewSimulation(script), &truth{}
	known := map[string]*nodeTruth{}
	for write, more := simulation.Next(); more; write, more = simulation.Next() {
		switch object := write.After.(type) {
		case *configv1.ClusterVersion:
			newest := object.Status.History[0]
			if newest.Version == script.To && result.started.IsZero() {
				result.started = newest.StartedTime.Time
			}
			if newest.Version == script.To && newest.State == configv1.CompletedUpdate {
				result.controlPlane = newest.CompletionTime.Sub(result.started)
			}
		case *corev1.Node:
			if _, isWorker := object.Labels["node-role.kubernetes.io/"+poolName]; isWorker {
				result.see(object, known, write.Time)
			}
		}
	}
	return result
}

// see reads a node that was written.
func (t *truth) see(node *corev1.Node, known map[string]*nodeTruth, now time.Time) {
	annotations, one, since := node.Annotations, known[node.Name], now.Sub(t.started)
	isAssigned := annotations[builders.AnnotationCurrentConfig] != annotations[builders.AnnotationDesiredConfig]
	switch {
	case one == nil && isAssigned:
		one = &nodeTruth{name: node.Name, start: since}
		known[node.Name], t.nodes = one, append(t.nodes, one)
	case one == nil || one.end > 0:
	case annotations[builders.AnnotationPostConfigAction] == builders.PostConfigActionRebooting && one.reboot == 0:
		one.reboot = since
	case !isAssigned:
		one.end = since
	}
}

// record returns the record of an update.
func (t *truth) record() updatev1alpha1.UpdateRecordStatus {
	at := func(since time.Duration) metav1.Time { return metav1.NewTime(t.started.Add(since)) }
	var durations estimate.Durations
	for _, node := range t.nodes {
		phases := []updatev1alpha1.NodePhase{{Phase: updatev1alpha1.PhaseDraining, StartedAt: at(node.start)}}
		if node.reboot > 0 {
			phases = append(phases, updatev1alpha1.NodePhase{Phase: updatev1alpha1.PhaseRebooting, StartedAt: at(node.reboot)})
		}
		durations.Add(estimate.Phases{Phases: phases, StartObserved: true}, t.started.Add(node.end))
	}
	began := at(t.poolStart())
	made := updatev1alpha1.UpdateRecordStatus{}
	started := at(0)
	made.StartedAt, made.Versions = &started, updatev1alpha1.SummaryVersions{Previous: before, Target: target}
	made.Took.ControlPlane = &metav1.Duration{Duration: t.controlPlane}
	made.Pools = []updatev1alpha1.PoolRecord{{Name: poolName, ScopeType: updatev1alpha1.ScopeWorkerPool, NodeDurations: durations.Quantiles(recordedDurations)}}
	made.Pools[0].StartedAt = &began
	return made
}

// recordedDurations is about how many durations a record has of each phase.
const recordedDurations = 32

// rehearsed is an update that was rehearsed and then played.
type rehearsedUpdate struct {
	shape Shape
	went  *truth
	said  *rehearsal.Rehearsal
}

// rehearseAndPlay rehearses an update, with the records of those before it, until a share of the time that it then took, and plays it.
func rehearseAndPlay(shape Shape, seed uint64) rehearsedUpdate {
	var history estimate.History
	for earlier := range shape.Records {
		history = slices.Insert(history, 0, playTruth(shape.script(100*seed+uint64(earlier))).record())
	}
	script := shape.script(100*seed + 99)
	went := playTruth(script)
	in := clusterBefore(script)
	share := 0.3 + 0.6*rand.New(rand.NewPCG(seed, 3)).Float64()
	until := start.Add(time.Duration(share * float64(went.whole())))
	return rehearsedUpdate{shape, went, rehearsal.Of(rehearsal.Input{Cluster: in, History: history, To: target, Until: until, Now: start})}
}

// clusterBefore returns the cluster before an update, which is offered to it.
func clusterBefore(script simulator.Update) standalone.Input {
	in := played.New(script).Input()
	in.ClusterVersion = in.ClusterVersion.DeepCopy()
	in.ClusterVersion.Status.AvailableUpdates = []configv1.Release{{Version: script.To}}
	return in
}

// tally is how often something was so.
type tally struct{ yes, of int }

func (t *tally) add(is bool) {
	t.of++
	if is {
		t.yes++
	}
}

func (t *tally) share() float64 {
	return float64(t.yes) / float64(t.of)
}

// rehearsals is what was measured of some.
type rehearsals struct {
	name string
	// whole, controlPlane, pools and counts are how many were within their range, paused how many pools had no node in progress at the end of a
	// window, and widths how wide the ranges of the whole were in proportion to what it took.
	whole, controlPlane, pools, counts, paused tally
	widths                                     []float64
	// named are problems that healthy clusters were said to have.
	named []string
}

// measuredRehearsals is what was measured of all: without records, with records, and of clusters with a fault.
type measuredRehearsals struct {
	without, with *rehearsals
	// faults is how many of the faults were named.
	faults tally
	missed []string
}

// rehearsedUpdates is how many updates are rehearsed for the page.
const rehearsedUpdates = 500

// measureRehearsals rehearses and plays a number of updates of the shapes, in turn, and rehearses each shape with each fault.
func measureRehearsals(shapes []Shape, number int) *measuredRehearsals {
	all := make([]rehearsedUpdate, number)
	inParallel(number, func(at int) { all[at] = rehearseAndPlay(shapes[at%len(shapes)], uint64(at)+1) })
	m := &measuredRehearsals{without: &rehearsals{name: "without a record"}, with: &rehearsals{name: "with three records"}}
	for _, one := range all {
		if one.shape.Records > 0 {
			m.with.add(one)
		} else {
			m.without.add(one)
		}
	}
	for at, shape := range shapes {
		for _, fault := range faults {
			isNamed := fault.isNamed(shape, uint64(at))
			m.faults.add(isNamed)
			if !isNamed {
				m.missed = append(m.missed, fmt.Sprintf("%s, %d nodes, %d at a time", fault.name, shape.Workers, shape.MaxUnavailable))
			}
		}
	}
	return m
}

func (r *rehearsals) add(one rehearsedUpdate) {
	isIn := func(of estimate.Range, took time.Duration) bool { return of.Least() <= took && took <= of.Most() }
	whole := one.went.whole()
	r.whole.add(isIn(one.said.Takes, whole))
	r.widths = append(r.widths, float64(one.said.Takes.Most()-one.said.Takes.Least())/float64(whole))
	r.controlPlane.add(isIn(one.said.ControlPlane, one.went.controlPlane))
	r.pools.add(isIn(*one.said.Pools[0].Takes, slices.MaxFunc(one.went.nodes, func(a, b *nodeTruth) int { return int(a.end - b.end) }).end-one.went.poolStart()))
	until := one.said.Until.At.Sub(start)
	count, inProgress := int32(0), false
	pool := one.said.Until.Pools[0]
	for _, node := range one.went.nodes {
		if node.end <= until {
			count++
		}
		inProgress = inProgress || pool.PauseBy != nil && node.start < pool.PauseBy.Sub(start) && node.end > until && node.start < until
	}
	r.counts.add(pool.LeastNodes <= count && count <= pool.MostNodes)
	if pool.PauseBy != nil {
		r.paused.add(!inProgress)
	}
	for _, group := range one.said.Problems {
		r.named = append(r.named, fmt.Sprintf("%s: %s", group.Level(), group.Summary()))
	}
}

// rehearsalLimits are bounds of what was measured, as shares of 1.
type rehearsalLimits struct {
	// covered and most are of the ranges of the whole, of pools, and of nodes at a moment, with records; paused of the pools that were paused in
	// time, and width of the median range.
	covered, most, paused, width float64
}

// rehearsalBounds are those of the page. The nodes at a moment are whole numbers: a range of few of them covers more than eight of ten.
var rehearsalBounds = rehearsalLimits{covered: 0.75, most: 0.95, paused: 0.95, width: 0.4}

// check returns which bounds are broken.
func (m *measuredRehearsals) check(bounds rehearsalLimits) error {
	var broken []error
	for name, of := range map[string]tally{"the whole": m.with.whole, "the control plane": m.with.controlPlane, "a pool": m.with.pools, "the nodes at a moment": m.with.counts} {
		if got := of.share(); !(got >= bounds.covered && got <= bounds.most) {
			broken = append(broken, fmt.Errorf("with records, the range of %s covers %.0f %% of %d", name, 100*got, of.of))
		}
	}
	paused := tally{m.with.paused.yes + m.without.paused.yes, m.with.paused.of + m.without.paused.of}
	if got := paused.share(); !(got >= bounds.paused) {
		broken = append(broken, fmt.Errorf("%.0f %% of %d pools were paused in time", 100*got, paused.of))
	}
	if got := m.with.width(); !(got <= bounds.width) {
		broken = append(broken, fmt.Errorf("with records, a range is %.0f %% of what the update took", 100*got))
	}
	for _, named := range slices.Concat(m.with.named, m.without.named) {
		broken = append(broken, fmt.Errorf("a healthy cluster has a problem: %s", named))
	}
	for _, missed := range m.missed {
		broken = append(broken, fmt.Errorf("a fault is not named: %s", missed))
	}
	return errors.Join(broken...)
}

func (r *rehearsals) width() float64 {
	return quantile(slices.Sorted(slices.Values(r.widths)), 0.5)
}

// table has how many were within their ranges, in percent.
func (m *measuredRehearsals) table() string {
	var made strings.Builder
	made.WriteString("| updates | whole | control plane | pool | nodes at a moment | paused in time | width |\n|---|---|---|---|---|---|---|\n")
	for _, r := range []*rehearsals{m.with, m.without} {
		fmt.Fprintf(&made, "| %s |", r.name)
		for _, of := range []tally{r.whole, r.controlPlane, r.pools, r.counts, r.paused} {
			fmt.Fprintf(&made, " %.0f |", 100*of.share())
		}
		fmt.Fprintf(&made, " %.0f |\n", 100*r.width())
	}
	return made.String()
}
