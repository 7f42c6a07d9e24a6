package main

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sync/errgroup"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/harness"
)

func (m *measurement) parts(ctx context.Context, process *harness.Pod, before reading) error {
	if err := m.cold(ctx, process, before); err != nil {
		return err
	}
	m.logf("  complete after %.2f s", m.run.ColdStart)
	m.player.startNow()
	if err := m.idle(ctx); err != nil {
		return err
	}
	m.logf("  a minute of heartbeats: %.2f CPU seconds, %d requests, %d writes", m.run.Idle.ControllerCPU, m.run.Idle.Requests, m.run.Idle.Writes)
	if err := m.update(ctx); err != nil {
		return err
	}
	m.logf("  update: %d transitions in %.0f s, p99 %.2f s; %d wrong; %d writes; %.1f CPU seconds, of kube-apiserver %.1f and %.1f without",
		m.run.Hard.Nodes.Transitions, m.run.Hard.Seconds, m.run.Hard.Nodes.P99, m.run.End.Wrong(), m.run.Update.Writes,
		m.run.Update.ControllerCPU, m.run.Update.ServerCPU, m.run.Update.ServerCPUWithout)
	if err := m.singly(ctx); err != nil {
		return err
	}
	m.logf("  single changes: p99 %.2f s", m.run.Singly.Nodes.P99)
	var err error
	if m.run.Client, err = measureClient(ctx, m.plane); err != nil {
		return err
	}
	m.run.Object = m.recorder.object()
	m.run.PeakMemory, err = m.meter.peakMemory()
	return err
}

// cold waits until the object is complete.
func (m *measurement) cold(ctx context.Context, process *harness.Pod, before reading) error {
	controllerProcess, err := procfs.NewProc(process.PID())
	if err != nil {
		return fmt.Errorf("reading the process of the controller: %w", err)
	}
	m.meter.controller = &controllerProcess
	expected := expect(m.recorder.cluster.Input(), time.Now())
	settled, err := m.until(ctx, expected)
	if err != nil {
		return err
	}
	if settled.IsZero() {
		return fmt.Errorf("the object was not complete %s after the start of the controller: %+v", settleTimeout, expected.judge(m.newest()))
	}
	m.run.ColdStart = settled.Sub(process.Started()).Seconds()
	scraper, err := newScraper(m.plane.Admin(), process.Address())
	if err != nil {
		return err
	}
	m.meter.scraper = scraper
	after, err := m.meter.processes()
	if err != nil {
		return err
	}
	if err := scraper.wait(ctx); err != nil {
		return err
	}
	if after.counters, err = scraper.scrape(ctx); err != nil {
		return err
	}
	m.run.Cold = between(before, after)
	return nil
}

func (m *measurement) newest() *updatev1alpha1.UpdateStatus {
	if versions := m.observer.Versions(); len(versions) > 0 {
		return versions[len(versions)-1]
	}
	return &updatev1alpha1.UpdateStatus{}
}

// until returns when a version was received that is as expected; zero if there is none in time.
func (m *measurement) until(ctx context.Context, expected expectation) (time.Time, error) {
	waitCtx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	if _, err := m.observer.Until(waitCtx, expected.right); err != nil {
		return time.Time{}, context.Cause(ctx)
	}
	return m.recorder.lastObserved(), nil
}

// idle measures a minute of heartbeats.
func (m *measurement) idle(ctx context.Context) error {
	before, err := m.meter.start(ctx)
	if err != nil {
		return err
	}
	if err := m.player.play(ctx, startsUpdate); err != nil {
		return err
	}
	after, err := m.meter.end(ctx)
	if err != nil {
		return err
	}
	m.run.Idle = withBaseline(between(before, after), m.run.Idle)
	return nil
}

// update plays the update, and waits until all is right.
func (m *measurement) update(ctx context.Context) error {
	m.recorder.reset()
	before, err := m.meter.start(ctx)
	if err != nil {
		return err
	}
	if err := m.playUpdate(ctx); err != nil {
		return err
	}
	expected := expect(m.recorder.cluster.Input(), time.Now())
	settled, err := m.until(ctx, expected)
	if err != nil {
		return err
	}
	after, err := m.meter.end(ctx)
	if err != nil {
		return err
	}
	if !settled.IsZero() {
		m.run.Settled = ptr.To(settled.Sub(m.recorder.lastSent()).Seconds())
	}
	m.run.End = expected.judge(m.newest())
	m.run.Update = withBaseline(between(before, after), m.run.Update)
	m.run.Hard = m.recorder.replay()
	return nil
}

// playUpdate plays the update, and takes a profile of the controller meanwhile if there is a file for it.
func (m *measurement) playUpdate(ctx context.Context) error {
	if m.profile == "" {
		return m.player.play(ctx, nil)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return m.player.play(ctx, nil) })
	group.Go(func() error { return m.meter.scraper.profile(ctx, m.profile, profileSeconds) })
	return group.Wait()
}

// withBaseline returns what was used, with what the baseline used.
func withBaseline(used, baseline report.Usage) report.Usage {
	used.ServerCPUWithout, used.StoreCPUWithout = baseline.ServerCPUWithout, baseline.StoreCPUWithout
	return used
}
