package integration_test

import (
	"strings"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// standstill is an update that stops where nobody is told by an alert.
type standstill struct {
	name   string
	update simulator.Update
	// after is when it is reported. An update that is refused is reported at once.
	after  time.Duration
	atOnce bool
	// summary is what is reported, and lines are parts of the first three lines of the client: what stops the update, since when, and what
	// to do.
	summary string
	lines   [3]string
}

// lostNode is the node at which updates stop.
var lostNode = simulator.NodeName("worker", 0)

// TestStalled plays updates that stop. The controller finds it with its own permissions, also after a restart.
func TestStalled(t *testing.T) {
	for _, test := range []standstill{{
		name: "a node that never returns", update: simulator.Update{Lost: map[string]bool{lostNode: true}}, after: 3 * time.Hour,
		summary: "Node " + lostNode + " has not returned from its reboot",
		lines:   [3]string{"Stuck for ", "has not returned from its reboot (for ", "→ oc describe node " + lostNode},
	}, {
		name: "an update that is refused", after: 2 * time.Hour, atOnce: true,
		update: simulator.Update{Refused: simulator.Refusal{Reason: "PreconditionChecks", Message: builders.CVOSyncWorker.Says(
			`Preconditions failed for payload loaded version=%q image=%q: Precondition "ClusterVersionUpgradeable" failed because of "Risky": Not now`,
			newVersion, builders.Image(newVersion))}},
		summary: "The update to 4.20.2 is not accepted (PreconditionChecks)",
		lines: [3]string{
			"The update to 4.20.2 was requested 1h", `(PreconditionChecks): Precondition "ClusterVersionUpgradeable" failed because of "Risky": Not now (for 1h`, "→ oc describe clusterversion version",
		},
	}} {
		t.Run(test.name, test.run)
	}
}

func (s standstill) run(t *testing.T) {
	w, small := newWorld(t), smallUpdate()
	s.update.Seed, s.update.Start, s.update.From, s.update.To = small.Seed, small.Start, small.From, small.To
	s.update.Pools, s.update.Operators = small.Pools, small.Operators
	simulation := w.startUpdate(s.update)
	w.play(simulation, nil)
	is := func(us *updatev1alpha1.UpdateStatus) bool { return healthOf(us, s.summary) != nil }
	if s.atOnce {
		w.until(s.summary, is)
	}
	w.clock.SetTime(startTime.Add(s.after))
	w.put(builders.MachineConfig("rendered-tuned", oldVersion)) // something to look at the time for
	w.until(s.summary, is)
	w.stop()
	w.start()
	w.put(builders.MachineConfigPool("joined"))
	if us := w.until("something new after the restart", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") != nil }); !is(us) {
		t.Error("it is gone after a restart")
	}
	out, errOut, status := w.newClient("get").run(w.ctx, "--now", w.now())
	lines := strings.Split(out, "\n")
	for at, want := range s.lines {
		if at >= len(lines) || !strings.Contains(lines[at], want) {
			t.Fatalf("line %d is not %q, exit status %d %s:\n%s", at+1, want, status, errOut, out)
		}
	}
}
