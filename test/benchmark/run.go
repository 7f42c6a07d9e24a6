package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sync/errgroup"
	"k8s.io/utils/ptr"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/benchmark/shape"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const (
	// quiet is how long nothing but heartbeats happens before the update.
	quiet = time.Minute
	// resting is how long nothing happens before changes come singly: the controller may save up its whole burst again.
	resting = 20 * time.Second
	// awaiting is how long the controller may take until the object is right.
	awaiting = time.Minute
	// profileSeconds is how long a CPU profile of the controller is taken, from the begin of the update.
	profileSeconds = 60
)

// asked is how a run is to be made.
type asked struct {
	// say takes sentences on what happens.
	say func(format string, values ...any)
	// profile is the file that takes a CPU profile of the controller in the update; empty for none. It costs some CPU.
	profile string
	// baseline is whether the update of a plain cluster is played without the controller first.
	baseline bool
}

// measure measures a cluster: once without the controller, to know what the replay itself costs, and once with it.
func measure(ctx context.Context, of shape.Shape, how asked) (report.Run, error) {
	run := report.Run{Shape: of.Name, Nodes: of.Nodes, Cores: runtime.NumCPU(), Go: runtime.Version()}
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return run, fmt.Errorf("reading the load: %w", err)
	}
	load, err := fs.LoadAvg()
	if err != nil {
		return run, fmt.Errorf("reading the load: %w", err)
	}
	run.Load = load.Load1
	if how.baseline && of.Name == shape.Plain {
		how.say("%s, %d nodes: the replay without the controller (load %.1f)", of.Name, of.Nodes, run.Load)
		if err := withSession(ctx, of, func(s *session) error { return s.without(ctx, &run) }); err != nil {
			return run, err
		}
	}
	how.say("%s, %d nodes: with it", of.Name, of.Nodes)
	err = withSession(ctx, of, func(s *session) error { return s.with(ctx, &run, how) })
	return run, err
}

// without plays the update with nobody who looks.
func (s *session) without(ctx context.Context, run *report.Run) error {
	parts := []struct {
		until func(simulator.Write) bool
		used  *report.Usage
	}{{beginsUpdate, &run.Idle}, {nil, &run.Update}}
	s.player.begin()
	for _, part := range parts {
		before, err := s.meter.begin(ctx)
		if err != nil {
			return err
		}
		if err := s.player.play(ctx, part.until); err != nil {
			return err
		}
		after, err := s.meter.end(ctx)
		if err != nil {
			return err
		}
		used := between(before, after)
		part.used.ServerCPUWithout, part.used.StoreCPUWithout = used.ServerCPU, used.StoreCPU
	}
	return nil
}

// beginsUpdate is whether a write is not a heartbeat.
func beginsUpdate(write simulator.Write) bool {
	return write.Kind != "Node"
}

// with plays the same with the controller.
func (s *session) with(ctx context.Context, run *report.Run, how asked) error {
	s.describe(run)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	observer, err := harness.Observe(watching, s.plane.Admin(), s.recorder.see)
	if err != nil {
		return err
	}
	if _, err := harness.PrepareForPods(ctx, s.plane); err != nil {
		return fmt.Errorf("preparing for the controller: %w", err)
	}
	if err := readBinary(); err != nil {
		return err
	}
	before, err := s.meter.begin(ctx)
	if err != nil {
		return err
	}
	log, err := os.CreateTemp("", "controller-*.log")
	if err != nil {
		return fmt.Errorf("creating the controller's log: %w", err)
	}
	defer log.Close()
	process, err := harness.StartPod(ctx, s.plane, harness.PodOptions{Name: "measured", Folder: s.folder, Logs: log})
	if err != nil {
		return err
	}
	measured := &measuring{session: s, observer: observer, run: run, asked: how}
	err = measured.parts(ctx, process, before)
	if errStop := process.Stop(); errStop != nil {
		err = errors.Join(err, fmt.Errorf("the controller ended with a fault: %w", errStop))
	}
	if err != nil {
		content, errRead := os.ReadFile(log.Name())
		return errors.Join(err, errRead, fmt.Errorf("the end of the controller's log:\n%s", content[max(0, len(content)-logTail):]))
	}
	return nil
}

// readBinary reads all of the controller's binary, so that how fast it starts is not a question of the disk.
func readBinary() error {
	path, err := harness.Binary("cluster-version-operator")
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("opening the controller: %w", err)
	}
	defer file.Close()
	if _, err := io.Copy(io.Discard, file); err != nil {
		return fmt.Errorf("reading the controller: %w", err)
	}
	return nil
}

// logTail is how much of the controller's log is shown when something went wrong, in bytes.
const logTail = 4096

// describe counts what the cluster consists of.
func (s *session) describe(run *report.Run) {
	input := s.recorder.cluster.Input()
	run.Pools = len(input.MachineConfigPools)
	for subject := range s.recorder.states {
		if subject.Kind == lag.Operators {
			run.Operators++
		}
	}
	for _, object := range s.player.simulation.Objects() {
		if config, ok := object.(*machineconfigv1.MachineConfig); ok {
			run.Payloads += len(config.Spec.Config.Raw)
		}
	}
}

