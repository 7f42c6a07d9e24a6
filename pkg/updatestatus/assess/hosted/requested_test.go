package hosted_test

import (
	"strings"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestRequested: what is asked for and not being updated to, since when, and why the cluster is not updating.
func TestRequested(t *testing.T) {
	const unasked = "HostedClusterNotProgressing none"
	for name, test := range map[string]struct {
		change func(*hostedWorld)
		want   string
	}{
		"nothing":                 {func(*hostedWorld) {}, unasked},
		"asked, and not observed": {askedAnd(func(*hostedWorld) {}), "Requested " + imageB},
		"asked":                   {askedSince(func(*hostedWorld) {}), "Requested " + imageB + " 08:00:00"},
		"its version is known": {askedSince(func(w *hostedWorld) {
			w.hc.Status.Version.History[0].Image, w.hc.Status.Version.History[0].Version = imageB, versionB
		}), "Requested 4.22.4 " + imageB + " 08:00:00"},
		"refused":    {askedSince(blocked(notUpgradeable)), "NotAccepted " + imageB + " 08:00:00"},
		"it goes on": {askedSince(hostedIs("Progressing", "True", "Progressing", "")), "HostedClusterProgressing none"},
		"refused during an update": {func(w *hostedWorld) {
			w.begins(w.hc.Status.Version, versionB)
			w.hc.Spec.Release.Image = "quay.io/example/release@sha256:55"
			blocked(notUpgradeable)(w)
		}, "HostedClusterProgressing quay.io/example/release@sha256:55"},
		"the release of the update that goes on": {func(w *hostedWorld) {
			w.begins(w.hc.Status.ControlPlaneVersion, versionB)
			w.hc.Spec.Release.Image = imageB
		}, "HostedClusterProgressing none"},
	} {
		w := newHostedWorld("surge", "Replace")
		test.change(w)
		message, _ := hosted.ControlPlane(w.Input, start.Add(2*time.Minute))
		one := message.Reports[0].Insights[0].Insight.HostedCluster
		if got := one.Conditions[0].Reason + " " + requestText(one.Requested); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func requestText(requested *updatev1alpha1.RequestedUpdate) string {
	if requested == nil {
		return "none"
	}
	since := ""
	if requested.Since != nil {
		since = requested.Since.UTC().Format(time.TimeOnly)
	}
	return strings.Join(strings.Fields(requested.Version+" "+requested.Image+" "+since), " ")
}

// TestRequestStarts: a request is observed until it is fulfilled or taken back.
func TestRequestStarts(t *testing.T) {
	now := start.Add(time.Hour)
	for name, test := range map[string]struct {
		change func(*hostedWorld)
		before map[string]time.Time
		want   time.Time
	}{
		"now":     {askedAnd(func(*hostedWorld) {}), nil, now},
		"before":  {askedAnd(func(*hostedWorld) {}), map[string]time.Time{hosted.RequestKey: start}, start},
		"none":    {func(*hostedWorld) {}, map[string]time.Time{hosted.RequestKey: start}, time.Time{}},
		"refused": {askedAnd(blocked(notUpgradeable)), map[string]time.Time{hosted.RequestKey: start}, start},
	} {
		w := newHostedWorld("surge", "Replace")
		test.change(w)
		message, _ := hosted.ControlPlane(w.Input, now)
		if got := hosted.Starts(message, test.before, now)[hosted.RequestKey]; !got.Equal(test.want) {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestNotBegunStarts: a node that has not begun to update is observed until it begins, also over a restart of the controller.
func TestNotBegunStarts(t *testing.T) {
	w := newHostedWorld("surge", "InPlace")
	drainsInPlace(w)
	w.annotate("a", "state", "Done", "desiredDrain", "uncordon-"+configG, "lastAppliedDrain", "uncordon-"+configG)
	key := assess.UpdateKey("a")
	observe := func(before map[string]time.Time, after time.Duration) map[string]time.Time {
		w.Observed = before
		message, _ := hosted.Nodes(w.Input, start.Add(after))
		return hosted.Starts(message, before, start.Add(after))
	}
	first := observe(nil, time.Minute)
	later := observe(first, 20*time.Minute)
	built := status.NewBuilder().Build(builders.View(hosted.Assess(w.Input, start.Add(20*time.Minute))), start.Add(20*time.Minute))
	restarted := assess.ObservedBefore(built).Starts
	for name, starts := range map[string]map[string]time.Time{"first": first, "later": later, "restarted": restarted} {
		if !starts[key].Equal(start.Add(time.Minute)) {
			t.Errorf("%s: %s", name, starts[key])
		}
	}
	w.annotate("a", "state", "Degraded", "reason", "disk is full")
	for _, one := range insight.ReadAll(status.NewBuilder().Build(builders.View(hosted.Assess(w.Input, start.Add(20*time.Minute))), start.Add(20*time.Minute))).Health {
		if one.Health.Reason == insight.ReasonHostedNodeNotBegun {
			t.Errorf("a node that has failed: %s", one.Health.Impact.Summary)
		}
	}
	w.annotate("a", "desiredDrain", "drain-"+configH)
	if begun := observe(later, time.Hour); !begun[key].IsZero() || begun["a"].IsZero() {
		t.Errorf("a node that drains: %v", begun)
	}
}
