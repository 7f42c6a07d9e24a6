package integration_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/clock"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/builders"
	"github.com/openshift/cluster-version-operator/test/controlplane"
	"github.com/openshift/cluster-version-operator/test/simulator"
)

func condition(kind configv1.ClusterStatusConditionType, status configv1.ConditionStatus, since time.Time, reason, message string) configv1.ClusterOperatorStatusCondition {
	return builders.Condition(kind, status, since, reason, message)
}

// TestEveryHealthInsight: each condition that needs attention appears, is the same after a restart of the controller, and
// goes when the condition does. The names are those of docs/insights.md.
func TestEveryHealthInsight(t *testing.T) {
	long := began.Add(-10 * time.Minute)
	worker := func(options ...builders.NodeOption) *corev1.Node {
		return builders.Node("worker-1", append([]builders.NodeOption{builders.Role("worker"), builders.Configs("rendered-old", "rendered-old")}, options...)...)
	}
	dns := func(options ...builders.ClusterOperatorOption) *configv1.ClusterOperator {
		return builders.ClusterOperator("dns", append([]builders.ClusterOperatorOption{builders.OperatorVersion(oldVersion), builders.Healthy(began)}, options...)...)
	}
	withFailing := func(status configv1.ConditionStatus) *configv1.ClusterVersion {
		version := smallVersion(configv1.ConditionTrue)
		builders.VersionCondition(condition("Failing", status, began, "OperatorDegraded", "dns is degraded"))(version)
		return version
	}
	withoutFailing := smallVersion(configv1.ConditionTrue)
	withoutFailing.Status.Conditions = withoutFailing.Status.Conditions[:1]
	afterIncomplete := smallVersion(configv1.ConditionTrue)
	afterIncomplete.Status.History[1].State = configv1.PartialUpdate
	wanted := builders.Configuration("rendered-new")
	for _, test := range []struct {
		check, summary string
		bad, good      simulator.Object
	}{
		{"cluster-version-failing-unknown", "Cluster Version version has no Failing condition", withoutFailing, smallVersion(configv1.ConditionTrue)},
		{"cluster-version-failing", "Cluster Version version is failing to proceed with the update (OperatorDegraded)", withFailing(configv1.ConditionTrue), withFailing(configv1.ConditionFalse)},
		{"previous-update-incomplete", "Previous update to 4.20.1 never completed, last complete update was unknown", afterIncomplete, smallVersion(configv1.ConditionTrue)},
		{"cluster-operator-unavailable", "Cluster Operator dns is unavailable (Down)", dns(builders.OperatorCondition(condition(configv1.OperatorAvailable, configv1.ConditionFalse, long, "Down", "dns is down"))), dns()},
		{"cluster-operator-degraded", "Cluster Operator dns is degraded (Bad)", dns(builders.OperatorCondition(condition(configv1.OperatorDegraded, configv1.ConditionTrue, long, "Bad", "dns is bad"))), dns()},
		{"node-not-ready", "Node worker-1 is not ready", worker(builders.NotReady(long)), worker()},
		{"node-disk-pressure", "Node worker-1 has disk pressure", worker(builders.NodeCondition(corev1.NodeDiskPressure, corev1.ConditionTrue, long, "", "")), worker()},
		{"node-network-unavailable", "Node worker-1 has unavailable network", worker(builders.NodeCondition(corev1.NodeNetworkUnavailable, corev1.ConditionTrue, long, "", "")), worker()},
		{"node-degraded", "Node worker-1 is degraded", worker(builders.DegradedBecause("the disk is full")), worker()},
		{"node-in-several-pools", "Node worker-1 matches several custom pools: infra, storage", worker(builders.Role("infra"), builders.Role("storage")), worker()},
		{"pool-paused", "Outdated nodes in a paused pool 'worker' will not be updated", builders.MachineConfigPool("worker", wanted, builders.Paused()), builders.MachineConfigPool("worker", wanted)},
		{"pool-selector-unparsable", "The node selector of pool 'storage' cannot be parsed", builders.MachineConfigPool("storage", wanted,
			builders.Selector(&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}})), builders.MachineConfigPool("storage", wanted)},
	} {
		t.Run(test.check, func(t *testing.T) {
			w := newWorld(t)
			w.put(append(small(), builders.MachineConfigPool("storage", wanted))...)
			w.start()
			w.until("a healthy cluster", func(us *updatev1alpha1.UpdateStatus) bool { return isAvailable(us) && !hasHealth(us) })
			w.put(test.bad)
			before := healthOf(w.until(test.check, func(us *updatev1alpha1.UpdateStatus) bool { return healthOf(us, test.summary) != nil }), test.summary)

			w.stop()
			w.clock.Step(time.Minute)
			w.start()
			w.put(builders.ClusterOperator("etcd", builders.OperatorVersion(newVersion), builders.Healthy(began), builders.Progressing(began, "", "")),
				builders.MachineConfigPool("joined"))
			us := w.until("something new after the restart", func(us *updatev1alpha1.UpdateStatus) bool { return find(us, "mcp-joined") != nil })
			if diff := cmp.Diff(before, healthOf(us, test.summary)); diff != "" {
				t.Errorf("the restart changed (-before +after):\n%s", diff)
			}
			w.put(test.good)
			w.until("the end of it", func(us *updatev1alpha1.UpdateStatus) bool { return !hasHealth(us) })
		})
	}
}

