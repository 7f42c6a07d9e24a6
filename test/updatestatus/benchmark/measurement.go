package main

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sync/errgroup"
	"k8s.io/utils/ptr"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

// clientCalls is how many calls of the client the median is taken from.
const clientCalls = 7

func (m *measurement) parts(ctx context.Context, process *harness.Pod) error {
	if err := m.cold(ctx, process); err != nil {
		return err
	}
	m.logf("  complete after %.2f s", m.run.ColdStart)
	m.player.startNow()
	if err := m.measured(ctx, &m.run.Idle, func() error { return m.player.play(ctx, startsUpdate) }); err != nil {
		return err
	}
	m.logf("  a minute of heartbeats: %.2f CPU seconds, %d requests, %d writes", m.run.Idle.ControllerCPU, m.run.Idle.Requests, m.run.Idle.Writes)
	if err := m.update(ctx); err != nil {
		return err
	}
	m.logf("  update: %d transitions in %.0f s, p99 %.2f s; %d wrong; %d writes; %.1f CPU seconds, of kube-apiserver %.1f and %.1f without",
		m.run.Hard.Nodes.Transitions, m.run.Hard.Seconds, m.run.Hard.Nodes.P99, m.run.Wrong, m.run.Update.Writes,
		m.run.Update.ControllerCPU, m.run.Update.ServerCPU, m.run.Update.ServerCPUWithout)
	if err := m.singly(ctx); err != nil {
		return err
	}
	m.logf("  single changes: p99 %.2f s", m.run.Singly.Nodes.P99)
	var err error
	if m.run.ClientSeconds, _, err = measureClient(ctx, m.plane); err != nil {
		return err
	}
	m.run.ObjectBytes = m.recorder.largest()
	m.run.PeakMemory, err = m.meter.peakMemory()
	return err
}

// realParts measures the window of an update at the pace of real ones.
func (m *measurement) realParts(ctx context.Context, process *harness.Pod) error {
	if err := m.cold(ctx, process); err != nil {
		return err
	}
	m.recorder.reset()
	started := time.Now()
	m.player.startNow()
	if err := m.measured(ctx, &m.run.Update, func() error { return m.player.play(ctx, m.window()) }); err != nil {
		return err
	}
	m.run.Watched = m.recorder.watched(started)
	expected, err := m.expect()
	if err != nil {
		return err
	}
	if _, err := m.until(ctx, expected); err != nil {
		return err
	}
	m.run.Wrong, m.run.Hard, m.run.ObjectBytes = expected.wrong(m.newest()), m.recorder.replay(), m.recorder.largest()
	m.logf("  %.0f s: kube-apiserver %.1f %% of a core, %.1f KiB a second, p99 of nodes %.2f s, urgent %.2f s, summary %.2f s; %d wrong",
		m.run.Update.Seconds, 100*m.run.Update.ServerShare(), m.run.Update.WrittenASecond()/1024,
		m.run.Hard.Nodes.P99, m.run.Hard.Urgent.P99, m.run.Hard.Summary.P99, m.run.Wrong)
	m.run.PeakMemory, err = m.meter.peakMemory()
	return err
}

// measured measures what is used while something is done.
func (m *measurement) measured(ctx context.Context, used *report.Usage, do func() error) error {
	before, err := m.meter.start(ctx)
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	after, err := m.meter.end(ctx)
	if err != nil {
		return err
	}
	add(used, before, after)
	return nil
}

// cold waits until the object is complete.
func (m *measurement) cold(ctx context.Context, process *harness.Pod) error {
	controllerProcess, err := procfs.NewProc(process.PID())
	if err != nil {
		return fmt.Errorf("reading the process of the controller: %w", err)
	}
	m.meter.controller = &controllerProcess
	expected, err := m.expect()
	if err != nil {
		return err
	}
	settled, err := m.until(ctx, expected)
	if err != nil {
		return err
	}
	if settled.IsZero() {
		return fmt.Errorf("the object was not complete %s after the start of the controller: %d are wrong", settleTimeout, expected.wrong(m.newest()))
	}
	m.run.ColdStart = settled.Sub(process.Started()).Seconds()
	if m.meter.scraper, err = newScraper(m.plane.Admin(), process.Address()); err != nil {
		return err
	}
	return m.meter.scraper.wait(ctx)
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

// update plays the update, and waits until all is right.
func (m *measurement) update(ctx context.Context) error {
	m.recorder.reset()
	var expected expectation
	var settled time.Time
	err := m.measured(ctx, &m.run.Update, func() (err error) {
		if err := m.playUpdate(ctx); err != nil {
			return err
		}
		if expected, err = m.expect(); err != nil {
			return err
		}
		settled, err = m.until(ctx, expected)
		return err
	})
	if err != nil {
		return err
	}
	if !settled.IsZero() {
		m.run.Settled = ptr.To(settled.Sub(m.recorder.lastSent()).Seconds())
	}
	m.run.Wrong, m.run.Hard = expected.wrong(m.newest()), m.recorder.replay()
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

// measureClient returns how long a call of the built client takes, and the most memory that it used in bytes.
func measureClient(ctx context.Context, plane *controlplane.ControlPlane, args ...string) (length float64, memory int, err error) {
	kubeconfig, err := plane.AdminKubeconfig()
	if err != nil {
		return 0, 0, fmt.Errorf("writing a kubeconfig: %w", err)
	}
	client, err := harness.Binary("oc-update-status")
	if err != nil {
		return 0, 0, fmt.Errorf("looking for the client: %w", err)
	}
	var lengths []float64
	for range clientCalls {
		command := exec.CommandContext(ctx, client, append(args, "--kubeconfig", kubeconfig)...)
		start := time.Now()
		if output, err := command.CombinedOutput(); err != nil {
			return 0, 0, fmt.Errorf("calling the client: %w\n%.1000s", err, output)
		}
		lengths = append(lengths, time.Since(start).Seconds())
		if usage, isUsage := command.ProcessState.SysUsage().(*syscall.Rusage); isUsage {
			memory = max(memory, int(usage.Maxrss)<<10) // in KiB on Linux
		}
	}
	slices.Sort(lengths)
	return lengths[len(lengths)/2], memory, nil
}
