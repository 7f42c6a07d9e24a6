package source

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/drain"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func drainingWorker(name string, options ...builders.NodeOption) *corev1.Node {
	return worker(name, append([]builders.NodeOption{
		builders.Configs("old", "new"), builders.State("Working"), builders.Drain("drain-new", "uncordon-old"),
	}, options...)...)
}

// drainOf returns the insight about the drain of a node in the ledger, nil if there is none.
func (n *nodesFixture) drainOf(name string) *updatev1alpha1.HealthInsight {
	for _, each := range insights(n.ledger) {
		one := each.Insight.Health
		if one != nil && one.Scope.Resources[0].Name == name {
			return one
		}
	}
	return nil
}

// drainStartOf returns the start of the drain of a node in the ledger, after the start of the test; -1 if it is not draining.
func (n *nodesFixture) drainStartOf(name string) time.Duration {
	for _, one := range insights(n.ledger) {
		if node := one.Insight.Node; node != nil && node.Name == name && node.DrainStartedAt != nil {
			return node.DrainStartedAt.Sub(start)
		}
	}
	return -1
}

func (n *nodesFixture) expectWanted(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, n.wanted); diff != "" {
		t.Errorf("blockers are wanted (-want +got):\n%s", diff)
	}
}

// TestDrain: the blockers of a drain are not read before it is long, it is not reported before they were read, and they are not read
// after it.
func TestDrain(t *testing.T) {
	n := filledNodes(t)
	n.put(t, drainingWorker("a"))
	n.run(t)
	n.at(t, 9*time.Minute)
	n.expectWanted(t)
	if got := n.drainStartOf("a"); got != 0 || n.next != time.Minute+time.Millisecond {
		t.Errorf("drain started at %s, next sync after %s", got, n.next)
	}
	n.at(t, 11*time.Minute)
	n.expectWanted(t, "a")
	if n.drainOf("a") != nil || n.next != time.Minute {
		t.Errorf("reported %v, next sync after %s", n.drainOf("a"), n.next)
	}
	n.read["a"] = &drain.Blockers{}
	if got := n.at(t, 11*time.Minute); got != "a !" {
		t.Errorf("sent %q", got)
	}
	if one := n.drainOf("a"); one == nil || !one.StartedAt.Time.Equal(start) || n.drainStartOf("a") != 0 {
		t.Errorf("reported %v, drain started at %s", one, n.drainStartOf("a"))
	}
	n.put(t, drainingWorker("a", builders.Drain("drain-new", "drain-new")))
	n.run(t)
	n.expectWanted(t)
	if n.drainOf("a") != nil || n.drainStartOf("a") >= 0 {
		t.Errorf("reported %v after the drain, which started at %s", n.drainOf("a"), n.drainStartOf("a"))
	}
	// The next drain of the node has a start of its own.
	n.put(t, drainingWorker("a"))
	n.run(t)
	n.at(t, 20*time.Minute)
	n.expectWanted(t)
	n.at(t, 22*time.Minute)
	if one := n.drainOf("a"); one == nil || !one.StartedAt.Time.Equal(start.Add(11*time.Minute)) {
		t.Errorf("reported %v of the second drain", one)
	}
	n.remove(t, drainingWorker("a"))
	n.run(t)
	n.expectWanted(t)
	if n.asked != 1 {
		t.Errorf("asked %d times for what was observed before", n.asked)
	}
}

