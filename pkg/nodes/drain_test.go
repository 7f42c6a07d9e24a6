package nodes

import (
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/drain"
	"github.com/openshift/cluster-version-operator/test/builders"
)

func drainingWorker(name string, options ...builders.NodeOption) *corev1.Node {
	return worker(name, append([]builders.NodeOption{
		builders.Configs("old", "new"), builders.State("Working"), builders.Drain("drain-new", "uncordon-old"),
	}, options...)...)
}

// drainOf returns the insight about the drain of a node in the ledger, nil if there is none.
func (b *bench) drainOf(name string) *updatev1alpha1.HealthInsight {
	for _, placed := range insights(b.ledger) {
		one := placed.Insight.Health
		if one != nil && one.Scope.Resources[0].Name == name {
			return one
		}
	}
	return nil
}

// drainStartOf returns the start of the drain of a node in the ledger, zero if it is not draining.
func (b *bench) drainStartOf(name string) time.Time {
	for _, one := range insights(b.ledger) {
		if node := one.Insight.Node; node != nil && node.Name == name && node.DrainStartedAt != nil {
			return node.DrainStartedAt.Time
		}
	}
	return time.Time{}
}

// at runs at a moment of the test, with keys as the queue would have them.
func (b *bench) at(t *testing.T, after time.Duration, keys ...string) string {
	t.Helper()
	b.clock.SetTime(start.Add(after))
	b.keys = append(b.keys, keys...)
	return b.run(t)
}

// TestDrain: nobody looks for what keeps a node before its drain is long, nothing is said before that was read, and nobody
// looks any more when the drain is over.
func TestDrain(t *testing.T) {
	b := filled(t)
	b.put(drainingWorker("a"))
	b.run(t)
	b.at(t, 9*time.Minute, "node/a")
	if got := b.drainStartOf("a"); !got.Equal(start) {
		t.Errorf("drain started at %s, want %s", got, start)
	}
	if len(b.drains.wanted) > 0 {
		t.Errorf("looked for %v", b.drains.wanted)
	}
	if wait := b.later["node/a"]; wait != time.Minute+time.Millisecond {
		t.Errorf("looks again after %s", wait)
	}
	b.at(t, 11*time.Minute, "node/a")
	if !b.drains.wanted["a"] || b.drainOf("a") != nil {
		t.Errorf("wanted %v, said %v", b.drains.wanted, b.drainOf("a"))
	}
	if wait := b.later["node/a"]; wait != time.Minute {
		t.Errorf("looks again after %s", wait)
	}
	b.drains.read["a"] = &drain.Blockers{}
	b.Requeue("a") // through the queue of the factory, which does not run here
	if got := b.at(t, 11*time.Minute, "drain/a"); got != "a" {
		t.Errorf("sent %q", got)
	}
	if one := b.drainOf("a"); one == nil || !one.StartedAt.Time.Equal(start) || !b.drainStartOf("a").Equal(start) {
		t.Errorf("said %v, drain started at %s", one, b.drainStartOf("a"))
	}
	b.put(drainingWorker("a", builders.Drain("drain-new", "drain-new")))
	b.run(t)
	if len(b.drains.wanted) > 0 || b.drainOf("a") != nil || !b.drainStartOf("a").IsZero() {
		t.Errorf("wanted %v, said %v after the drain, which started at %s", b.drains.wanted, b.drainOf("a"), b.drainStartOf("a"))
	}
	// The next drain of the node has a start of its own.
	b.put(drainingWorker("a"))
	b.run(t)
	b.at(t, 20*time.Minute, "node/a")
	if len(b.drains.wanted) > 0 {
		t.Error("the second drain began with the first")
	}
	b.at(t, 22*time.Minute, "node/a")
	if one := b.drainOf("a"); one == nil || !one.StartedAt.Time.Equal(start.Add(11*time.Minute)) {
		t.Errorf("said %v of the second drain", one)
	}
	b.remove(drainingWorker("a"))
	b.run(t)
	if len(b.drains.wanted) > 0 || b.drainStartsRead > 0 {
		t.Errorf("wanted %v of a node that is gone; asked %d times for what was there before", b.drains.wanted, b.drainStartsRead)
	}
}

