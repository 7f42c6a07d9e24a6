package integration_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/harness"
	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// healthCase is a health insight, with an object that causes it, and one that does not.
type healthCase struct {
	summary   string
	bad, good simulator.Object
}

// healthCases returns a health insight of each kind of object. All others are cases of the packages below pkg/updatestatus/assess.
func healthCases() []healthCase {
	failing := smallVersion()
	builders.VersionCondition(builders.Condition("Failing", configv1.ConditionTrue, startTime, "OperatorDegraded", "dns is degraded"))(failing)
	dns := []builders.ClusterOperatorOption{builders.OperatorVersion(oldVersion), builders.Healthy(startTime)}
	down := builders.Condition(configv1.OperatorAvailable, configv1.ConditionFalse, startTime.Add(-10*time.Minute), "Down", "the message")
	worker := []builders.NodeOption{builders.Role("worker"), builders.Configs("rendered-old", "rendered-old")}
	wanted := builders.Configuration("rendered-new")
	return []healthCase{
		{
			summary: "Cluster Version version is failing to proceed with the update (OperatorDegraded): dns is degraded",
			bad:     failing,
			good:    smallVersion(),
		},
		{
			summary: "Cluster Operator dns is unavailable (Down): the message",
			bad:     builders.ClusterOperator("dns", append(slices.Clone(dns), builders.OperatorCondition(down))...),
			good:    builders.ClusterOperator("dns", dns...),
		},
		{
			summary: "Node worker-1 is degraded: the disk is full",
			bad:     builders.Node("worker-1", append(slices.Clone(worker), builders.DegradedBecause("the disk is full"))...),
			good:    builders.Node("worker-1", worker...),
		},
		{
			summary: "Outdated nodes in a paused pool 'infra' will not be updated",
			bad:     builders.MachineConfigPool("infra", wanted, builders.Paused()),
			good:    builders.MachineConfigPool("infra", wanted),
		},
	}
}

// TestHealthInsights checks that health insights appear, are the same after a restart of the controller, and disappear with their causes.
func TestHealthInsights(t *testing.T) {
	w, cases := newWorld(t), healthCases()
	w.startOn(smallCluster()...)
	reported := func(us *updatev1alpha1.UpdateStatus) (reported []*updatev1alpha1.Insight) {
		for _, test := range cases {
			reported = append(reported, healthOf(us, test.summary))
		}
		return reported
	}
	for _, test := range cases {
		w.put(test.bad)
	}
	before := reported(w.until("all insights", func(us *updatev1alpha1.UpdateStatus) bool { return !slices.Contains(reported(us), nil) }))
	w.stop()
	w.clock.Step(time.Minute)
	w.start()
	w.put(builders.MachineConfigPool("joined"))
	us := w.until("something new after the restart", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") != nil })
	if diff := cmp.Diff(before, reported(us)); diff != "" {
		t.Errorf("the restart changed (-before +after):\n%s", harness.Cut(t, diff))
	}
	for _, test := range cases {
		w.put(test.good)
	}
	w.clock.Step(11 * time.Minute) // what the Cluster Version Operator can't apply is told over gaps between its attempts
	w.until("a healthy cluster", func(us *updatev1alpha1.UpdateStatus) bool { return !hasHealth(us) })
}

func hasHealth(us *updatev1alpha1.UpdateStatus) bool {
	for _, one := range insightsOf(us) {
		if one.Health != nil {
			return true
		}
	}
	return false
}

// frozenClock is stopped until it is released, however long the controller takes to start, and then runs as the real
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
// sent once. clock_test.go of pkg/updatestatus/source checks the thresholds to the second.
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
		"UpdateStarted: The update from 4.20.1 to 4.20.2 started":                                             1,
		"HealthInsightAppeared: Error: Cluster Operator dns is degraded (Bad): dns is bad (API Availability)": 1,
		"HealthInsightGone: Error: Cluster Operator dns is degraded (Bad): dns is bad (API Availability)":     1,
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
