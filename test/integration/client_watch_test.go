package integration_test

import (
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/describe"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// TestClientWatch checks that --watch shows changes, continues after an outage of the API server, and ends with the update.
func TestClientWatch(t *testing.T) {
	w := newWorld(t)
	rest := w.playHalf()
	client := w.newClient("get", "list", "watch")
	server, err := url.Parse(w.plane.Admin().Host)
	if err != nil {
		t.Fatal(err)
	}
	proxy := newProxy(t, server.Host)
	command := client.command(w.ctx, "--watch", "--server", "https://"+proxy.address)
	out, errOut := &logs{}, &logs{}
	command.Stdout, command.Stderr = out, errOut
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	out.until(w.ctx, t, "Updating from ")
	proxy.cut()
	errOut.until(w.ctx, t, "warning: the status is as of ")
	proxy.listen()
	errOut.until(w.ctx, t, "warning: the API server is reachable again")
	w.play(rest, nil)
	w.until("the end of the update", everythingUpdated)
	if err := <-ended; err != nil {
		t.Fatalf("the watch ended with %v:\n%s\n%s", err, out, errOut)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for _, line := range lines[:len(lines)-1] {
		at, _, _ := strings.Cut(line, "  ")
		if _, err := time.Parse(time.RFC3339, at); err != nil {
			t.Errorf("a line without its time: %s", line)
		}
	}
	for _, want := range []string{"control plane: Completed, to " + newVersion, "pool worker: Completed, 100%", "operator machine-config: updated"} {
		if !strings.Contains(out.String(), "  "+want) {
			t.Errorf("nothing says %q:\n%s", want, out)
		}
	}
	if last := lines[len(lines)-1]; last != "The update to "+newVersion+" is complete."+tookOf(w.get()) {
		t.Errorf("the last line is %s", last)
	}
}

// tookOf returns how the last line of a watch ends.
func tookOf(us *updatev1alpha1.UpdateStatus) string {
	now := time.Now()
	_, took, _ := strings.Cut(describe.End(us, describe.Options{Now: now, Head: describe.Head(us, now)}), "complete.")
	return took
}

// TestClientWatchOnTerminal checks that the screen is redrawn in place, and restored at the end.
func TestClientWatchOnTerminal(t *testing.T) {
	w := newWorld(t)
	w.create(simulator.NewSimulation(simulator.Update{Seed: 5, Start: startTime, From: oldVersion, To: newVersion}))
	w.start()
	w.until("the first report", isAvailable)
	w.stop()
	text := w.newClient("get", "list", "watch").runOnTerminal(w.ctx, 100, "--watch")
	now := time.Now()
	options := describe.Options{Now: now, Width: 100, Head: describe.Head(w.last(), now)}
	frame := strings.Join(describe.Screen(w.last(), options, nil, 49), "\r\n\x1b[K")
	want := "\x1b[?25l\x1b[?7l\x1b[2J\x1b[H\x1b[K" + frame + "\r\n\x1b[J\x1b[?7h\x1b[?25h" + describe.End(w.last(), options) + "\r\n"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestClientWithoutController checks what the client shows of an update that no controller has reported.
func TestClientWithoutController(t *testing.T) {
	w := newWorld(t)
	simulation := simulator.NewSimulation(simulator.Update{Seed: 5, Start: startTime, From: oldVersion, To: newVersion})
	w.create(simulation)
	w.start()
	w.until("the first report", isAvailable)
	w.stop()
	client := w.newClient("get", "list", "watch")
	const idle = "The cluster is not updating."
	if out, errOut, status := client.run(w.ctx); status != 0 || !strings.Contains(out, idle) || errOut != "" {
		t.Errorf("before the update, status %d:\n%s\n%s", status, out, errOut)
	}
	for _, writes := range []int{120, math.MaxInt} {
		w.play(simulation, func(simulator.Write) bool {
			writes--
			return writes == 0
		})
		out, errOut, status := client.run(w.ctx)
		now, found := strings.CutPrefix(out, "The UpdateStatus/cluster is outdated: ClusterVersion started the update to "+newVersion)
		_, now, hasSaid := strings.Cut(now, "It said: "+idle+"\n")
		// What the user may not read is missing.
		if status != 1 || !found || !hasSaid || strings.Contains(now, idle) || !strings.Contains(now, "This is incomplete: no ClusterOperators found") {
			t.Errorf("status %d:\n%s\n%s", status, out, errOut)
		}
	}
}