func hasHealth(us *updatev1alpha1.UpdateStatus) bool {
	for _, one := range insightsOf(us) {
		if one.Health != nil {
			return true
		}
	}
	return false
}

// held is a clock that stands still until it is released, however long the controller takes to start, and then goes on
// as the real one does. Timers of the controller run all the time.
type held struct {
	clock.RealClock

	lock     sync.Mutex
	at       time.Time
	released time.Time
}

// Now is part of clock.PassiveClock.
func (h *held) Now() time.Time {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.released.IsZero() {
		return h.at
	}
	return h.at.Add(time.Since(h.released))
}

// Since is part of clock.PassiveClock.
func (h *held) Since(then time.Time) time.Duration { return h.Now().Sub(then) }

func (h *held) release() {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.released = time.Now()
}

// TestThresholdsPassWithoutEvents: an operator turns degraded and sends no event any more. It is reported when it has been
// so for five minutes, is the same over a restart, and is raised to an error at forty: on time, by the clock alone,
// which clock_test.go of pkg/controlplane shows to the second. Events tell of the error, once.
func TestThresholdsPassWithoutEvents(t *testing.T) {
	const ahead = 2 * time.Second
	const summary = "Cluster Operator dns is degraded (Bad)"
	w := newWorld(t)
	w.put(append(small(), builders.ClusterOperator("dns", builders.OperatorVersion(oldVersion), builders.Healthy(began),
		builders.OperatorCondition(condition(configv1.OperatorDegraded, configv1.ConditionTrue, began, "Bad", "dns is bad"))))...)
	level := func(want updatev1alpha1.HealthLevel) func(*updatev1alpha1.UpdateStatus) bool {
		return func(us *updatev1alpha1.UpdateStatus) bool {
			one := healthOf(us, summary)
			return one != nil && one.Health.Impact.Level == want
		}
	}
	// before returns a clock that reaches a moment of the story a while after its release.
	before := func(moment time.Duration) *held { return &held{at: began.Add(moment - ahead)} }
	notEarly := func(clock *held, moment time.Duration) {
		t.Helper()
		if early := began.Add(moment).Sub(clock.Now()); early > 0 {
			t.Errorf("the threshold of %s was passed %s before it", moment, early)
		}
	}

	now := before(5 * time.Minute)
	w.startAt(now)
	us := w.until("the first report", isAvailable)
	if one := healthOf(us, summary); one != nil {
		t.Errorf("reported before its time: %v", one)
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
		t.Errorf("the insight is another one: %s since %s, was %s since %s", second.UID, second.Health.StartedAt, first.UID, first.Health.StartedAt)
	}
	w.stop()
	w.startAt(now)
	w.put(builders.ClusterOperator("dns", builders.OperatorVersion(oldVersion), builders.Healthy(began)))
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
	events, err := kubernetes.NewForConfigOrDie(plane.Admin()).CoreV1().Events(controlplane.Namespace).
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
