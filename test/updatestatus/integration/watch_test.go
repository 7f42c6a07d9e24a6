package integration_test

import (
	"net/http"
	"os/exec"
	"strings"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/faults"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
)

// watching is the client with --watch, while an update is played.
type watching struct {
	w       *world
	command *exec.Cmd
	out     *harness.Log
}

// startWatch starts it, and checks that it continues after an outage of the API server.
func (w *world) startWatch() *watching {
	w.t.Helper()
	proxy, err := faults.NewProxy(w.plane.Admin())
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(proxy.Close)
	client := w.clientOf(proxy.Through(w.newReader("get", "list", "watch")), "oc-update-status")
	c := &watching{w: w, command: client.command(w.ctx, "--watch"), out: harness.LogFile(w.t, "watch")}
	errOut := harness.LogFile(w.t, "watch-errors")
	c.command.Stdout, c.command.Stderr = c.out, errOut
	if err := c.command.Start(); err != nil {
		w.t.Fatal(err)
	}
	c.out.Until(w.ctx, "Updating from ")
	proxy.Set(faults.Rule{Do: func(http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) }})
	proxy.Cut()
	errOut.Until(w.ctx, "warning: the status is as of ")
	proxy.Set()
	errOut.Until(w.ctx, "warning: the API server is reachable again")
	return c
}

// expectEnd checks that it has shown the changes, and ends with the update.
func (c *watching) expectEnd(us *updatev1alpha1.UpdateStatus) {
	c.w.t.Helper()
	c.w.awaitExit(c.command, 0)
	lines := strings.Split(strings.TrimSpace(c.out.String()), "\n")
	for _, line := range lines[:len(lines)-1] {
		at, _, _ := strings.Cut(line, "  ")
		if _, err := time.Parse(time.RFC3339, at); err != nil {
			c.w.t.Errorf("a line without its time: %s", line)
		}
	}
	for _, want := range []string{"control plane: Completed, to " + newVersion, "pool worker: Completed, 100%", "operator machine-config: updated"} {
		if !strings.Contains(c.out.String(), "  "+want) {
			c.w.t.Errorf("nothing says %q", want)
		}
	}
	now := time.Now()
	// The last summary, since only that has when everything was complete.
	made := c.w.untilSummary("the end", func(made *updatev1alpha1.UpdateStatusSummary) []string {
		if made.Status.CompletedAt == nil {
			return []string{"it is not complete"}
		}
		return nil
	})
	_, took, _ := strings.Cut(describe.End(update.ReadAt(&us.Status, now), describe.Options{Now: now, Head: &made.Status}), "complete.")
	if last := lines[len(lines)-1]; last != "The update to "+newVersion+" is complete."+took {
		c.w.t.Errorf("the last line is %s", last)
	}
}
