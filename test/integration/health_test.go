package integration_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/harness"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

// healthCase is a health insight, with an object that causes it, and one that does not.
type healthCase struct {
	summary   string
	bad, good simulator.Object
}

// healthCases returns the health insights of docs/insights.md that need no time.
func healthCases() []healthCase {
	long := startTime.Add(-10 * time.Minute)
	worker := func(options ...builders.NodeOption) *corev1.Node {
		return builders.Node("worker-1", append([]builders.NodeOption{builders.Role("worker"), builders.Configs("rendered-old", "rendered-old")}, options...)...)
	}
	dns := func(options ...builders.ClusterOperatorOption) *configv1.ClusterOperator {
		return builders.ClusterOperator("dns", append([]builders.ClusterOperatorOption{builders.OperatorVersion(oldVersion), builders.Healthy(startTime)}, options...)...)
	}
	withFailing := func(status configv1.ConditionStatus) *configv1.ClusterVersion {
		version := smallVersion(configv1.ConditionTrue)
		builders.VersionCondition(builders.Condition("Failing", status, startTime, "OperatorDegraded", "dns is degraded"))(version)
		return version
	}
	withoutFailing := smallVersion(configv1.ConditionTrue)
	withoutFailing.Status.Conditions = withoutFailing.Status.Conditions[:1]
	afterIncomplete := smallVersion(configv1.ConditionTrue)
	afterIncomplete.Status.History[1].State = configv1.PartialUpdate
	wanted := builders.Configuration("rendered-new")
	operator := func(kind configv1.ClusterStatusConditionType, status configv1.ConditionStatus, reason string) *configv1.ClusterOperator {
		return dns(builders.OperatorCondition(builders.Condition(kind, status, long, reason, "the message")))
	}
	invalid := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}
	return []healthCase{
		{
			summary: "Cluster Version version has no Failing condition",
			bad:     withoutFailing,
			good:    smallVersion(configv1.ConditionTrue),
		},
		{
			summary: "Cluster Version version is failing to proceed with the update (OperatorDegraded)",
			bad:     withFailing(configv1.ConditionTrue),
			good:    withFailing(configv1.ConditionFalse),
		},
		{
			summary: "Previous update to 4.20.1 never completed, last complete update was unknown",
			bad:     afterIncomplete,
			good:    smallVersion(configv1.ConditionTrue),
		},
		{
			summary: "Cluster Operator dns is unavailable (Down)",
			bad:     operator(configv1.OperatorAvailable, configv1.ConditionFalse, "Down"),
			good:    dns(),
		},
		{
			summary: "Cluster Operator dns is degraded (Bad)",
			bad:     operator(configv1.OperatorDegraded, configv1.ConditionTrue, "Bad"),
			good:    dns(),
		},
		{
			summary: "Node worker-1 is not ready",
			bad:     worker(builders.NotReady(long)),
			good:    worker(),
		},
		{
			summary: "Node worker-1 has disk pressure",
			bad:     worker(builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionTrue, long, "", "")),
			good:    worker(),
		},
		{
			summary: "Node worker-1 has unavailable network",
			bad:     worker(builders.NodeCondition(corev1.NodeNetworkUnavailable, corev1.ConditionTrue, long, "", "")),
			good:    worker(),
		},
		{
			summary: "Node worker-1 is degraded",
			bad:     worker(builders.DegradedBecause("the disk is full")),
			good:    worker(),
		},
		{
			summary: "Node worker-1 matches several custom pools: infra, storage",
			bad:     worker(builders.Role("infra"), builders.Role("storage")),
			good:    worker(),
		},
		{
			summary: "Outdated nodes in a paused pool 'worker' will not be updated",
			bad:     builders.MachineConfigPool("worker", wanted, builders.Paused()),
			good:    builders.MachineConfigPool("worker", wanted),
		},
		{
			summary: "The node selector of pool 'storage' cannot be parsed",
			bad:     builders.MachineConfigPool("storage", wanted, builders.Selector(invalid)),
			good:    builders.MachineConfigPool("storage", wanted),
		},
	}
}

// TestHealthInsights checks that each health insight appears, is the same after a restart of the controller, and disappears
// with its cause: as many of them at a time as there are objects for.
func TestHealthInsights(t *testing.T) {
	w := newWorld(t)
	w.startOn(append(smallCluster(), builders.MachineConfigPool("storage", builders.Configuration("rendered-new")))...)
	for cases := healthCases(); len(cases) > 0; {
		var round, later []healthCase
		taken := map[string]bool{}
		for _, test := range cases {
			object := test.bad.GetObjectKind().GroupVersionKind().Kind + test.bad.GetName()
			if taken[object] {
				later = append(later, test)
				continue
			}
			round, taken[object] = append(round, test), true
		}
		w.checkHealth(round)
		cases = later
	}
}

