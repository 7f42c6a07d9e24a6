package integration_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// TestStandingStill plays updates that stop where nobody is told by an alert. The controller finds it with its own permissions, also after
// a restart, and the first three lines of the client say what stops the update, since when, and what to do.
func TestStandingStill(t *testing.T) {
	worker := simulator.NodeName("worker", 0)
	for _, test := range []struct {
		name    string
		update  simulator.Update
		after   time.Duration
		atOnce  bool
		summary string
		lines   [3]string
	}{
		{
			name: "a node that never returns", update: simulator.Update{Lost: map[string]bool{worker: true}}, after: 3 * time.Hour,
			summary: "Node " + worker + " has not returned from its reboot",
			lines:   [3]string{"Updating from 4.20.1 to 4.20.2 for ", "has not returned from its reboot (for ", "→ oc describe node " + worker},
		},
		{
			name: "a pool that never starts", after: 24 * time.Hour,
			update:  simulator.Update{RenderFails: map[string]string{"worker": "machineconfig.machineconfiguration.openshift.io \"99-worker\" is invalid"}},
			summary: "Pool worker can't be updated: the configuration can't be rendered",
			lines:   [3]string{"Updating from 4.20.1 to 4.20.2 for ", "the configuration can't be rendered: ", "→ oc describe machineconfigpool worker"},
		},
		{
			name: "what may be unavailable is used up", update: simulator.Update{Cordoned: map[string]bool{worker: true}}, after: 3 * time.Hour,
			summary: "Pool worker has not started to update: node " + worker + " is cordoned",
			lines:   [3]string{"Updating from 4.20.1 to 4.20.2 for ", "node " + worker + " is cordoned (for ", "→ oc adm uncordon " + worker},
		},
		{
			name: "an update that is refused", after: 2 * time.Hour, atOnce: true,
			update: simulator.Update{Refused: simulator.Refusal{Reason: "PreconditionChecks", Message: fmt.Sprintf(
				`Preconditions failed for payload loaded version=%q image=%q: Precondition "ClusterVersionUpgradeable" failed because of "Risky": Not now`,
				newVersion, builders.Image(newVersion))}},
			summary: "The update to 4.20.2 is not accepted (PreconditionChecks)",
			lines: [3]string{
				"The update to 4.20.2 was requested 1h", `(PreconditionChecks): Precondition "ClusterVersionUpgradeable" failed because of "Risky": Not now (for 1h`, "→ oc adm upgrade",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			test.update.Seed, test.update.Start, test.update.From, test.update.To = 5, startTime, oldVersion, newVersion
			test.update.OperatorScale, test.update.Pools = 0.3, []simulator.Pool{{Name: "master", Nodes: 1}, {Name: "worker", Nodes: 2}}
			simulation := simulator.NewSimulation(test.update)
			w.create(simulation)
			w.start()
			w.until("the first report", isAvailable)
			w.play(simulation, nil)
			is := func(us *updatev1alpha1.UpdateStatus) bool { return healthOf(us, test.summary) != nil }
			if test.atOnce {
				w.until(test.summary, is)
			}
			w.clock.SetTime(startTime.Add(test.after))
			w.put(builders.MachineConfig("rendered-tuned", oldVersion)) // something to look at the time for
			w.until(test.summary, is)
			w.stop()
			w.start()
			w.put(builders.MachineConfigPool("joined"))
			if us := w.until("something new after the restart", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") != nil }); !is(us) {
				t.Error("it is gone after a restart")
			}
			out, errOut, status := w.newClient("get").run(w.ctx, "--now", w.second().Format(time.RFC3339))
			lines := strings.Split(out, "\n")
			for at, want := range test.lines {
				if at >= len(lines) || !strings.Contains(lines[at], want) {
					t.Fatalf("line %d is not %q, exit status %d %s:\n%s", at+1, want, status, errOut, out)
				}
			}
		})
	}
}
