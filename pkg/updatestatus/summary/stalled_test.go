package summary_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
)

func poolRef(name string) updatev1alpha1.ResourceRef {
	return updatev1alpha1.ResourceRef{Resource: "machineconfigpools", Name: name}
}

// because is a health insight with a reason and an impact.
func because(reason string, level updatev1alpha1.HealthLevel, impact updatev1alpha1.ImpactType, text string, resources ...updatev1alpha1.ResourceRef) updatev1alpha1.Insight {
	one := health(reason+text, level, 10, text, resources...)
	one.Health.Reason, one.Health.Impact.Type = reason, impact
	return one
}

// slow is a warning with which something takes longer than usual.
func slow(reason, text string, resources ...updatev1alpha1.ResourceRef) updatev1alpha1.Insight {
	return because(reason, updatev1alpha1.LevelWarning, updatev1alpha1.ImpactUpdateSpeed, text, resources...)
}

// parted returns the estimates of the parts of an update, by name.
func parted(of *updatev1alpha1.UpdateStatusSummaryStatus) map[string]*updatev1alpha1.SummaryEstimate {
	parts := map[string]*updatev1alpha1.SummaryEstimate{"control plane": of.ControlPlane.Estimate}
	for _, pool := range of.WorkerPools {
		parts[pool.Name] = pool.Estimate
	}
	return parts
}

// finish returns what the condition says of when the update is complete.
func finish(of *updatev1alpha1.UpdateStatusSummaryStatus) string {
	message := meta.FindStatusCondition(of.Conditions, updatev1alpha1.ConditionUpdating).Message
	if at := strings.Index(message, "; finish "); at >= 0 {
		return message[at+len("; "):]
	}
	return ""
}

