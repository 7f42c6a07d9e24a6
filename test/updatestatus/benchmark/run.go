package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/report"
	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/shape"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	// quietPeriod is how long there are only heartbeats before the update.
	quietPeriod = time.Minute
	// windowLength is how long an update at the pace of real ones is measured, in its middle.
	windowLength = 15 * time.Minute
	// restPeriod is how long nothing happens before single changes: the controller regains its whole burst of writes, 2 MiB at
	// 32 KiB a second.
	restPeriod = 65 * time.Second
	// settleTimeout is how long the controller may take until the object is right.
	settleTimeout = time.Minute
	// profileSeconds is the length of a CPU profile of the controller, from the start of the update.
	profileSeconds = 60
	// logTail is how much of the controller's log is shown after an error, in bytes.
	logTail = 4096
)

// runOptions are the options of a run.
type runOptions struct {
	// logf prints progress.
	logf func(format string, values ...any)
	// profile is the file for a CPU profile of the controller in the update; empty for none. It costs some CPU.
	profile string
}

// measure measures a cluster: once without the controller, for the cost of the replay itself, and once with it.
func measure(ctx context.Context, of shape.Shape, options runOptions) (report.Run, error) {
	run := report.Run{Shape: of.Name, Nodes: of.Nodes, Cores: runtime.NumCPU(), Go: runtime.Version()}
	options.logf("%s, %d nodes: the replay without the controller", of.Name, of.Nodes)
	if err := withSession(ctx, of, func(s *session) error { return s.measureBaseline(ctx, &run) }); err != nil {
		return run, err
	}
	options.logf("%s, %d nodes: with the controller", of.Name, of.Nodes)
	err := withSession(ctx, of, func(s *session) error { return s.measureController(ctx, &run, options) })
	return run, err
}

// measureBaseline plays the same as measureController, without the controller.
func (s *session) measureBaseline(ctx context.Context, run *report.Run) error {
	s.player.startNow()
	if run.Shape == shape.Real {
		return s.measureWithout(ctx, s.window(), &run.Update)
	}
	if err := s.measureWithout(ctx, startsUpdate, &run.Idle); err != nil {
		return err
	}
	return s.measureWithout(ctx, nil, &run.Update)
}

// measureWithout measures a part without the controller.
func (s *session) measureWithout(ctx context.Context, until func(simulator.Write) bool, used *report.Usage) error {
	before, err := s.meter.processes()
	if err != nil {
		return err
	}
	if err := s.player.play(ctx, until); err != nil {
		return err
	}
	after, err := s.meter.processes()
	used.ServerCPUWithout = after.server - before.server
	return err
}

// startsUpdate is whether a write is not a heartbeat.
func startsUpdate(write simulator.Write) bool {
	return write.Kind != "Node"
}

// window returns whether a write is after the window of an update at the pace of real ones, which starts now.
func (s *session) window() func(simulator.Write) bool {
	end := time.Now().Add(windowLength)
	return func(write simulator.Write) bool { return write.Time.Add(s.player.offset).After(end) }
}

// measureController plays the same with the controller.
func (s *session) measureController(ctx context.Context, run *report.Run, options runOptions) error {
	watchCtx, stop := context.WithCancel(ctx)
	defer stop()
	observer, err := harness.Observe(watchCtx, s.plane.Admin(), s.recorder.observe)
	if err != nil {
		return err
	}
	if _, err := harness.PrepareForPods(ctx, s.plane); err != nil {
		return fmt.Errorf("preparing for the controller: %w", err)
	}
	if err := readBinary(); err != nil {
		return err
	}
	log, err := os.CreateTemp("", "controller-*.log")
	if err != nil {
		return fmt.Errorf("creating the controller's log: %w", err)
	}
	defer log.Close()
	pod := harness.PodOptions{Name: "measured", Folder: s.folder, Logs: log}
	if options.profile != "" {
		pod.Flags = []string{"--profiling"}
	}
	process, err := harness.StartPod(ctx, s.plane, pod)
	if err != nil {
		return err
	}
	m := &measurement{session: s, runOptions: options, observer: observer, run: run}
	if _, err := harness.ObserveSummary(watchCtx, s.plane.Admin(), s.recorder.observeSummary); err != nil {
		return err
	}
	if run.Shape == shape.Real {
		err = m.realParts(ctx, process)
	} else {
		err = m.parts(ctx, process)
	}
	if errStop := process.Stop(); errStop != nil {
		err = errors.Join(err, fmt.Errorf("stopping the controller: %w", errStop))
	}
	if err != nil {
		content, errRead := os.ReadFile(log.Name())
		return errors.Join(err, errRead, fmt.Errorf("end of the controller's log:\n%s", content[max(0, len(content)-logTail):]))
	}
	return nil
}

// readBinary reads the controller's binary, so that the disk does not count in its start.
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

// measurement is the part of a run with the controller.
type measurement struct {
	*session
	runOptions

	observer *harness.Observer
	run      *report.Run
}
