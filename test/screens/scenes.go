package main

import (
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/test/played"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// The terminal.
const (
	columns = 80
	rows    = 24
)

// start is when the updates are requested.
var start = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

// scene is a moment of an update.
type scene struct {
	title  string
	update simulator.Update
	// at is the moment, after the start of the update.
	at time.Duration
	// change changes what is read of the cluster at a time.
	change func(in *standalone.Input, now time.Time)
	// notices are what keeps the screen from being up to date.
	notices []string
}

func scenes() []scene {
	blocked, failing := simulator.NodeName("worker", 1), simulator.NodeName("worker", 2)
	return []scene{
		{
			title:  "An update that goes well:",
			update: simulator.Update{Seed: 1, Start: start},
			at:     45 * time.Minute,
		},
		{
			title:  "A PodDisruptionBudget blocks the drain of a node:",
			update: simulator.Update{Seed: 1, Start: start, Blocked: map[string]bool{blocked: true}},
			at:     60 * time.Minute,
			change: func(in *standalone.Input, _ time.Time) { played.BlockDrain(in, blocked) },
		},
		{
			title: "An operator fails, and a node is degraded:",
			update: simulator.Update{Seed: 1, Start: start, Degraded: map[string]string{
				failing: `failed to update OS: error running rpm-ostree rebase: No space left on device`,
			}},
			at:     65 * time.Minute,
			change: func(in *standalone.Input, now time.Time) { played.FailOperator(in, start.Add(20*time.Minute), now) },
		},
		{
			title:   "The API server is away:",
			update:  simulator.Update{Seed: 1, Start: start},
			at:      50 * time.Minute,
			notices: []string{"the status is as of 2026-03-02T14:47:12Z: watching UpdateStatus/cluster: connection refused"},
		},
	}
}

// screen returns the lines that a watch shows.
func (s scene) screen() []string {
	us, now := s.play()
	options := describe.Options{Now: now, Width: columns, Head: describe.Head(us, now)}
	lines := describe.Screen(us, options, s.notices, rows-1)
	for at := range lines {
		lines[at] = strings.TrimRight(lines[at], " ")
	}
	return lines
}

// play plays the update until the moment, and returns the status that a controller keeps meanwhile.
func (s scene) play() (*updatev1alpha1.UpdateStatus, time.Time) {
	playing, end := played.New(s.update), start.Add(s.at)
	playing.Change = s.change
	for now, more := playing.Next(); more && now.Before(end); now, more = playing.Next() {
		playing.Status(now)
	}
	return &updatev1alpha1.UpdateStatus{Status: *playing.Status(end)}, end
}
