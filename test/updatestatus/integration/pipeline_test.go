package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// standIn is an oc whose `adm upgrade` tells the test, in a file, that the update is requested. All else is kubectl.
const standIn = `#!/bin/sh
case "$1 $2" in
"adm upgrade") echo "$3" >"${REQUESTS}" ;;
*) exec kubectl "$@" ;;
esac
`

// pipelineScript returns the script of docs/updatestatus/client.md.
func pipelineScript(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(repositoryRoot(t), "docs", "updatestatus", "client.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(string(page), "```bash\n")
	script, _, isWhole := strings.Cut(script, "\n```")
	if !isWhole {
		t.Fatal("the page has no script")
	}
	return script
}

// TestPipeline runs the script of docs/updatestatus/client.md on an update with a node that fails, again when the node is repaired, and on a cluster
// that already has the version. The cluster has no monitoring, and its update is reported as any other.
func TestPipeline(t *testing.T) {
	w := newWorld(t)
	w.options = updatestatus.Options{
		AlertsURL: "https://monitoring.invalid:9091", AlertsCAFile: filepath.Join(t.TempDir(), "none"), AlertsEvery: 30 * time.Millisecond,
	}
	worker, script := simulator.NodeName("worker", 0), smallUpdate()
	script.Degraded = map[string]string{worker: "disk full"}
	simulation := w.startUpdate(script)
	const complete = "The update to " + newVersion + " is complete."
	failing := w.startPipeline("failing")
	failing.out.Until(w.ctx, "The cluster is not updating.")
	w.play(simulation, nil)
	failing.expect(3, "Needs attention: Error: ", "ERROR: the update to "+newVersion+", exit status 3: Needs attention: Error: ")
	simulation.Repair(worker)
	w.play(simulation, isNode(func(node *corev1.Node) bool {
		return node.Name == worker && node.Annotations[builders.AnnotationState] != builders.StateDegraded
	}))
	w.until("the repair", func(us *updatev1alpha1.UpdateStatus) bool { return !hasHealth(us) })
	again := w.startPipeline("again")
	again.out.Until(w.ctx, "Updating from ")
	w.play(simulation, nil)
	again.expect(0, complete, "")
	w.until("the end of the update", func(us *updatev1alpha1.UpdateStatus) bool { return everythingUpdated(us) && hasAlertsReason("")(us) })
	w.startPipeline("complete").expect(0, complete, "")
	w.stop()
	checkVersions(t, w.observer.Versions(), len(smallOperators))
	if !slices.ContainsFunc(w.observer.Versions(), hasAlertsReason(updatev1alpha1.ReasonMonitoringUnreachable)) {
		t.Error("the monitoring is not reported as unreachable")
	}
}

// pipeline is the script of docs/updatestatus/client.md, as it runs.
type pipeline struct {
	w           *world
	command     *exec.Cmd
	dir         string
	out, errOut *harness.Log
}

// startPipeline starts the script, and waits until it has requested the update.
func (w *world) startPipeline(name string) *pipeline {
	w.t.Helper()
	p := &pipeline{w: w, dir: w.t.TempDir(), out: harness.LogFile(w.t, name), errOut: harness.LogFile(w.t, name+"-errors")}
	for file, content := range map[string]string{"oc": standIn, "update.sh": pipelineScript(w.t)} {
		if err := os.WriteFile(filepath.Join(p.dir, file), []byte(content), 0o700); err != nil {
			w.t.Fatal(err)
		}
	}
	requests := filepath.Join(p.dir, "requests")
	client := w.clientOf(w.plane.Admin(), "oc-update-status")
	client.binary = filepath.Join(p.dir, "update.sh")
	p.command = client.command(w.ctx, newVersion)
	path := []string{p.dir, filepath.Dir(w.plane.Kubectl())}
	for at, variable := range p.command.Env {
		if rest, isPath := strings.CutPrefix(variable, "PATH="); isPath {
			p.command.Env[at] = "PATH=" + strings.Join(append(path, rest), string(os.PathListSeparator))
		}
	}
	p.command.Dir, p.command.Env = p.dir, append(p.command.Env, "REQUESTS="+requests)
	p.command.Stdout, p.command.Stderr = p.out, p.errOut
	if err := p.command.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.await("the request", func() bool {
		request, _ := os.ReadFile(requests)
		return string(request) == "--to="+newVersion+"\n"
	})
	return p
}

// expect checks how it ends: its exit status, how the last line of its log starts, what it says, and its report.
func (p *pipeline) expect(status int, lastLine, reason string) {
	t := p.w.t
	t.Helper()
	p.w.awaitExit(p.command, status)
	log, _ := os.ReadFile(filepath.Join(p.dir, "update.log"))
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, lastLine) || !strings.Contains(p.errOut.String(), reason) || string(log) != p.out.String() {
		t.Errorf("the last line of the log is %s, standard error:\n%s", last, harness.Cut(t, p.errOut.String()))
	}
	report, err := os.ReadFile(filepath.Join(p.dir, "update.html"))
	if err != nil || !strings.Contains(string(report), newVersion) {
		t.Errorf("the report has %d bytes, %v", len(report), err)
	}
}
