package simulator

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
)

// What the Machine Config Operator does with pools.

type pool struct {
	script  Pool
	object  *machineconfigv1.MachineConfigPool
	configs []*machineconfigv1.MachineConfig
	nodes   []*node
	// queue are the nodes that are to be updated, busy those that are being updated or failed to be.
	queue []*node
	busy  int
	// target is the configuration that the pool's nodes should have.
	target string
	// stage is how far the pool is.
	stage poolStage
}

type poolStage int

const (
	poolWaiting poolStage = iota
	poolRolling
	poolDone
)

// NodeName returns the name of a node of a pool, counted from 0.
func NodeName(pool string, at int) string {
	return fmt.Sprintf("%s-%d.cluster.example.com", pool, at)
}

func rendered(pool, version string) string {
	return "rendered-" + pool + "-" + builders.Digest(pool + version)[:32]
}

func (s *Simulation) buildPool(script Pool) *pool {
	from, since := rendered(script.Name, s.update.From), s.ago(sinceUpdateBefore)
	p := &pool{
		script: script,
		target: from,
		object: builders.MachineConfigPool(script.Name, builders.Configuration(from),
			builders.MaxUnavailable(script.MaxUnavailable)),
		configs: []*machineconfigv1.MachineConfig{
			builders.MachineConfig("00-"+script.Name, ""),
			builders.MachineConfig(rendered(script.Name, installedVersion), installedVersion),
			builders.MachineConfig(from, s.update.From),
		},
	}
	p.object.Spec.Paused = script.Paused
	if script.Name != masterPool && script.Name != workerPool {
		// A custom pool has the configurations of worker besides its own.
		p.object.Spec.MachineConfigSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{
			Key:      "machineconfiguration.openshift.io/role",
			Operator: metav1.LabelSelectorOpIn,
			Values:   []string{workerPool, script.Name},
		}}}
	}
	for at := range script.Nodes {
		p.nodes = append(p.nodes, s.buildNode(p, NodeName(script.Name, at), from))
	}
	p.object.Status = p.count(machineconfigv1.MachineConfigPoolStatus{}, since)
	return p
}

// startPool sets the configuration of the new release in a pool, and starts to update its nodes.
func (s *Simulation) startPool(p *pool) {
	config := builders.MachineConfig(rendered(p.script.Name, s.update.To), s.update.To)
	s.update.Dress(config)
	p.configs = append(p.configs, config)
	p.target = config.Name
	p.queue = append(p.queue, p.nodes...)
	s.random.Shuffle(len(p.queue), func(i, j int) { p.queue[i], p.queue[j] = p.queue[j], p.queue[i] })

	s.create(config)
	s.after(2*time.Second, func() {
		change(s, p.object, allButStatus, func(object *machineconfigv1.MachineConfigPool) {
			object.Spec.Configuration.Name = config.Name
		})
		s.recount(p)
	})
	s.after(10*time.Second, func() {
		p.stage = poolRolling
		s.roll(p)
	})
}

// roll starts the update of as many nodes as may be updated at a time, and calls back when the pool is done.
func (s *Simulation) roll(p *pool) {
	if p.stage != poolRolling {
		return
	}
	for !p.object.Spec.Paused && p.busy < p.script.MaxUnavailable && len(p.queue) > 0 {
		next := p.queue[0]
		p.queue = p.queue[1:]
		p.busy++
		s.updateNode(next)
	}
	if p.busy > 0 || len(p.queue) > 0 {
		return
	}
	p.stage = poolDone
	if p.script.Name == masterPool {
		s.after(15*time.Second, s.masterDone)
	}
}

func (s *Simulation) nodeDone(p *pool) {
	p.busy--
	s.recount(p)
	s.roll(p)
}

// recount writes the counts of a pool.
func (s *Simulation) recount(p *pool) {
	change(s, p.object, status, func(object *machineconfigv1.MachineConfigPool) {
		object.Status = p.count(object.Status, s.time())
	})
}

func (p *pool) count(
	before machineconfigv1.MachineConfigPoolStatus, now time.Time,
) machineconfigv1.MachineConfigPoolStatus {
	result := machineconfigv1.MachineConfigPoolStatus{
		Configuration:      before.Configuration,
		MachineCount:       int32(len(p.nodes)),
		Conditions:         before.Conditions,
		ObservedGeneration: 1,
	}
	for _, node := range p.nodes {
		annotations := node.object.Annotations
		done := annotations[builders.AnnotationCurrentConfig] == p.target
		ready := isReady(node.object) && !node.object.Spec.Unschedulable
		result.UpdatedMachineCount += one(done)
		result.ReadyMachineCount += one(done && ready)
		result.UnavailableMachineCount += one(!ready)
		result.DegradedMachineCount += one(annotations[builders.AnnotationState] == builders.StateDegraded)
	}
	all := result.UpdatedMachineCount == result.MachineCount
	if all {
		result.Configuration.Name = p.target
	}
	degraded := result.DegradedMachineCount > 0
	for _, condition := range []struct {
		kind machineconfigv1.MachineConfigPoolConditionType
		is   bool
	}{
		{machineconfigv1.MachineConfigPoolUpdated, all},
		{machineconfigv1.MachineConfigPoolUpdating, !all && !p.object.Spec.Paused},
		{machineconfigv1.MachineConfigPoolNodeDegraded, degraded},
		{machineconfigv1.MachineConfigPoolDegraded, degraded},
	} {
		result.Conditions = setPoolCondition(result.Conditions, condition.kind, condition.is, now)
	}
	return result
}

func setPoolCondition(
	conditions []machineconfigv1.MachineConfigPoolCondition, kind machineconfigv1.MachineConfigPoolConditionType,
	is bool, now time.Time,
) []machineconfigv1.MachineConfigPoolCondition {
	next := machineconfigv1.MachineConfigPoolCondition{
		Type: kind, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(now),
	}
	if is {
		next.Status = corev1.ConditionTrue
	}
	for at, condition := range conditions {
		if condition.Type != kind {
			continue
		}
		if condition.Status != next.Status {
			conditions[at] = next
		}
		return conditions
	}
	return append(conditions, next)
}

func one(is bool) int32 {
	if is {
		return 1
	}
	return 0
}

func isReady(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