// measuring is the part of a run with the controller.
type measuring struct {
	*session
	asked

	observer *harness.Observer
	run      *report.Run
}

func (m *measuring) parts(ctx context.Context, process *harness.Pod, before reading) error {
	if err := m.cold(ctx, process, before); err != nil {
		return err
	}
	m.say("  complete after %.2f s", m.run.ColdStart)
	m.player.begin()
	if err := m.idle(ctx); err != nil {
		return err
	}
	m.say("  a minute of heartbeats: %.2f CPU seconds, %d requests, %d writes", m.run.Idle.ControllerCPU, m.run.Idle.Requests, m.run.Idle.Writes)
	if err := m.update(ctx); err != nil {
		return err
	}
	m.say("  update: %d transitions in %.0f s, p99 %.2f s; %d wrong; %d writes; %.1f CPU seconds, of kube-apiserver %.1f and %.1f without",
		m.run.Hard.Nodes.Transitions, m.run.Hard.Seconds, m.run.Hard.Nodes.P99, m.run.End.Wrong(), m.run.Update.Writes,
		m.run.Update.ControllerCPU, m.run.Update.ServerCPU, m.run.Update.ServerCPUWithout)
	if err := m.singly(ctx); err != nil {
		return err
	}
	m.say("  changes singly: p99 %.2f s", m.run.Singly.Nodes.P99)
	var err error
	if m.run.Client, err = measureClient(ctx, m.plane); err != nil {
		return err
	}
	m.run.Object = m.recorder.object()
	m.run.PeakMemory, err = m.meter.peakMemory()
	return err
}

// cold waits until the object is complete.
func (m *measuring) cold(ctx context.Context, process *harness.Pod, before reading) error {
	controllerProcess, err := procfs.NewProc(process.PID())
	if err != nil {
		return fmt.Errorf("looking for the process of the controller: %w", err)
	}
	m.meter.controller = &controllerProcess
	expected := expect(m.recorder.cluster.Input(), time.Now())
	right, err := m.until(ctx, expected)
	if err != nil {
		return err
	}
	if right.IsZero() {
		return fmt.Errorf("the object was not complete %s after the start of the controller: %+v", awaiting, expected.judge(m.newest()))
	}
	m.run.ColdStart = right.Sub(process.Started()).Seconds()
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
	if after.told, err = scraper.scrape(ctx); err != nil {
		return err
	}
	m.run.Cold = between(before, after)
	return nil
}

func (m *measuring) newest() *updatev1alpha1.UpdateStatus {
	if versions := m.observer.Versions(); len(versions) > 0 {
		return versions[len(versions)-1]
	}
	return &updatev1alpha1.UpdateStatus{}
}

// until returns when a version was seen that is as expected; zero if there is none in time.
func (m *measuring) until(ctx context.Context, expected expectation) (time.Time, error) {
	waiting, cancel := context.WithTimeout(ctx, awaiting)
	defer cancel()
	if _, err := m.observer.Until(waiting, expected.right); err != nil {
		return time.Time{}, context.Cause(ctx)
	}
	return m.recorder.seen(), nil
}

// idle measures a minute of heartbeats.
func (m *measuring) idle(ctx context.Context) error {
	before, err := m.meter.begin(ctx)
	if err != nil {
		return err
	}
	if err := m.player.play(ctx, beginsUpdate); err != nil {
		return err
	}
	after, err := m.meter.end(ctx)
	if err != nil {
		return err
	}
	m.run.Idle = with(between(before, after), m.run.Idle)
	return nil
}

// update plays the update, and waits until all is right.
func (m *measuring) update(ctx context.Context) error {
	m.recorder.forget()
	before, err := m.meter.begin(ctx)
	if err != nil {
		return err
	}
	if err := m.playUpdate(ctx); err != nil {
		return err
	}
	expected := expect(m.recorder.cluster.Input(), time.Now())
	right, err := m.until(ctx, expected)
	if err != nil {
		return err
	}
	after, err := m.meter.end(ctx)
	if err != nil {
		return err
	}
	if !right.IsZero() {
		m.run.Settled = ptr.To(right.Sub(m.recorder.last()).Seconds())
	}
	m.run.End = expected.judge(m.newest())
	m.run.Update = with(between(before, after), m.run.Update)
	m.run.Hard = m.recorder.replay()
	m.run.Hard.Collected = observed(before.told.lag, after.told.lag)
	m.run.Hard.Took = observed(before.told.took, after.told.took)
	return nil
}

// playUpdate plays the update, and takes a profile of the controller meanwhile if that is asked for.
func (m *measuring) playUpdate(ctx context.Context) error {
	if m.profile == "" {
		return m.player.play(ctx, nil)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return m.player.play(ctx, nil) })
	group.Go(func() error { return m.meter.scraper.profile(ctx, m.profile, profileSeconds) })
	return group.Wait()
}

// with returns what was used with what was used without the controller.
func with(used, without report.Usage) report.Usage {
	used.ServerCPUWithout, used.StoreCPUWithout = without.ServerCPUWithout, without.StoreCPUWithout
	return used
}