// TestDrainOverARestart: a controller that starts in the middle of a drain goes on from what the object has of it, and reports nothing
// before it can report that.
func TestDrainOverARestart(t *testing.T) {
	n := newNodes(t)
	n.observed.Starts["a"], n.observed.DrainFailures["a"] = start.Add(-time.Hour), "Error: the eviction of db-0 is refused"
	n.put(t, updating("4.20.2"), config("old", "4.20.1"), config("new", "4.20.2"), workerPool("worker"), drainingWorker("a"), worker("b"))
	if got := n.run(t); got != "" {
		t.Errorf("sent %q", got)
	}
	n.expectWanted(t, "a")
	n.read["a"] = &drain.Blockers{Unread: "no response"}
	if got := n.run(t); got != "a b worker !" {
		t.Errorf("sent %q", got)
	}
	one := n.drainOf("a")
	if one == nil || one.Impact.Level != updatev1alpha1.LevelError || !one.StartedAt.Time.Equal(start.Add(-time.Hour)) ||
		!strings.HasSuffix(one.Impact.Description, "\nThe Machine Config Operator reports: Error: the eviction of db-0 is refused") {
		t.Errorf("reported %v", one)
	}
	if got := n.drainStartOf("a"); got != -time.Hour {
		t.Errorf("drain started at %s", got)
	}
	// A node of the same name that comes later is another one.
	n.remove(t, drainingWorker("a"))
	n.at(t, time.Minute)
	n.put(t, drainingWorker("a"))
	n.at(t, 2*time.Minute)
	if got := n.drainStartOf("a"); got != 2*time.Minute {
		t.Errorf("the drain of another node started at %s", got)
	}
	// Later reports do not wait.
	n.at(t, 15*time.Minute)
	if got := n.at(t, 15*time.Minute); got != "!" {
		t.Errorf("sent %q", got)
	}
}

// TestMachineConfigNodeOfUnreadPods checks that what the MachineConfigNode of a node has is reported while the pods that block its drain
// take too long to be read.
func TestMachineConfigNodeOfUnreadPods(t *testing.T) {
	n := filledNodes(t)
	failed := builders.Drained(metav1.ConditionUnknown, start, "Error: the eviction of db-0 is refused")
	cordoned := builders.Step(machineconfigv1.MachineConfigNodeUpdateCordoned, metav1.ConditionTrue, start.Add(-5*time.Minute), "")
	n.put(t, drainingWorker("a"), builders.MachineConfigNode("a", "new", failed, cordoned))
	n.run(t)
	n.read["a"] = &drain.Blockers{Unread: "no valid response from the API server"}
	n.at(t, 11*time.Minute)
	if one := n.drainOf("a"); one == nil || !strings.Contains(one.Impact.Description, "The Machine Config Operator reports: Error: the eviction of db-0 is refused") {
		t.Errorf("reported %+v", one)
	}
	if got := n.drainStartOf("a"); got != -5*time.Minute {
		t.Errorf("drain started at %s", got)
	}
}

// TestDrainsPatience checks that the first report waits for the blockers of drains, for 15 s.
func TestDrainsPatience(t *testing.T) {
	n := newNodes(t)
	n.observed.Starts["a"] = start.Add(-time.Hour)
	n.put(t, updating("4.20.2"), config("old", "4.20.1"), config("new", "4.20.2"), workerPool("worker"), drainingWorker("a"))
	if got := n.run(t); got != "" || n.next != 15*time.Second {
		t.Errorf("sent %q, next sync after %s", got, n.next)
	}
	if got := n.at(t, 15*time.Second-time.Millisecond); got != "" || n.next != time.Millisecond {
		t.Errorf("sent %q before, next sync after %s", got, n.next)
	}
	if got := n.at(t, 15*time.Second); got != "a worker !" {
		t.Errorf("sent %q after", got)
	}
}

// TestDrainWaitsForTheObject: without what was observed before nothing is reported, and it is tried again.
func TestDrainWaitsForTheObject(t *testing.T) {
	n := newNodes(t)
	n.observedErr = errors.New("stopping")
	n.put(t, updating("4.20.2"), config("old", "4.20.1"), config("new", "4.20.2"), workerPool("worker"), drainingWorker("a"))
	if err := n.trySync(); !errors.Is(err, n.observedErr) || len(n.sent) > 0 {
		t.Errorf("error %v, sent %v", err, n.sent)
	}
	n.observedErr = nil
	if got := n.run(t); got != "a worker !" {
		t.Errorf("sent %q", got)
	}
}
