package main

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/rehearsal"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/played"
)

// fewRehearsals are those of two shapes, of virtual machines.
var fewRehearsals = sync.OnceValue(func() *measuredRehearsals { return measureRehearsals(shapes()[2:4], 24) })

// TestRehearsals rehearses and plays some updates, with wider bounds than hack/updatestatus/update-estimates.sh has for all of them: of 12 with records two may
// end outside their range, and one that was paused in time may not have been.
func TestRehearsals(t *testing.T) {
	if err := fewRehearsals().check(rehearsalLimits{covered: 0.6, most: 1, paused: 0.9, width: 0.5}); err != nil {
		t.Error(err)
	}
}

// TestLongRehearsals rehearses and plays those of the page.
func TestLongRehearsals(t *testing.T) {
	if err := measureRehearsals(shapes(), rehearsedUpdates).check(rehearsalBounds); err != nil {
		t.Error(err)
	}
}

// TestRehearsalBounds fails each of the bounds.
func TestRehearsalBounds(t *testing.T) {
	for want, bounds := range map[string]rehearsalLimits{
		"the range of the whole covers": {covered: 1.1, most: 1, width: 9},
		"the range of a pool covers":    {most: -1, width: 9},
		"pools were paused in time":     {most: 1, paused: 1.1, width: 9},
		"a range is ":                   {most: 1, width: 0.01},
	} {
		if err := fewRehearsals().check(bounds); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", want, err)
		}
	}
	broken := *fewRehearsals()
	broken.missed = []string{"a"}
	if err := broken.check(rehearsalLimits{most: 1, width: 9}); err == nil || err.Error() != "a fault is not named: a" {
		t.Errorf("got %v", err)
	}
}

// TestUntil plays some updates, and looks three times in each how far its nodes are said to be half an hour later, and when to pause the pool.
func TestUntil(t *testing.T) {
	const window = 30 * time.Minute
	var counts, paused tally
	for seed := range uint64(8) {
		script := shapes()[4].script(seed)
		went, playing := playTruth(script), played.New(script)
		first, last := went.nodes[0], went.nodes[len(went.nodes)-1]
		next := went.started.Add(first.end + time.Minute)
		for now, more := playing.Next(); more; now, more = playing.Next() {
			isLook := !now.Before(next) && now.Before(went.started.Add(last.start))
			if !isLook && !playing.NodeChanged() {
				continue
			}
			u := update.Read(playing.Status(now))
			if !isLook {
				continue
			}
			next = next.Add((last.start - first.end) / 3)
			made := summary.Of(summary.Input{Update: u, Now: now})
			pool := rehearsal.OfUpdate(u, made, nil, now.Add(window), now).Pools[0]
			done, inProgress := int32(0), false
			for _, node := range went.nodes {
				start, end := went.started.Add(node.start), went.started.Add(node.end)
				if !end.After(now.Add(window)) {
					done++
				}
				inProgress = inProgress || pool.PauseBy != nil && start.Before(pool.PauseBy.Time) && end.After(now.Add(window))
			}
			counts.add(pool.LeastNodes <= done && done <= pool.MostNodes)
			if pool.PauseBy != nil && !pool.IsLate {
				paused.add(!inProgress)
			}
		}
	}
	if counts.of < 16 || counts.share() < 0.7 || paused.share() < 0.9 {
		t.Errorf("%.2f of %d counts are within their range, %.2f of %d pools were paused in time", counts.share(), counts.of, paused.share(), paused.of)
	}
}
