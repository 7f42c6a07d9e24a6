package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

const (
	// The terminal.
	columns = 80
	rows    = 24
	// The marks around the screens.
	begin = "<!-- begin screens: make update -->\n"
	end   = "<!-- end screens -->\n"
)

// screen is what a watch shows on a terminal of a moment of an update.
type screen struct {
	title string
	scene scene
	// notices are what keeps the screen from being up to date.
	notices []string
}

func screens() []screen {
	healthy, blocked, failing := simulator.Update{Seed: 1, Start: start}, simulator.NodeName("worker", 1), simulator.NodeName("worker", 2)
	refused := simulator.Update{Seed: 1, Start: start, AtLeast: 2 * time.Hour}
	simulator.Faults["refused-manifest"](&refused)
	return []screen{
		{title: "An update that goes well:", scene: scene{update: healthy, at: 47 * time.Minute}},
		{title: "A PodDisruptionBudget blocks the drain of a node:", scene: scene{
			update: simulator.Update{Seed: 1, Start: start, Blocked: map[string]bool{blocked: true}},
			at:     63 * time.Minute,
			change: func(in *standalone.Input, _ time.Time) { played.BlockDrain(in, blocked) },
		}},
		{title: "A policy refuses a manifest (`make demo FAULT=refused-manifest` plays it):", scene: scene{update: refused, at: 80 * time.Minute}},
		{title: "An operator fails, and a node is degraded:", scene: scene{
			update: simulator.Update{Seed: 1, Start: start, Degraded: map[string]string{
				failing: `failed to update OS: error running rpm-ostree rebase: No space left on device`,
			}},
			at:     67 * time.Minute,
			change: func(in *standalone.Input, now time.Time) { played.FailOperator(in, start.Add(20*time.Minute), now) },
		}},
		{
			title: "The API server is away:", scene: scene{update: healthy, at: 50 * time.Minute},
			notices: []string{"the status is as of 2026-03-02T14:47:12Z: watching UpdateStatus/cluster: connection refused"},
		},
	}
}

// rehearse writes the rehearsal of an update of which some things would be in the way, after an earlier one, until half past four.
func rehearse(w io.Writer) error {
	earlier, err := scene{name: "earlier", update: simulator.Update{Seed: 2, Start: start.AddDate(0, -1, 0), From: "4.20.0", To: "4.20.1"}}.input()
	if err != nil {
		return err
	}
	cordoned := simulator.NodeName("worker", 9)
	cluster := played.New(simulator.Update{Seed: 1, Start: start, Cordoned: map[string]bool{cordoned: true}, Pools: []simulator.Pool{
		{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 24, MaxUnavailable: 3}, {Name: "infra", Nodes: 3, Paused: true},
	}}).Input()
	played.BlockDrain(&cluster, simulator.NodeName("worker", 3))
	cluster.ClusterVersion = cluster.ClusterVersion.DeepCopy()
	cluster.ClusterVersion.Status.AvailableUpdates = []configv1.Release{{Version: simulator.DefaultTo}}
	r := rehearsal.Of(rehearsal.Input{
		Cluster: cluster, History: estimate.History{*earlier.Record}, To: simulator.DefaultTo, Until: start.Add(150 * time.Minute), Now: start,
	})
	return describe.WriteRehearsal(w, r, describe.Options{Now: start, Width: columns})
}

// writeScreens writes the screens between the marks of a page.
func writeScreens(file string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		return errors.New("the page has no marks for the screens")
	}
	var text strings.Builder
	text.WriteString("\nBefore an update, `oc update rehearse --until 16:30` shows how it would go:\n\n```\n")
	if err := rehearse(&text); err != nil {
		return err
	}
	text.WriteString("```\n")
	for _, one := range screens() {
		in, err := one.scene.input()
		if err != nil {
			return err
		}
		options := describe.Options{Now: in.Options.Now, Width: columns, Head: in.Options.Head}
		fmt.Fprintf(&text, "\n%s\n\n```\n", one.title)
		for _, line := range describe.Screen(in.Status, options, one.notices, rows-1) {
			text.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		text.WriteString("```\n")
	}
	if err := os.WriteFile(file, []byte(before+begin+text.String()+"\n"+end+after), 0o644); err != nil { //nolint:gosec // a page of the repository
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
