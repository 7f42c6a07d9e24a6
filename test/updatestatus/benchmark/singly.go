package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	// singleChanges is how many changes are made one at a time, at least singleInterval apart. They are more than a hundred, so
	// that their p99 is not the slowest of them: a disk may stall for a tenth of a second now and then, and the bound of a small
	// cluster is 0.3 s.
	singleChanges  = 120
	singleInterval = 2 * time.Second
	// pace is how many bytes the controller writes a second (pkg/updatestatus/controller/pacer.go). Changes are so far apart that each may be
	// written at once: their lag is that of the way from a node to a watcher, and not that of the pace.
	pace = 32 << 10
	// Clusters of more than largeSize nodes have fewer, further apart.
	singleChangesLarge  = 30
	singleIntervalLarge = 5 * time.Second
	largeSize           = 250
)

// singly degrades nodes and repairs them, one at a time.
func (m *measurement) singly(ctx context.Context) error {
	size := m.recorder.largest()
	m.recorder.reset()
	start, count, interval := time.Now().Add(restPeriod), singleChanges, singleInterval
	if m.run.Nodes > largeSize {
		count, interval = singleChangesLarge, singleIntervalLarge
	}
	interval = max(interval, time.Duration(size)*time.Second/pace)
	for at := range count {
		nodes := m.recorder.cluster.Input().Nodes
		node := nodes[at/2*len(nodes)/(count/2)]
		write := degradeOrRepair(node, start.Add(time.Duration(at)*interval), at%2 == 0)
		if err := m.player.playOne(ctx, write); err != nil {
			return err
		}
	}
	expected, err := m.expect()
	if err != nil {
		return err
	}
	if _, err := m.until(ctx, expected); err != nil {
		return err
	}
	m.run.Singly = m.recorder.replay()
	return nil
}

// degradeOrRepair returns the write that degrades a node, or that repairs it.
func degradeOrRepair(node *corev1.Node, at time.Time, degrade bool) simulator.Write {
	after := node.DeepCopy()
	builders.State(builders.StateDone)(after)
	builders.Annotation(builders.AnnotationReason, "")(after)
	if degrade {
		builders.DegradedBecause("disk validation failed")(after)
	}
	return simulator.Write{Time: at, Kind: "Node", Name: node.Name, Before: node, After: after}
}