// TestDrainOverARestart: a controller that starts in the middle of a drain goes on from what the object says, and reports
// nothing before it can say of the drain what was said before.
func TestDrainOverARestart(t *testing.T) {
	b := newBench(t)
	b.drainStarts["a"], b.drainFailures = start.Add(-time.Hour), map[string]string{"a": "Error: the eviction of db-0 is refused"}
	b.put(updating("4.20.2"))
	b.put(config("old", "4.20.1"))
	b.put(config("new", "4.20.2"))
	b.put(builders.MachineConfigPool("worker", builders.Configuration("new")))
	b.put(drainingWorker("a"))
	b.put(worker("b"))
	if got := b.at(t, 0); got != "" || !b.drains.wanted["a"] {
		t.Errorf("sent %q, wanted %v", got, b.drains.wanted)
	}
	b.drains.read["a"] = &drain.Blockers{Unread: "nobody answers"}
	if got := b.at(t, 0, "drain/a"); got != "a b worker !" {
		t.Errorf("sent %q", got)
	}
	one := b.drainOf("a")
	if one == nil || one.Impact.Level != updatev1alpha1.LevelError || !one.StartedAt.Time.Equal(start.Add(-time.Hour)) ||
		!strings.HasSuffix(one.Impact.Description, "\nThe Machine Config Operator reports: Error: the eviction of db-0 is refused") {
		t.Errorf("said %v", one)
	}
	if got := b.drainStartOf("a"); !got.Equal(start.Add(-time.Hour)) {
		t.Errorf("drain started at %s", got)
	}
	// A node that comes later was not seen by anybody before.
	b.drainStarts["c"] = start.Add(-time.Hour)
	b.put(drainingWorker("b"))
	b.at(t, 0)
	if b.drainOf("b") != nil || b.drainStartsRead != 1 {
		t.Errorf("said %v, asked %d times", b.drainOf("b"), b.drainStartsRead)
	}
	// A node of the same name that comes later is another one.
	b.remove(drainingWorker("a"))
	b.at(t, time.Minute)
	b.put(drainingWorker("a"))
	b.at(t, 2*time.Minute)
	if got := b.drainStartOf("a"); !got.Equal(start.Add(2 * time.Minute)) {
		t.Errorf("the drain of another node started at %s", got)
	}
}

// TestDrainsPatience checks that the first report waits for the blockers of drains, for 15 s.
func TestDrainsPatience(t *testing.T) {
	b := newBench(t)
	b.drainStarts["a"] = start.Add(-time.Hour)
	b.put(updating("4.20.2"))
	b.put(config("old", "4.20.1"))
	b.put(config("new", "4.20.2"))
	b.put(builders.MachineConfigPool("worker", builders.Configuration("new")))
	b.put(drainingWorker("a"))
	if got := b.at(t, 0); got != "" || b.later[allKey] != 15*time.Second {
		t.Errorf("sent %q, looks again after %s", got, b.later[allKey])
	}
	if got := b.at(t, 15*time.Second-time.Millisecond, allKey); got != "" {
		t.Errorf("sent %q before", got)
	}
	if got := b.at(t, 15*time.Second, allKey); got != "a worker !" {
		t.Errorf("sent %q after", got)
	}
}

// TestDrainWaitsForTheObject: an error of who knows what the object says is one of the sync, which is tried again.
func TestDrainWaitsForTheObject(t *testing.T) {
	b := newBench(t)
	stopping := errors.New("stopping")
	b.drainStartsErr = stopping
	b.put(updating("4.20.2"))
	b.put(config("old", "4.20.1"))
	b.put(config("new", "4.20.2"))
	b.put(builders.MachineConfigPool("worker", builders.Configuration("new")))
	b.put(drainingWorker("a"))
	if err := b.sync(t.Context(), keyed{key: allKey, later: b.later}); !errors.Is(err, stopping) || len(b.sent) > 0 {
		t.Errorf("error %v, sent %v", err, b.sent)
	}
}
