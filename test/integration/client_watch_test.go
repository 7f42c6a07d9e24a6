package integration_test

import (
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
	server, err := url.Parse(plane.Admin().Host)
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
	out.until(w.ctx, t, "---- ")
	proxy.cut()
	errOut.until(w.ctx, t, "warning: the status is as of ")
	proxy.listen()
	errOut.until(w.ctx, t, "warning: the API server is reachable again")
	w.play(rest, nil)
	w.until("the end of the update", everythingUpdated)
	if err := <-ended; err != nil {
		t.Fatalf("the watch ended with %v:\n%s\n%s", err, out, errOut)
	}
	blocks := strings.Split(out.String(), "---- ")[1:]
	end := "\nThe cluster is not updating.\n" + lastUpdate(t, w.get())
	if last := blocks[len(blocks)-1]; len(blocks) < 3 || !strings.HasSuffix(last, end) {
		t.Errorf("%d blocks, the last is:\n%s", len(blocks), last)
	}
	for _, block := range blocks[:len(blocks)-1] {
		if !strings.Contains(block, "Target Version:  "+newVersion) && !strings.Contains(block, "Update to "+newVersion) {
			t.Errorf("a block that shows no state of the update:\n%s", block)
		}
	}
}

// lastUpdate returns the last line of a watch.
func lastUpdate(t *testing.T, us *updatev1alpha1.UpdateStatus) string {
	t.Helper()
	var line strings.Builder
	if err := describe.WriteLastUpdate(&line, us, time.Now()); err != nil || line.Len() == 0 {
		t.Fatalf("the last line is %q: %v", line.String(), err)
	}
	return line.String()
}

// TestClientWatchOnTerminal checks that the screen is redrawn in place, and restored at the end.
func TestClientWatchOnTerminal(t *testing.T) {
	w := newWorld(t)
	w.create(simulator.NewSimulation(simulator.Update{Seed: 5, Start: startTime, From: oldVersion, To: newVersion}))
	w.start()
	w.until("the first report", isAvailable)
	w.stop()
	text := w.newClient("get", "list", "watch").runOnTerminal(w.ctx, 100, "--watch")
	last := strings.ReplaceAll(lastUpdate(t, w.last()), "\n", "\r\n")
	want := "\x1b[?25l\x1b[?7l\x1b[2J\x1b[HThe cluster is not updating.\x1b[K\r\n\x1b[J" + last + "\x1b[?7h\x1b[?25h"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