// TestUncertainEstimate checks that what may take longer than usual has twice the time until its latest end, and that the condition
// says why.
func TestUncertainEstimate(t *testing.T) {
	version := updatev1alpha1.ResourceRef{Resource: "clusterversions", Name: "version"}
	later := slow("NodeUpdateSlow", "Node i-0 is slow to update", nodeRef("i-0"))
	later.Health.StartedAt = ref(15)
	drained := func(node string) updatev1alpha1.Insight {
		one := slow("NodeUpdateSlow", "Node "+node+" is slow to update", nodeRef(node))
		one.UID, one.Health.Case = "health-node-update-slow-"+node, "Updating"
		return one
	}
	for name, test := range map[string]struct {
		health []updatev1alpha1.Insight
		// widened are the parts that may take longer.
		widened string
		why     string
	}{
		"nothing":                          {},
		"a pool":                           {[]updatev1alpha1.Insight{because("PoolNotStarting", updatev1alpha1.LevelWarning, updatev1alpha1.ImpactUpdateStalled, "Pool worker has not started", poolRef("worker"))}, "worker", "Pool worker has not started"},
		"a pool with fewer nodes":          {[]updatev1alpha1.Insight{slow("PoolSlowed", "Pool infra is slowed", poolRef("infra"))}, "infra", "Pool infra is slowed"},
		"a node":                           {[]updatev1alpha1.Insight{slow("NodeNotReturned", "Node w-0 has not returned", nodeRef("w-0"))}, "worker", "Node w-0 has not returned"},
		"a node of the control plane":      {[]updatev1alpha1.Insight{slow("NodeUpdateSlow", "Node m-0 takes long", nodeRef("m-0"))}, "control plane", "Node m-0 takes long"},
		"the ClusterVersion":               {[]updatev1alpha1.Insight{slow("ClusterVersionFailing", "It is failing", version)}, "control plane", "It is failing"},
		"the pool of the control plane":    {[]updatev1alpha1.Insight{slow("PoolSlowed", "Pool master is slowed", poolRef("master"))}, "control plane", "Pool master is slowed"},
		"two pools, first the older one":   {[]updatev1alpha1.Insight{later, slow("PoolSlowed", "Pool worker is slowed", poolRef("worker"))}, "infra, worker", "Pool worker is slowed"},
		"nodes of two pools, and one text": {[]updatev1alpha1.Insight{drained("i-0"), drained("w-0")}, "infra, worker", "2 nodes are slow to update: i-0 and w-0"},
		"another reason":                   {[]updatev1alpha1.Insight{slow("NodeNotReady", "Node w-0 is not ready", nodeRef("w-0"))}, "", ""},
		"no resources":                     {[]updatev1alpha1.Insight{slow("NodeUpdateSlow", "A node takes long")}, "", ""},
		"for information":                  {[]updatev1alpha1.Insight{because("PoolSlowed", updatev1alpha1.LevelInfo, updatev1alpha1.ImpactUpdateSpeed, "Pool worker is slowed", poolRef("worker"))}, "", ""},
		"without impact":                   {[]updatev1alpha1.Insight{because("PoolSlowed", updatev1alpha1.LevelWarning, updatev1alpha1.ImpactNone, "Pool worker is slowed", poolRef("worker"))}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := running()
			f.pools["infra"] = []string{"i-0 Pending"}
			usual, now := f.summary(nil, 30), at(30).Time
			f.health = test.health
			made := f.summary(nil, 30)
			var widened []string
			for part, expected := range parted(usual) {
				got := parted(made)[part]
				if got == nil || expected == nil {
					t.Fatalf("%s has no estimate", part)
				}
				twice := expected.Latest.Add(expected.Latest.Sub(now)).Truncate(time.Second)
				switch {
				case got.Latest.Time.Equal(twice):
					widened = append(widened, part)
				case !got.Latest.Equal(&expected.Latest):
					t.Errorf("%s: latest at %s, usually at %s", part, got.Latest, expected.Latest)
				}
				if !got.Earliest.Equal(&expected.Earliest) {
					t.Errorf("%s: earliest at %s, usually at %s", part, got.Earliest, expected.Earliest)
				}
				if got.Latest.After(made.Estimate.Latest.Time) {
					t.Errorf("%s is later than everything", part)
				}
			}
			slices.Sort(widened)
			if got := strings.Join(widened, ", "); got != test.widened {
				t.Errorf("%s may take longer, want %s", got, test.widened)
			}
			want := test.why
			if want != "" {
				want = "finish uncertain: " + want
			}
			if got := finish(made); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestUncertainWithoutEstimate: where there is no estimate, the condition says why, and not that it is uncertain.
func TestUncertainWithoutEstimate(t *testing.T) {
	f := completedControlPlane("w-0 Paused", "w-1 Rebooting") // which has none
	f.health = []updatev1alpha1.Insight{slow("NodeUpdateSlow", "Node w-1 takes long", nodeRef("w-1")), slow("PoolSlowed", "Pool master is slowed", poolRef("master"))}
	if made := f.summary(nil, 30); made.Estimate != nil || finish(made) != "finish unknown: pool worker has no estimate yet" {
		t.Errorf("got %q, %+v", finish(made), made.Estimate)
	}
}

// TestNothingIsExpected: of a status without the only pool that is being updated nothing is expected, and nothing is said of that.
func TestNothingIsExpected(t *testing.T) {
	for _, one := range []updatev1alpha1.Insight{
		health("degraded", updatev1alpha1.LevelError, 10, "Node w-0 is degraded", nodeRef("w-0")), slow("NodeUpdateSlow", "Node w-0 takes long", nodeRef("w-0")),
	} {
		f := completedControlPlane("w-0 Rebooting")
		f.health = []updatev1alpha1.Insight{one}
		status := f.status()
		informer := &status.WorkerPools[0].Informers[0]
		informer.Insights = informer.Insights[1:] // its nodes alone
		if made := summary.Of(summary.Input{Update: update.Read(status), Now: at(30).Time}); finish(made) != "" || made.Estimate != nil {
			t.Errorf("%s: got %q, %+v", one.Health.Impact.Summary, finish(made), made.Estimate)
		}
	}
}

// TestEstimateOfStalledPools checks that a stalled pool has no estimate, nor has everything, and that the condition names it.
func TestEstimateOfStalledPools(t *testing.T) {
	degraded := func(pool string) updatev1alpha1.Insight {
		return because("PoolDegraded", updatev1alpha1.LevelError, updatev1alpha1.ImpactUpdateStalled, "Pool "+pool+" can't be updated", poolRef(pool))
	}
	paused := because("PoolPaused", updatev1alpha1.LevelWarning, updatev1alpha1.ImpactUpdateStalled, "Pool worker is paused", poolRef("worker"))
	withoutPool := func(status *updatev1alpha1.UpdateStatusStatus) {
		informer := &status.WorkerPools[0].Informers[0]
		informer.Insights = informer.Insights[1:]
	}
	for name, test := range map[string]struct {
		of     *fixture
		health []updatev1alpha1.Insight
		change func(*updatev1alpha1.UpdateStatusStatus)
		finish string
		// estimated are the parts that have estimates, and waiting is what the update waits for.
		estimated, waiting string
	}{
		"a pool, for which machine-config waits": {
			of: running(), health: []updatev1alpha1.Insight{degraded("worker")}, finish: "finish unknown: pool worker can't be updated",
			estimated: "infra", waiting: "ClusterOperator dns, which has been updating for 26m; pool worker can't be updated, for 20m",
		},
		"a pool that does not start": {
			of: running(), health: []updatev1alpha1.Insight{
				because("PoolNotStarting", updatev1alpha1.LevelError, updatev1alpha1.ImpactUpdateStalled, "Pool worker has not started", poolRef("worker")),
			},
			finish: "finish unknown: pool worker has not started", estimated: "control plane, infra",
			waiting: "ClusterOperator dns, which has been updating for 26m; pool worker has not started, for 20m",
		},
		"a degraded pool that is not held up": {
			of: running(), health: []updatev1alpha1.Insight{
				because("PoolDegraded", updatev1alpha1.LevelError, updatev1alpha1.ImpactUpdateSpeed, "Pool worker has an invalid PinnedImageSet", poolRef("worker")),
			},
			estimated: "control plane, infra, worker", waiting: "ClusterOperator dns, which has been updating for 26m",
		},
		"the pool of the control plane": {
			of: running(), health: []updatev1alpha1.Insight{degraded("master")}, finish: "finish unknown: pool master can't be updated",
			estimated: "infra, worker", waiting: "ClusterOperator dns, which has been updating for 26m; pool master can't be updated, for 20m",
		},
		"unknown since when": {
			of: running(), health: []updatev1alpha1.Insight{degraded("worker")}, finish: "finish unknown: pool worker can't be updated",
			change: func(status *updatev1alpha1.UpdateStatusStatus) {
				status.ControlPlane.Informers[1].Insights[0].Health.StartedAt = nil
			},
			estimated: "infra", waiting: "ClusterOperator dns, which has been updating for 26m; pool worker can't be updated",
		},
		"a warning: it may be slow": {
			of: running(), health: []updatev1alpha1.Insight{paused},
			estimated: "control plane, infra, worker", waiting: "ClusterOperator dns, which has been updating for 26m",
		},
		"a paused pool": {
			of: completedControlPlane("w-0 Paused"), health: []updatev1alpha1.Insight{paused}, estimated: "infra",
		},
		"a node, in place of what has no estimate": {
			of:     completedControlPlane("w-0 Paused", "w-1 Rebooting"),
			health: []updatev1alpha1.Insight{health("degraded", updatev1alpha1.LevelError, 10, "Node w-1 is degraded", nodeRef("w-1"))},
			finish: "finish unknown: node w-1 holds up the update", estimated: "infra", waiting: "node w-1 is degraded, for 20m → pool worker",
		},
		"a pool of which nothing is expected": {
			of: completedControlPlane("w-0 Rebooting"), change: withoutPool, health: []updatev1alpha1.Insight{degraded("worker")}, finish: "finish unknown: pool worker can't be updated",
			estimated: "infra", waiting: "pool worker can't be updated, for 20m",
		},
	} {
		t.Run(name, func(t *testing.T) {
			test.of.pools["infra"], test.of.health = []string{"i-0 Pending"}, test.health
			status := test.of.status()
			if test.change != nil {
				test.change(status)
			}
			made := summary.Of(summary.Input{Update: update.Read(status), Now: at(30).Time})
			if got := finish(made); got != test.finish {
				t.Errorf("got %q, want %q", got, test.finish)
			}
			if (made.Estimate == nil) != (test.finish != "") {
				t.Errorf("estimate: %v", made.Estimate)
			}
			var estimated []string
			for part, expected := range parted(made) {
				if expected != nil {
					estimated = append(estimated, part)
				}
			}
			slices.Sort(estimated)
			if got := strings.Join(estimated, ", "); got != test.estimated {
				t.Errorf("estimates of %s, want %s", got, test.estimated)
			}
			if made.WaitingFor != test.waiting {
				t.Errorf("waiting for\ngot  %s\nwant %s", made.WaitingFor, test.waiting)
			}
		})
	}
}

// TestWaitingForReboot: a node whose reboot is known from its objects alone may have begun it before.
func TestWaitingForReboot(t *testing.T) {
	phases := func(phase updatev1alpha1.NodeUpdatePhase, minute int) []updatev1alpha1.NodePhase {
		return []updatev1alpha1.NodePhase{{Phase: phase, StartedAt: at(minute)}}
	}
	for name, test := range map[string]struct {
		node     string
		phases   []updatev1alpha1.NodePhase
		reported *metav1.Time
		want     string
	}{
		"its objects tell":         {"w-0 Rebooting", phases(updatev1alpha1.PhaseRebooting, 12), ref(12), "node w-0, which has been rebooting for at least 18m"},
		"it was observed later":    {"w-0 Rebooting", phases(updatev1alpha1.PhaseRebooting, 12), ref(11), "node w-0, which has been rebooting for 18m"},
		"its objects do not tell":  {"w-0 Rebooting", phases(updatev1alpha1.PhaseRebooting, 12), nil, "node w-0, which has been rebooting for 18m"},
		"another phase":            {"w-0 Updating", phases(updatev1alpha1.PhaseUpdating, 12), ref(12), "node w-0, which has been updating for 18m"},
		"only its update is known": {"w-0 Rebooting", nil, nil, "node w-0, which has been rebooting for 20m"},
		"for a minute":             {"w-0 Rebooting", phases(updatev1alpha1.PhaseRebooting, 29), ref(29), "node w-0, which has been rebooting for at least 1m"},
		"just now":                 {"w-0 Rebooting", phases(updatev1alpha1.PhaseRebooting, 30), ref(30), "node w-0, which has been rebooting"},
		"it is not being updated":  {"w-0 Pending", phases(updatev1alpha1.PhaseRebooting, 12), ref(12), ""},
	} {
		status := completedControlPlane(test.node).status()
		node := status.WorkerPools[0].Informers[0].Insights[1].Node
		node.Phases, node.RebootStartedAt = test.phases, test.reported
		if got := summary.Of(summary.Input{Update: update.Read(status), Now: at(30).Time}).WaitingFor; got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, test.want)
		}
	}
}

// TestRequested checks the summary of an update that was asked for and has not begun.
func TestRequested(t *testing.T) {
	for name, test := range map[string]struct {
		reason, message string
		requested       *updatev1alpha1.RequestedUpdate
		waiting         string
	}{
		"a version":    {updatev1alpha1.ReasonRequested, "Requested", &updatev1alpha1.RequestedUpdate{Version: "4.20.3", Image: "example.com/r"}, "The Cluster Version Operator to accept the update to 4.20.3"},
		"an image":     {updatev1alpha1.ReasonRequested, "Requested", &updatev1alpha1.RequestedUpdate{Image: "example.com/r"}, "The Cluster Version Operator to accept the update to example.com/r"},
		"not known":    {updatev1alpha1.ReasonRequested, "", nil, "The Cluster Version Operator to accept the update to another release"},
		"not accepted": {updatev1alpha1.ReasonNotAccepted, "The update to 4.20.3 is not accepted: a precondition", nil, "An administrator: the update to 4.20.3 is not accepted: a precondition"},
	} {
		f := completedControlPlane("w-0 Completed")
		f.version.Requested = test.requested
		status := f.status()
		status.ControlPlane.Conditions[0].Reason, status.ControlPlane.Conditions[0].Message = test.reason, test.message
		made := summary.Of(summary.Input{Update: update.Read(status), Now: at(90).Time})
		if got := line(made); got != "False/"+test.reason+" 2/2 4.20.1→4.20.2" {
			t.Errorf("%s: %s", name, got)
		}
		if made.WaitingFor != test.waiting {
			t.Errorf("%s: waiting for %q, want %q", name, made.WaitingFor, test.waiting)
		}
		if got := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpdating).Message; got != test.message || made.Estimate != nil {
			t.Errorf("%s: %q, estimate %v", name, got, made.Estimate)
		}
		if image := cmp.Or(made.Requested, &updatev1alpha1.RequestedUpdate{}).Image; test.requested != nil && image != test.requested.Image {
			t.Errorf("%s: requested %+v", name, made.Requested)
		}
	}
}
