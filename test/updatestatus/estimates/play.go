package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

const (
	poolName = "worker"
	before   = "4.20.1"
	target   = "4.20.2"
)

var start = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// Moment is the object when a node was done.
type Moment struct {
	At   time.Time
	Done int
	// Estimate is zero where there was none.
	Estimate time.Time
}

// player plays the update of a pool.
type player struct {
	Scenario

	random *rand.Rand
	now    time.Time
	// steps are those that are planned, in the order of their times.
	steps  []step
	pool   *machineconfigv1.MachineConfigPool
	nodes  []*corev1.Node
	states []insight.NodeState
	begun  int
	done   int

	ledger  *ledger.Ledger
	builder *status.Builder
	status  *updatev1alpha1.UpdateStatusStatus
	moments []Moment
}

// Play returns the object whenever a node was done. The last of these moments is the end.
func Play(scenario Scenario, seed uint64) []Moment {
	p := &player{
		Scenario: scenario, random: rand.New(rand.NewPCG(seed, uint64(scenario.Nodes))), now: start,
		pool:   builders.MachineConfigPool(poolName, builders.Configuration(target), builders.MaxUnavailable(scenario.MaxUnavailable)),
		states: make([]insight.NodeState, scenario.Nodes),
		ledger: ledger.New(), builder: status.NewBuilder(),
	}
	for at := range scenario.Nodes {
		name := fmt.Sprintf("worker-%d", at)
		p.nodes = append(p.nodes, builders.Node(name, builders.Role(poolName), builders.Configs(before, before), builders.Drain("uncordon-"+before, "uncordon-"+before)))
		p.assess(at)
	}
	p.ledger.Apply(insight.Message{Source: insight.NodeInformer, State: &insight.State{Complete: true}})
	p.build()
	p.after(time.Second, p.roll)
	for len(p.steps) > 0 {
		next := p.steps[0]
		p.now, p.steps = next.at, p.steps[1:]
		next.do()
	}
	return p.moments
}

// roll starts the update of as many nodes as may be updated at a time.
func (p *player) roll() {
	for p.begun < p.Nodes && p.begun-p.done < p.MaxUnavailable {
		p.updateNode(p.begun)
		p.begun++
	}
}

// nodeStep is what happens to a node some time after the step before.
type nodeStep struct {
	wait   time.Duration
	change builders.NodeOption
}

// updateNode updates a node, as the Machine Config Controller and its daemon do (openshift/machine-config-operator,
// pkg/daemon/update.go, pkg/daemon/daemon.go). By a node disruption policy, or on a single node, there is no drain, no reboot, or
// neither. A drained node is uncordoned before it is done.
func (p *player) updateNode(at int) {
	drained, rebooted := p.Times.Drain.Median > 0, p.Times.Reboot.Median > 0
	steps := []nodeStep{
		{time.Second, builders.Configs(before, target)},
		{4 * time.Second, builders.State(builders.StateWorking)},
	}
	var written time.Duration
	if drained {
		steps = append(steps, nodeStep{2 * time.Second, builders.Drain("drain-"+target, "uncordon-"+before)},
			nodeStep{p.Times.drain(p.random), builders.Drain("drain-"+target, "drain-"+target)})
	}
	written = p.Times.Update.draw(p.random)
	if rebooted {
		steps = append(steps, nodeStep{written, builders.PostConfigAction(builders.PostConfigActionRebooting)},
			nodeStep{p.Times.Reboot.draw(p.random), builders.PostConfigAction("")})
		written = 0
	}
	if drained {
		steps = append(steps, nodeStep{written + 2*time.Second, builders.Drain("uncordon-"+target, "drain-"+target)},
			nodeStep{5 * time.Second, builders.Drain("uncordon-"+target, "uncordon-"+target)})
		written = 5 * time.Second
	}
	p.play(at, append(steps, nodeStep{written, builders.Configs(target, target)}))
}

// play plays the steps of a node, and then the start of the next one: the node controller syncs a pool five seconds after a node
// has changed (pkg/controller/node/node_controller.go, defaultUpdateDelay).
func (p *player) play(at int, steps []nodeStep) {
	var wait time.Duration
	for _, one := range steps {
		wait += one.wait
		p.after(wait, func() { p.change(at, one.change) })
	}
	p.after(wait, func() {
		p.done++
		p.moments = append(p.moments, Moment{At: p.now, Done: p.done, Estimate: p.estimate()})
	})
	p.after(wait+time.Duration(5+p.random.IntN(5))*time.Second, p.roll)
}

func (p *player) change(at int, how builders.NodeOption) {
	changed := p.nodes[at].DeepCopy()
	how(changed)
	p.nodes[at] = changed
	p.assess(at)
	p.build()
}

// assess reports a node and its pool, as the node informer does.
func (p *player) assess(at int) {
	result := standalone.Node(standalone.NodeInput{
		Node: p.nodes[at], Pool: p.pool, Target: standalone.Target{Known: true, Version: target},
		VersionOf: func(config string) string { return config },
	}, p.now)
	p.states[at] = insight.StateOf(result.Report.Insights[0].Insight.Node)
	pool := standalone.MachineConfigPool(standalone.MachineConfigPoolInput{
		Pool: p.pool, Nodes: insight.CountNodes(p.states...), Target: standalone.Target{Known: true, Version: target},
	}, p.now)
	p.ledger.Apply(insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{result.Report, pool.Report}})
}

func (p *player) build() {
	p.status = p.builder.Build(p.ledger.View(), p.now)
}

func (p *player) estimate() time.Time {
	for _, pool := range p.status.WorkerPools {
		for _, one := range pool.Informers[0].Insights {
			if one.MachineConfigPool != nil && one.MachineConfigPool.EstimatedCompletedAt != nil {
				return one.MachineConfigPool.EstimatedCompletedAt.Time
			}
		}
	}
	return time.Time{}
}

// after plans a step, behind those of the same moment.
func (p *player) after(wait time.Duration, do func()) {
	at := p.now.Add(wait)
	next := slices.IndexFunc(p.steps, func(one step) bool { return one.at.After(at) })
	if next < 0 {
		next = len(p.steps)
	}
	p.steps = slices.Insert(p.steps, next, step{at, do})
}

// step is something that happens at a moment.
type step struct {
	at time.Time
	do func()
}
