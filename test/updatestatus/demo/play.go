package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/demo/story"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/clusters"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// lead is the time between the creation of a cluster and its update: for the first look at it.
const lead = 8 * time.Second

// playUpdate shows an update from its start to its end.
func playUpdate(ctx context.Context, console *console, options options) error {
	console.say(`This demo needs no cluster. It plays the update of one, with 33 operators and 9 nodes, in about %s:
  - a real etcd and kube-apiserver are started, and manifests/ is installed on it;
  - the controller runs with the permissions that manifests/ gives it, and nothing else;
  - what the Cluster Version Operator and the Machine Config Operator would write is written by actors. The
    release is not accepted at first, pool %s is paused, and %s can't be updated for a while;
  - a program of others reports to it: storage that rebuilds delays the drain of %s;
  - you see how the client rehearses it, and what the client shows of it while that happens, then UpdateStatus/cluster and its summary as kubectl shows them;
    the duration of each step, and where the report is.
Ctrl-C ends it at any time. Nothing but the report is left behind.
`, options.duration, story.PausedPool, story.DegradedNode, story.StorageNode)
	return withPlayed(ctx, console, func(start time.Time) *story.Script { return story.New(options.seed, start, options.duration) })
}

// playFault shows an update that does not get on until an administrator removes the cause.
func playFault(ctx context.Context, console *console, options options) error {
	if !slices.Contains(story.Faults(), options.fault) {
		return fmt.Errorf("there is no fault %q; make demo FAULT=NAME plays one of these: %s", options.fault, strings.Join(story.Faults(), ", "))
	}
	console.say(`This demo needs no cluster. It plays the update of one, with 33 operators and 9 nodes, in about %s. The fault %s stops it,
until an administrator removes the cause. README.md shows what to look at. Ctrl-C ends the demo at any time. Nothing but the report is left behind.
`, options.duration, options.fault)
	return withPlayed(ctx, console, func(start time.Time) *story.Script {
		return story.NewFault(options.fault, options.seed, start, options.duration)
	})
}

// withPlayed shows a played update.
func withPlayed(ctx context.Context, console *console, script func(start time.Time) *story.Script) error {
	return withControlPlane(ctx, console, controlplane.Options{}, func(setup *setup) error {
		return setup.withController(ctx, func(ctx context.Context) error { return setup.play(ctx, script) })
	})
}

func (s *setup) play(ctx context.Context, script func(start time.Time) *story.Script) error {
	s.console.say("Installing a program of others that reports to the update (docs/updatestatus/informers.md) ...")
	informer, err := clusters.Install(ctx, s.plane)
	if err != nil {
		return fmt.Errorf("installing the example %s: %w", clusters.Informer, err)
	}
	writer, err := playback.NewWriter(s.plane.Admin())
	if err != nil {
		return fmt.Errorf("making a client for the actors: %w", err)
	}
	if err := s.awaitStatus(ctx); err != nil {
		return err
	}
	if err := s.trustExample(ctx); err != nil {
		return err
	}
	played := script(time.Now().Add(lead))
	simulation := simulator.NewSimulation(played.Update)
	player := &playback.Player{Writer: writer, Wait: playback.RealTime}
	s.console.say("\nCreating the cluster that is updated ...")
	if err := player.Create(ctx, simulation); err != nil {
		return fmt.Errorf("creating the cluster that is updated: %w", err)
	}
	if err := s.built(ctx, "oc-update-rehearse", "--to="+simulator.DefaultTo); err != nil {
		return err
	}
	group, during := errgroup.WithContext(ctx)
	contributing, updated := context.WithCancel(during)
	defer updated()
	group.Go(func() error { return s.contribute(contributing, &contributor{informer: informer}) })
	group.Go(func() error {
		return played.Play(simulation, func(wrote func(simulator.Write)) error {
			player.Wrote = wrote
			if _, err := player.Play(during, simulation, nil); err != nil {
				return fmt.Errorf("playing the update: %w", err)
			}
			return nil
		})
	})
	// The watch ends by itself when the object says that everything is updated.
	group.Go(func() error {
		defer updated()
		return s.client(during, "--watch", "--wait-for-start")
	})
	if err := group.Wait(); err != nil {
		return err
	}
	return s.showPlayed(ctx)
}

// showPlayed shows the cluster after the update.
func (s *setup) showPlayed(ctx context.Context) error {
	if err := s.kubectl(ctx, "wait", "--for=jsonpath={.status.completedVersion}="+simulator.DefaultTo, "updatestatussummary/cluster", "--timeout=1m"); err != nil {
		return err
	}
	if err := s.showObject(ctx); err != nil {
		return err
	}
	if err := s.kubectl(ctx, "get", "events", "--namespace", controlplane.Namespace,
		"--field-selector", "involvedObject.kind=ClusterVersion", "--sort-by", ".metadata.creationTimestamp"); err != nil {
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