// checkHealth checks health insights at the same time.
func (w *world) checkHealth(round []healthCase) {
	w.t.Helper()
	w.until("a healthy cluster", func(us *updatev1alpha1.UpdateStatus) bool { return !hasHealth(us) })
	reported := func(us *updatev1alpha1.UpdateStatus) (reported []*updatev1alpha1.Insight) {
		for _, test := range round {
			reported = append(reported, healthOf(us, test.summary))
		}
		return reported
	}
	var what []string
	for _, test := range round {
		w.put(test.bad)
		what = append(what, test.summary)
	}
	before := reported(w.until(strings.Join(what, "; "), func(us *updatev1alpha1.UpdateStatus) bool { return !slices.Contains(reported(us), nil) }))
	w.stop()
	w.clock.Step(time.Minute)
	w.start()
	w.put(builders.MachineConfigPool("joined"))
	us := w.until("something new after the restart", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") != nil })
	if diff := cmp.Diff(before, reported(us)); diff != "" {
		w.t.Errorf("the restart changed (-before +after):\n%s", harness.Cut(w.t, diff))
	}
	for _, test := range round {
		w.put(test.good)
	}
	w.remove(builders.MachineConfigPool("joined"))
}

func hasHealth(us *updatev1alpha1.UpdateStatus) bool {
	for _, one := range insightsOf(us) {
		if one.Health != nil {
			return true
		}
	}
	return false
}

// frozenClock stands still until it is released, however long the controller takes to start, and then runs as the real
// clock. Timers of the controller run all the time.
type frozenClock struct {
	clock.RealClock

	lock     sync.Mutex
	at       time.Time
	released time.Time
}

// Now is part of clock.PassiveClock.
func (h *frozenClock) Now() time.Time {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.released.IsZero() {
		return h.at
	}
	return h.at.Add(time.Since(h.released))
}

// Since is part of clock.PassiveClock.
func (h *frozenClock) Since(then time.Time) time.Duration { return h.Now().Sub(then) }

func (h *frozenClock) release() {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.released = time.Now()
}

// TestThresholds checks that an operator which is degraded and sends no further event is reported after five minutes, as an
// error after forty, by the clock alone, and with the same uid and start after a restart; and that the events about it are
// sent once. clock_test.go of pkg/source checks the thresholds to the second.
func TestThresholds(t *testing.T) {
	const ahead = 2 * time.Second
	const summary = "Cluster Operator dns is degraded (Bad)"
	w := newWorld(t)
	w.put(append(smallCluster(), builders.ClusterOperator("dns", builders.OperatorVersion(oldVersion), builders.Healthy(startTime),
		builders.OperatorCondition(builders.Condition(configv1.OperatorDegraded, configv1.ConditionTrue, startTime, "Bad", "dns is bad"))))...)
	level := func(want updatev1alpha1.HealthLevel) func(*updatev1alpha1.UpdateStatus) bool {
		return func(us *updatev1alpha1.UpdateStatus) bool {
			one := healthOf(us, summary)
			return one != nil && one.Health.Impact.Level == want
		}
	}
	// before returns a clock that reaches a moment shortly after its release.
	before := func(moment time.Duration) *frozenClock { return &frozenClock{at: startTime.Add(moment - ahead)} }
	notEarly := func(clock *frozenClock, moment time.Duration) {
		t.Helper()
		if early := startTime.Add(moment).Sub(clock.Now()); early > 0 {
			t.Errorf("reported %[2]s before the threshold of %[1]s", moment, early)
		}
	}

	now := before(5 * time.Minute)
	w.startAt(now)
	us := w.until("the first report", isAvailable)
	if one := healthOf(us, summary); one != nil {
		t.Errorf("reported before the threshold: %v", one)
	}
	now.release()
	first := healthOf(w.until("a warning", level(updatev1alpha1.LevelWarning)), summary)
	notEarly(now, 5*time.Minute)
	w.stop()

	now = before(40 * time.Minute)
	w.startAt(now)
	now.release()
	second := healthOf(w.until("an error", level(updatev1alpha1.LevelError)), summary)
	notEarly(now, 40*time.Minute)
	if first.UID != second.UID || !first.Health.StartedAt.Equal(second.Health.StartedAt) {
		t.Errorf("the insight is %s since %s, was %s since %s", second.UID, second.Health.StartedAt, first.UID, first.Health.StartedAt)
	}
	w.stop()
	w.startAt(now)
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(oldVersion), builders.Healthy(startTime)))
	w.until("the recovery", func(us *updatev1alpha1.UpdateStatus) bool { return healthOf(us, summary) == nil })
	w.stop()

	want := map[string]int{
		"UpdateStarted: The update from 4.20.1 to 4.20.2 started":                                 1,
		"HealthInsightAppeared: Error: Cluster Operator dns is degraded (Bad) (API Availability)": 1,
		"HealthInsightGone: Error: Cluster Operator dns is degraded (Bad) (API Availability)":     1,
	}
	if diff := cmp.Diff(want, w.events()); diff != "" {
		t.Errorf("events on the ClusterVersion (-want +got):\n%s", diff)
	}
}

// events returns the events on the ClusterVersion, counted.
func (w *world) events() map[string]int {
	w.t.Helper()
	events, err := w.kube.CoreV1().Events(controlplane.Namespace).
		List(w.ctx, metav1.ListOptions{FieldSelector: "involvedObject.kind=ClusterVersion"})
	if err != nil {
		w.t.Fatal(err)
	}
	found := map[string]int{}
	for _, event := range events.Items {
		found[fmt.Sprintf("%s: %s", event.Reason, event.Message)] += int(max(event.Count, 1))
	}
	return found
}
