package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/demo/story"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/lag"
	"github.com/openshift/cluster-version-operator/test/playback"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

const (
	// lead is the time between the creation of a cluster and its update: for the first look at it.
	lead = 5 * time.Second
	// awaiting is how long the controller may take to tell of a cluster that does not change.
	awaiting = 30 * time.Second
)

// playUpdate shows an update from its start to its end.
func playUpdate(ctx context.Context, console *console, options options) error {
	console.say(`This demo needs no cluster. It plays the update of one, with 33 operators and 9 nodes, in about %s:
  - a real etcd and kube-apiserver are started, and manifests/ is installed on it;
  - the controller runs with the permissions that manifests/ gives it, and nothing else;
  - what the Cluster Version Operator and the Machine Config Operator would write is written by actors. The
    release is not accepted at first, pool %s is paused, and %s can't be updated for a while;
  - two programs of others report to it: storage that rebuilds delays the drain of %s, and a
    virtual machine that can't migrate that of %s;
  - you see UpdateStatus/cluster as text while that happens, then it and its summary as kubectl shows them, how long after
    the update a kubectl wait ended, and how far the status lagged behind; what took how long, and where the report is.
Ctrl-C ends it at any time. Nothing but the report is left behind.
`, options.duration, story.PausedPool, story.DegradedNode, story.StorageNode, story.MachineNode)
	return withControlPlane(ctx, console, controlplane.Options{}, func(setup *setup) error {
		return setup.withController(ctx, func(ctx context.Context) error { return setup.play(ctx, options) })
	})
}

func (s *setup) play(ctx context.Context, options options) error {
	contributors, err := s.installExamples(ctx)
	if err != nil {
		return err
	}
	start := time.Now().Add(lead)
	played := story.New(options.seed, start, options.duration)
	simulation := simulator.NewSimulation(played.Update)
	objects := simulation.Objects()
	recorder := newRecorder(objects)

	observer, err := harness.Observe(ctx, s.plane.Admin(), recorder.see)
	if err != nil {
		return err
	}
	if _, err := harness.ObserveSummary(ctx, s.plane.Admin(), recorder.seeSummary); err != nil {
		return err
	}
	writer, err := playback.NewWriter(s.plane.Admin())
	if err != nil {
		return fmt.Errorf("making a client for the actors: %w", err)
	}
	player := &playback.Player{Writer: writer, Wait: recorder.wait, Wrote: recorder.wrote}
	s.console.say("Creating the cluster that is updated ...")
	if err := player.Create(ctx, simulation); err != nil {
		return fmt.Errorf("creating the cluster that is updated: %w", err)
	}
	expected := count(objects)
	if err := await(ctx, observer, func(us *updatev1alpha1.UpdateStatus) error {
		return story.Known(us, expected)
	}); err != nil {
		return err
	}
	if err := s.trustExamples(ctx, contributors); err != nil {
		return err
	}
	waiting := s.waitForVersion(ctx, simulator.DefaultTo)
	shown := &live{console: s.console, recorder: recorder, start: start, length: options.duration}
	if err := shown.during(ctx, func(ctx context.Context) error {
		return s.whileContributing(ctx, contributors, func(ctx context.Context) error {
			if err := played.Play(simulation, func(until func(simulator.Write) bool) (bool, error) {
				return player.Play(ctx, simulation, until)
			}); err != nil {
				return fmt.Errorf("playing the update: %w", err)
			}
			return await(ctx, observer, func(us *updatev1alpha1.UpdateStatus) error { return story.Updated(us, expected) })
		})
	}); err != nil {
		return err
	}
	shown.summary()
	if err := waiting.show(ctx, s.console, recorder.lastWrite()); err != nil {
		return err
	}
	return s.showPlayed(ctx, recorder)
}

// count counts the insights of a status.
func count(objects []simulator.Object) story.Expected {
	var counted story.Expected
	for subject := range lag.NewCluster(objects).States() {
		if subject.Kind == lag.Nodes {
			counted.Nodes++
		} else {
			counted.Operators++
		}
	}
	counted.Pools = len(simulator.DefaultPools())
	return counted
}

// await waits until nothing is missing from the newest version of the status, and otherwise returns what is missing.
func await(ctx context.Context, observer *harness.Observer, missing func(*updatev1alpha1.UpdateStatus) error) error {
	waiting, cancel := context.WithTimeout(ctx, awaiting)
	defer cancel()
	err := errors.New("there is no UpdateStatus")
	if _, ended := observer.Until(waiting, func(us *updatev1alpha1.UpdateStatus) bool {
		err = missing(us)
		return err == nil
	}); ended == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("the UpdateStatus is not complete %s after the last change of the cluster: %w", awaiting, err)
}

// showPlayed shows the cluster after the update.
func (s *setup) showPlayed(ctx context.Context, recorder *recorder) error {
	if err := s.client(ctx); err != nil {
		return err
	}
	if err := s.showObject(ctx); err != nil {
		return err
	}
	if err := s.kubectl(ctx, "get", "events", "--namespace", controlplane.Namespace,
		"--field-selector", "involvedObject.kind=ClusterVersion", "--sort-by", ".metadata.creationTimestamp"); err != nil {
		return err
	}
	results, versions := recorder.lags()
	s.console.say(`
How far the status lagged behind: the time from the write that changes the state of a node or an operator until a
version of the status that shows it was seen, and the same of the counts of the summary. There were %d versions of the
status.
`, versions)
	if err := lag.Write(s.console, results); err != nil {
		return err
	}
	for _, args := range [][]string{{"--history"}, {"--timeline"}} {
		if err := s.client(ctx, args...); err != nil {
			return err
		}
	}
	if err := s.report(ctx, filepath.Join("bin", "demo-report.html")); err != nil {
		return err
	}
	s.console.say(whereToGo)
	return s.console.err
}
