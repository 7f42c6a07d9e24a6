package main

import (
	"fmt"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/record"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/report"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// start is when the updates are requested.
var start = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

// scene is a moment of an update.
type scene struct {
	name   string
	update simulator.Update
	// at is the moment, after the start of the update; without it, the moment is after its end.
	at time.Duration
	// every is how often the cluster is observed at most.
	every time.Duration
	// change changes what is read of the cluster.
	change func(in *standalone.Input, now time.Time)
	// killed is when the controller does not run, from and to, after the start.
	killed [2]time.Duration
	// finish changes what the report is made from.
	finish func(in *report.Input)
}

func scenes() []scene {
	blocked, failing := simulator.NodeName("worker", 1), simulator.NodeName("infra", 1)
	return []scene{
		{name: "healthy", update: simulator.Update{Seed: 1, Start: start}, at: 45 * time.Minute},
		{
			name:   "blocked",
			update: simulator.Update{Seed: 1, Start: start, Blocked: map[string]bool{blocked: true}},
			at:     75 * time.Minute,
			change: func(in *standalone.Input, _ time.Time) { played.BlockDrain(in, blocked) },
		},
		{
			name:   "finished",
			update: simulator.Update{Seed: 3, Start: start, Pools: manyPools(), Degraded: map[string]string{failing: "failed to update OS: No space left on device"}},
			change: func(in *standalone.Input, now time.Time) {
				if now.Before(start.Add(40 * time.Minute)) {
					played.FailOperator(in, start.Add(20*time.Minute), now)
				}
			},
			killed: [2]time.Duration{50 * time.Minute, 56 * time.Minute},
			finish: func(in *report.Input) { in.Status, in.Options.Head = nil, nil },
		},
		{
			name: "large",
			update: simulator.Update{Seed: 1, Start: start, Pools: []simulator.Pool{
				{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 3997, MaxUnavailable: 400}, {Name: "infra", Nodes: 1000, MaxUnavailable: 50},
			}},
			at: 110 * time.Minute, every: 110 * time.Second,
		},
	}
}

func manyPools() []simulator.Pool {
	return []simulator.Pool{{Name: "master", Nodes: 3}, {Name: "worker", Nodes: 30, MaxUnavailable: 3}, {Name: "infra", Nodes: 3}}
}

// input plays an update until its moment, and returns what its report is made from.
func (s scene) input() (report.Input, error) {
	playing, fold := played.New(s.update), record.Resume(nil)
	playing.Change = s.change
	var status *updatev1alpha1.UpdateStatusStatus
	var observed, last time.Time
	isRepaired := false
	for {
		now, more := playing.Next()
		if !more && !isRepaired && s.at == 0 {
			for node := range s.update.Degraded {
				playing.Simulation.Repair(node)
			}
			isRepaired = true
			continue
		}
		if !more && s.at > 0 {
			now = last.Add(time.Minute) // nothing is written any more, but the controller goes on
		}
		isOver := !more && s.at == 0 || s.at > 0 && now.After(start.Add(s.at))
		if isOver {
			now = last
			if s.at > 0 {
				now = start.Add(s.at)
			}
		}
		last = now
		since := now.Sub(start)
		isAway := since > s.killed[0] && since < s.killed[1]
		if now.Sub(observed) >= s.every && !isAway || isOver || fold.Head().StartedAt == nil {
			observed, status = now, playing.Status(now)
			fold.Observe(update.Read(status), now)
		}
		if isOver {
			return s.inputOf(status, fold, now)
		}
	}
}

func (s scene) inputOf(status *updatev1alpha1.UpdateStatusStatus, fold *record.Recorder, now time.Time) (report.Input, error) {
	made := fold.Record()
	if made == nil {
		return report.Input{}, fmt.Errorf("%s: the update has no record", s.name)
	}
	stored := &record.Named{}
	if err := played.Store(made, stored); err != nil {
		return report.Input{}, err
	}
	u := update.ReadAt(status, now)
	in := report.Input{
		Status: u, Record: &stored.Status, RecordName: stored.Name,
		Options: describe.Options{Now: now, Head: describe.Head(u, now), Object: &updatev1alpha1.UpdateStatus{Status: *status}},
		About: report.About{
			ClusterID: "0f4c1a52-6d0e-4c55-9f0a-5f3f0c1d2b7e", APIAddress: "https://api.example.com:6443", Client: "oc update report v1.0.0", MadeAt: now.Add(time.Minute),
		},
	}
	if s.finish != nil {
		s.finish(&in)
	}
	return in, nil
}
