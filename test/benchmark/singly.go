package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const (
	// changes is how many changes come singly, and apart how long after each other. They are more than a hundred, so that
	// their p99 is not the slowest of them: a disk may stall for a tenth of a second now and then, of the 0.3 s that a small
	// cluster has.
	changes = 120
	apart   = 2 * time.Second
	// In clusters of more than largeSize nodes they are fewer, and further apart: the pace of the controller allows a write of
	// 1 MiB every four seconds.
	changesLarge = 30
	apartLarge   = 5 * time.Second
	largeSize    = 250
)

// singly degrades nodes and repairs them, one change after the other, each with time for the controller to rest.
func (m *measuring) singly(ctx context.Context) error {
	before, err := m.meter.begin(ctx)
	if err != nil {
		return err
	}
	m.recorder.forget()
	start, count, between := time.Now().Add(resting), changes, apart
	if m.run.Nodes > largeSize {
		count, between = changesLarge, apartLarge
	}
	for at := range count {
		nodes := m.recorder.cluster.Input().Nodes
		node := nodes[at/2*len(nodes)/(count/2)]
		write := changeOf(node, start.Add(time.Duration(at)*between), at%2 == 0)
		if err := m.player.one(ctx, write); err != nil {
			return err
		}
	}
	expected := expect(m.recorder.cluster.Input(), time.Now())
	if _, err := m.until(ctx, expected); err != nil {
		return err
	}
	after, err := m.meter.end(ctx)
	if err != nil {
		return err
	}
	m.run.Singly = m.recorder.replay()
	m.run.Singly.Collected = observed(before.told.lag, after.told.lag)
	m.run.Singly.Took = observed(before.told.took, after.told.took)
	return nil
}

// changeOf returns the write that degrades a node, or repairs it.
func changeOf(node *corev1.Node, at time.Time, degrade bool) simulator.Write {
	after := node.DeepCopy()
	builders.State(builders.StateDone)(after)
	builders.Annotation(builders.AnnotationReason, "")(after)
	if degrade {
		builders.DegradedBecause("disk validation failed")(after)
	}
	return simulator.Write{Time: at, Kind: "Node", Name: node.Name, Before: node, After: after}
}
