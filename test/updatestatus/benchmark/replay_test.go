package main

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/shape"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// fakeWriter records writes by object.
type fakeWriter struct {
	mu     sync.Mutex
	writes map[string][]simulator.Write
}

// Apply implements writer.
func (w *fakeWriter) Apply(_ context.Context, write simulator.Write) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes[write.Kind+"/"+write.Name] = append(w.writes[write.Kind+"/"+write.Name], write)
	return nil
}

// past is long enough ago for every write of a replay to be due.
const past = 24 * time.Hour

func newTestPlayer(w *fakeWriter) *player {
	of := shape.Shape{Name: shape.Plain, Nodes: 60}
	simulation := simulator.NewSimulation(of.Update(time.Now().Add(-past), quietPeriod))
	return &player{writer: w, simulation: simulation, recorder: newRecorder(simulation.Objects()), rate: of.Rate()}
}

// TestPlay plays an update in two parts: the writes of each object are sent in their order, and all changes are recorded.
func TestPlay(t *testing.T) {
	writer := &fakeWriter{writes: map[string][]simulator.Write{}}
	p := newTestPlayer(writer)
	if err := p.play(t.Context(), startsUpdate); err != nil {
		t.Fatal(err)
	}
	if got := p.recorder.replay(); got.Writes < 8 || got.Writes > 16 || got.Nodes.Transitions != 0 {
		t.Errorf("in a minute of 60 nodes, 12 heartbeats on average: %+v", got)
	}
	p.recorder.reset()
	if err := p.play(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := p.recorder.replay(); got.Nodes.Transitions != 6*60 || got.Nodes.Missing != 60 {
		t.Errorf("the update: %+v", got)
	}
	if diff := cmp.Diff(p.recorder.cluster.States(), p.recorder.states); diff != "" {
		t.Errorf("the states at the end (-objects +recorded):\n%s", diff)
	}
	for name, of := range writer.writes {
		if !slices.IsSortedFunc(of, func(a, b simulator.Write) int { return a.Time.Compare(b.Time) }) {
			t.Errorf("the writes of %s are out of order", name)
		}
	}
}

// The simulation has waves.
func TestNodesChangeAtAnEvenRate(t *testing.T) {
	p := newTestPlayer(&fakeWriter{})
	p.offset = time.Hour
	perSecond, nodesStart, changes := map[int]int{}, time.Time{}, 0
	for write, more := p.simulation.Next(); more; write, more = p.simulation.Next() {
		one := p.recorder.plan(write)
		due := p.due(one)
		if nodesStart.IsZero() {
			if want := write.Time.Add(time.Hour); !due.Equal(want) {
				t.Fatalf("before nodes change a write is due at %s, want %s", due, want)
			}
			if write.Before == nil {
				nodesStart = due
			}
			continue
		}
		for range one.transitions {
			perSecond[int(due.Sub(nodesStart).Seconds())]++
			changes++
		}
	}
	if changes < 5*60 || len(perSecond) < 40 { // all became pending before
		t.Fatalf("%d changes in %d seconds", changes, len(perSecond))
	}
	for second, count := range perSecond {
		if count > 9 { // 6.2, and now and then an operator
			t.Errorf("%d changes in second %d", count, second)
		}
	}
}
