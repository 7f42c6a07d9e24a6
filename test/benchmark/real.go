package main

import (
	"context"
	"time"

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// windowLength is how long an update at the pace of real ones is measured, in its middle.
const windowLength = 15 * time.Minute

// window returns whether a write is after the window, which starts now.
func (s *session) window(length time.Duration) func(simulator.Write) bool {
	s.player.startNow()
	end := time.Now().Add(length)
	return func(write simulator.Write) bool { return write.Time.Add(s.player.offset).After(end) }
}

// measureRealBaseline plays the window without the controller.
func (s *session) measureRealBaseline(ctx context.Context, run *report.Run) error {
	before, err := s.meter.start(ctx)
	if err != nil {
		return err
	}
	if err := s.player.play(ctx, s.window(windowLength)); err != nil {
		return err
	}
	after, err := s.meter.end(ctx)
	if err != nil {
		return err
	}
	used := between(before, after)
	run.Update.ServerCPUWithout, run.Update.StoreCPUWithout = used.ServerCPU, used.StoreCPU
	return nil
}

// realParts measures the window with the controller.
func (m *measurement) realParts(ctx context.Context, process *harness.Pod, before reading) error {
	if err := m.cold(ctx, process, before); err != nil {
		return err
	}
	m.recorder.reset()
	started := time.Now()
	before, err := m.meter.start(ctx)
	if err != nil {
		return err
	}
	if err := m.player.play(ctx, m.window(windowLength)); err != nil {
		return err
	}
	after, err := m.meter.end(ctx)
	if err != nil {
		return err
	}
	m.run.Update = withBaseline(between(before, after), m.run.Update)
	m.run.Watched = m.recorder.watched(started)
	expected := expect(m.recorder.cluster.Input(), time.Now())
	if _, err := m.until(ctx, expected); err != nil {
		return err
	}
	m.run.End, m.run.Hard, m.run.Object = expected.judge(m.newest()), m.recorder.replay(), m.recorder.object()
	m.logf("  %.0f s: kube-apiserver %.1f %% of a core, %.1f KiB a second, p99 of nodes %.2f s, urgent %.2f s, summary %.2f s; %d wrong",
		m.run.Update.Seconds, 100*m.run.Update.ServerShare(), m.run.Update.WrittenASecond()/1024,
		m.run.Hard.Nodes.P99, m.run.Hard.Urgent.P99, m.run.Hard.Summary.P99, m.run.End.Wrong())
	m.run.PeakMemory, err = m.meter.peakMemory()
	return err
}
