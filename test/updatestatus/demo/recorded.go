package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// showRecorded shows a recorded cluster, as if it had been recorded just now.
func showRecorded(ctx context.Context, console *console, from string) error {
	recorded, err := simulator.ReadRecorded(from)
	if err != nil {
		return fmt.Errorf("reading the recorded cluster %s: %w%s", from, err, others(from))
	}
	assessed, err := snapshot.Load(from)
	if err != nil {
		return fmt.Errorf("reading the recorded cluster %s: %w", from, err)
	}
	console.say(`This demo needs no cluster. It shows the recorded one %s:
  - a real etcd and kube-apiserver are started, manifests/ is installed on it, and the cluster's objects are created;
  - the controller runs with the permissions that manifests/ gives it, and nothing else;
  - you see UpdateStatus/cluster as text, in short and in full, and as kubectl shows it.
All times are moved, so that the newest is now. Ctrl-C ends the demo at any time. Nothing is left behind.
`, from)
	return withControlPlane(ctx, console, controlplane.Options{}, func(setup *setup) error {
		writer, err := playback.NewWriter(setup.plane.Admin())
		if err != nil {
			return fmt.Errorf("making a client to load the cluster with: %w", err)
		}
		now := time.Now()
		if newest := assessed.NewestTransition(now); !newest.IsZero() {
			recorded.Shift(now.Sub(newest))
		}
		if err := writer.Load(ctx, recorded); err != nil {
			return fmt.Errorf("loading the cluster: %w", err)
		}
		return setup.withController(ctx, setup.showLoaded)
	})
}

// showLoaded shows the cluster that was loaded, once the controller has reported.
func (s *setup) showLoaded(ctx context.Context) error {
	if err := s.awaitStatus(ctx); err != nil {
		return err
	}
	if err := s.client(ctx); err != nil {
		return err
	}
	if err := s.client(ctx, "--details", "all"); err != nil {
		return err
	}
	if err := s.showObject(ctx); err != nil {
		return err
	}
	s.console.say(whereToGo)
	return s.console.err
}

// others names the recorded clusters that there are instead of one that is not.
func others(from string) string {
	clusters, err := snapshot.Clusters(filepath.Dir(from))
	if err != nil || len(clusters) == 0 {
		return ""
	}
	return fmt.Sprintf("\nThere are these in %s: %s", filepath.Dir(from), strings.Join(clusters, ", "))
}
