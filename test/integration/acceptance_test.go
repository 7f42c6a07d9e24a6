package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// TestAcceptance watches played updates with bin/update-status-invariants, as a user who may read the object and nothing else: one as it
// is, and one in which another client writes a wrong count into the object.
func TestAcceptance(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "update-status-invariants")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "grpcnotrace", "-o", binary, "../acceptance")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for name, disturbed := range map[string]bool{"undisturbed": false, "a wrong count": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			reader, folder, out := w.newClient("get", "list", "watch"), t.TempDir(), &logs{}
			simulation := simulator.NewSimulation(simulator.Update{Seed: 5, Start: startTime, From: oldVersion, To: newVersion})
			w.create(simulation)
			w.start()
			w.until("the first report", isAvailable)
			command := exec.CommandContext(w.ctx, binary, "--junit", filepath.Join(folder, "junit.xml"), "--versions", folder)
			command.Env, command.Stdout, command.Stderr = reader.env, out, out
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			awaitText(t, out, "Watching UpdateStatus/cluster")

			written := 0
			w.play(simulation, func(simulator.Write) bool { written++; return written == 200 })
			w.settle(simulation)
			if disturbed {
				us := w.get()
				pool := find(us, "mcp-worker").MachineConfigPool
				pool.Summaries[0].Count++
				if _, err := w.client.UpdateStatus(w.ctx, us, metav1.UpdateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			w.play(simulation, nil)
			err := command.Wait()
			if (err != nil) != disturbed {
				t.Errorf("it ended with %v:\n%s", err, out)
			}
			result, err := os.ReadFile(filepath.Join(folder, "junit.xml"))
			if err != nil || strings.Contains(string(result), "<failure>") != disturbed {
				t.Errorf("junit.xml: %v\n%s", err, result)
			}
			after, err := os.ReadFile(filepath.Join(folder, "after.yaml"))
			if (err == nil) != disturbed || disturbed && !strings.Contains(string(after), updatev1alpha1.SingletonName) {
				t.Errorf("after.yaml: %v\n%s", err, after)
			}
			if disturbed && !strings.Contains(out.String(), "its nodes are") {
				t.Errorf("it says\n%s", out)
			}
		})
	}
}
