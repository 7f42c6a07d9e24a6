package summary_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

func at(minutes int) metav1.Time {
	return metav1.NewTime(start.Add(time.Duration(minutes) * time.Minute))
}

func ref(minutes int) *metav1.Time {
	moment := at(minutes)
	return &moment
}

// fixture is an UpdateStatus, from its parts.
type fixture struct {
	updating  metav1.ConditionStatus
	version   updatev1alpha1.ClusterVersionInsight
	operators []string
	masters   []string
	pools     map[string][]string
	health    []updatev1alpha1.Insight
	// messages are those of pools.
	messages map[string]string
}

// running is an update of the control plane from 4.20.1 to 4.20.2 that started at minute 0.
func running() *fixture {
	return &fixture{
		updating: metav1.ConditionTrue,
		version: updatev1alpha1.ClusterVersionInsight{
			StartedAt: ref(0), Assessment: updatev1alpha1.AssessmentProgressing, Completion: 50, EstimatedCompletedAt: ref(60),
			Versions: updatev1alpha1.ControlPlaneVersions{
				Previous: &updatev1alpha1.Version{Version: "4.20.1"}, Target: &updatev1alpha1.Version{Version: "4.20.2"},
			},
		},
		operators: []string{"dns True Progressing 4", "etcd False Updated 2", "ingress False Pending 0", "network True Progressing 7"},
		masters:   []string{"m-0 Completed"},
		pools:     map[string][]string{"worker": {"w-0 Pending", "w-1 Pending"}},
	}
}

// completedControlPlane is the same update after the control plane.
func completedControlPlane(workers ...string) *fixture {
	f := running()
	f.updating, f.version.Completion, f.version.CompletedAt, f.version.EstimatedCompletedAt = metav1.ConditionFalse, 100, ref(55), nil
	f.version.Assessment, f.operators = updatev1alpha1.AssessmentCompleted, []string{"etcd False Updated 2"}
	f.pools["worker"] = workers
	return f
}

func condition(kind string, status metav1.ConditionStatus, reason string, since metav1.Time) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: reason, LastTransitionTime: since}
}

// node is an insight of a node, from "NAME PHASE [joined|before|degraded|unavailable]".
func node(text string) updatev1alpha1.Insight {
	fields := append(strings.Fields(text), "")
	status := metav1.ConditionFalse
	if slices.Contains([]insight.NodePhase{insight.PhaseDraining, insight.PhaseUpdating, insight.PhaseRebooting}, insight.NodePhase(fields[1])) {
		status = metav1.ConditionTrue
	}
	one := &updatev1alpha1.NodeInsight{Name: fields[0], Version: "4.20.1", Conditions: []metav1.Condition{
		condition(updatev1alpha1.ConditionUpdating, status, fields[1], at(10)),
	}}
	if fields[1] == updatev1alpha1.ReasonCompleted {
		one.Version = "4.20.2"
	}
	switch fields[2] {
	case "joined":
		one.Version = ""
		fallthrough
	case "unavailable":
		one.Conditions = append(one.Conditions, condition(updatev1alpha1.ConditionAvailable, metav1.ConditionFalse, "NotReady", at(10)))
	case "before":
		one.UpdatingTo = "4.20.1"
	case "degraded":
		one.Conditions = append(one.Conditions, condition(updatev1alpha1.ConditionDegraded, metav1.ConditionTrue, "NodeDegraded", at(10)))
	}
	return updatev1alpha1.Insight{UID: "node-" + fields[0], Type: updatev1alpha1.InsightNode, Node: one}
}

// nodeOf is an insight of a node of a pool.
func nodeOf(pool, text string) updatev1alpha1.Insight {
	one := node(text)
	one.Node.Pool = pool
	return one
}

func operator(text string) updatev1alpha1.Insight {
	var name, status, reason string
	var since int
	if _, err := fmt.Sscan(text, &name, &status, &reason, &since); err != nil {
		panic(err)
	}
	return updatev1alpha1.Insight{UID: "co-" + name, Type: updatev1alpha1.InsightClusterOperator, ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{
		Name: name, Conditions: []metav1.Condition{
			condition(updatev1alpha1.ConditionUpdating, metav1.ConditionStatus(status), reason, at(since)),
			condition(updatev1alpha1.ConditionHealthy, metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected, at(0)),
		},
	}}
}

func health(uid string, level updatev1alpha1.HealthLevel, minute int, summary string, resources ...updatev1alpha1.ResourceRef) updatev1alpha1.Insight {
	return updatev1alpha1.Insight{UID: uid, Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
		StartedAt: ref(minute), Scope: updatev1alpha1.HealthScope{Resources: builders.Resources(resources...)},
		Impact:      updatev1alpha1.HealthImpact{Level: level, Type: updatev1alpha1.ImpactUpdateStalled, Summary: summary},
		Remediation: updatev1alpha1.HealthRemediation{Reference: "https://example.com/" + uid},
	}}
}

func (f *fixture) status() *updatev1alpha1.UpdateStatusStatus {
	controlPlane := []updatev1alpha1.Insight{{Type: updatev1alpha1.InsightClusterVersion, ClusterVersion: &f.version}}
	for _, text := range f.operators {
		controlPlane = append(controlPlane, operator(text))
	}
	nodes := f.health
	for _, text := range f.masters {
		nodes = append(nodes, nodeOf("master", text))
	}
	built := &updatev1alpha1.UpdateStatusStatus{
		Conditions: []metav1.Condition{condition(updatev1alpha1.ConditionAvailable, metav1.ConditionTrue, updatev1alpha1.ReasonAsExpected, at(-5))},
		ControlPlane: &updatev1alpha1.ControlPlane{
			Conditions: []metav1.Condition{condition(updatev1alpha1.ConditionUpdating, f.updating, "Some", at(0))},
			Informers: []updatev1alpha1.Informer{
				{Name: "control-plane-informer", Insights: controlPlane}, {Name: "node-informer", Insights: nodes},
			},
		},
	}
	for _, name := range []string{"worker", "empty", "infra"} {
		pool := &updatev1alpha1.MachineConfigPoolInsight{Name: name, Assessment: updatev1alpha1.AssessmentProgressing}
		if message, found := f.messages[name]; found {
			pool.Conditions = []metav1.Condition{condition(updatev1alpha1.ConditionUpdating, metav1.ConditionFalse, "Pending", at(0))}
			pool.Reported = &updatev1alpha1.ComponentReport{Message: message}
		}
		insights := []updatev1alpha1.Insight{{Type: updatev1alpha1.InsightMachineConfigPool, MachineConfigPool: pool}}
		for _, text := range f.pools[name] {
			insights = append(insights, nodeOf(name, text))
		}
		built.WorkerPools = append(built.WorkerPools, updatev1alpha1.WorkerPool{
			Name: name, Informers: []updatev1alpha1.Informer{{Name: "node-informer", Insights: insights}},
		})
	}
	return built
}

func (f *fixture) summary(previous *updatev1alpha1.UpdateStatusSummaryStatus, minute int) *updatev1alpha1.UpdateStatusSummaryStatus {
	return summary.Of(summary.Input{Update: update.Read(f.status()), Previous: previous, Now: at(minute).Time})
}

// line is what kubectl get shows, with the reasons of the conditions.
func line(of *updatev1alpha1.UpdateStatusSummaryStatus) string {
	text := func(kind string) string {
		found := meta.FindStatusCondition(of.Conditions, kind)
		return fmt.Sprintf("%s/%s", found.Status, found.Reason)
	}
	return fmt.Sprintf("%s %s %s→%s", text(updatev1alpha1.ConditionUpdating), of.Nodes.Progress, of.Versions.Previous, of.Versions.Target)
}

// TestUpdating checks the condition of the whole update and the sentence on what it waits for.
func TestUpdating(t *testing.T) {
	with := func(f *fixture, change func(*fixture)) *fixture {
		change(f)
		return f
	}
	for _, tc := range []struct {
		name    string
		of      *fixture
		line    string
		message string
		waiting string
	}{
		{
			name: "control plane", of: running(), line: "True/ControlPlane 1/3 4.20.1→4.20.2",
			message: "The control plane is being updated to 4.20.2",
			waiting: "ClusterOperator dns, which has been updating for 26m",
		},
		{
			name: "control plane and workers", of: with(running(), func(f *fixture) { f.pools["worker"][0] = "w-0 Draining" }),
			line:    "True/ControlPlaneAndWorkers 1/3 4.20.1→4.20.2",
			message: "The control plane and pool worker are being updated to 4.20.2",
			waiting: "ClusterOperator dns, which has been updating for 26m; node w-0, which has been draining for 20m",
		},
		{
			name: "workers on their way to the version before", of: with(running(), func(f *fixture) {
				f.pools["worker"][0], f.pools["infra"] = "w-0 Draining before", []string{"i-0 Draining"}
			}),
			line:    "True/ControlPlaneAndWorkers 1/4 4.20.1→4.20.2",
			message: "The control plane and pool infra are being updated to 4.20.2; pool worker is still being updated to an earlier version",
			waiting: "ClusterOperator dns, which has been updating for 26m; node i-0, which has been draining for 20m",
		},
		{
			name: "only workers on their way to the version before", of: with(running(), func(f *fixture) {
				f.pools["worker"][0], f.pools["infra"] = "w-0 Draining before", []string{"i-0 Draining before"}
			}),
			line:    "True/ControlPlaneAndWorkers 1/4 4.20.1→4.20.2",
			message: "The control plane is being updated to 4.20.2; pools infra, worker are still being updated to an earlier version",
			waiting: "ClusterOperator dns, which has been updating for 26m; node i-0, which has been draining for 20m",
		},
		{
			name: "some nodes of a pool on their way to the version before", of: with(running(), func(f *fixture) {
				f.pools["worker"] = []string{"w-0 Draining before", "w-1 Draining"}
			}),
			line:    "True/ControlPlaneAndWorkers 1/3 4.20.1→4.20.2",
			message: "The control plane and pool worker are being updated to 4.20.2",
			waiting: "ClusterOperator dns, which has been updating for 26m; node w-0, which has been draining for 20m",
		},
		{
			name: "control plane nodes after the operators", of: with(completedControlPlane("w-0 Completed"), func(f *fixture) { f.masters[0] = "m-0 Rebooting" }),
			line: "True/ControlPlane 1/2 4.20.1→4.20.2", message: "The control plane is being updated to 4.20.2",
			waiting: "node m-0, which has been rebooting for 20m",
		},
		{
			name: "operators are updated, and the ClusterVersion is not", line: "True/ControlPlane 1/3 4.20.1→4.20.2",
			of: with(running(), func(f *fixture) {
				f.operators = []string{"etcd False Updated 2"}
				f.version.Conditions = []metav1.Condition{condition(updatev1alpha1.ConditionUpdating, metav1.ConditionTrue, "Some", at(0))}
				f.version.Reported = &updatev1alpha1.ComponentReport{Message: "Unable to apply 4.20.2: Could not update deployment"}
			}),
			message: "The control plane is being updated to 4.20.2",
			waiting: "ClusterVersion version: Unable to apply 4.20.2: Could not update deployment",
		},
		{
			name: "pools that wait for images", line: "True/Workers 1/3 4.20.1→4.20.2",
			of: with(completedControlPlane("w-0 Pending"), func(f *fixture) {
				f.pools["infra"] = []string{"i-0 Pending"}
				f.messages = map[string]string{"worker": "Pool is waiting for OS image build to complete (mosb: a)"}
			}),
			message: "The control plane is updated to 4.20.2; pools infra, worker are still updating",
			waiting: "pool worker: Pool is waiting for OS image build to complete (mosb: a)",
		},
		{
			name: "a pool that has waited for its image", line: "False/Completed 2/2 4.20.1→4.20.2",
			of: with(completedControlPlane("w-0 Completed"), func(f *fixture) {
				f.messages = map[string]string{"worker": "Pool is waiting for OS image build to complete (mosb: a)"}
			}),
			message: "The update to 4.20.2 is complete",
		},
		{
			name: "workers pending", of: completedControlPlane("w-0 Pending", "w-1 Completed"), line: "True/Workers 2/3 4.20.1→4.20.2",
			message: "The control plane is updated to 4.20.2; pool worker is still updating",
		},
		{
			name: "a node that does not drain", line: "True/Workers 1/2 4.20.1→4.20.2",
			of: with(completedControlPlane("w-0 Draining"), func(f *fixture) {
				f.health = []updatev1alpha1.Insight{
					health("later", updatev1alpha1.LevelError, 25, "Node w-1 is degraded", updatev1alpha1.ResourceRef{Resource: "nodes", Name: "w-1"}),
					health("first", updatev1alpha1.LevelWarning, 15, "Node w-0 does not drain: a PodDisruptionBudget currently allows no disruption",
						updatev1alpha1.ResourceRef{Resource: "nodes", Name: "w-0"}, insight.Budget("shop", "cart")),
				}
			}),
			message: "The control plane is updated to 4.20.2; pool worker is still updating; finish unknown: node w-1 holds up the update",
			waiting: "node w-1 is degraded, for 5m",
		},
		{
			name: "paused", of: completedControlPlane("w-0 Paused", "w-1 Completed"), line: "False/Paused 2/3 4.20.1→4.20.2",
			message: "Paused before reaching 4.20.2: pool worker", waiting: "An administrator to resume pool worker",
		},
		{
			name: "one pool paused, another not", line: "True/Workers 1/3 4.20.1→4.20.2",
			of:      with(completedControlPlane("w-0 Paused"), func(f *fixture) { f.pools["infra"] = []string{"i-0 Pending"} }),
			message: "The control plane is updated to 4.20.2; pool infra is still updating",
		},
		{
			name: "paused while a node is being updated", of: completedControlPlane("w-0 Paused", "w-1 Rebooting"),
			line:    "True/Workers 1/3 4.20.1→4.20.2",
			message: "The control plane is updated to 4.20.2; pool worker is still updating; finish unknown: pool worker has no estimate yet",
			waiting: "node w-1, which has been rebooting for 20m",
		},
		{
			name: "completed", of: completedControlPlane("w-0 Completed"), line: "False/Completed 2/2 4.20.1→4.20.2",
			message: "The update to 4.20.2 is complete",
		},
		{
			name: "a node has just joined", of: completedControlPlane("w-0 Pending joined"), line: "False/Completed 1/2 4.20.1→4.20.2",
			message: "The update to 4.20.2 is complete",
		},
		{
			name: "installed", line: "False/NotUpdating 2/2 →4.20.2", message: "The cluster has not been updated since its installation",
			of: with(completedControlPlane("w-0 Completed"), func(f *fixture) { f.version.Versions.Previous = nil }),
		},
		{
			name: "unknown", of: with(running(), func(f *fixture) { f.updating = metav1.ConditionUnknown }),
			line: "Unknown/CannotDetermine 1/3 4.20.1→4.20.2", message: "The version of the cluster is not known",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			made := tc.of.summary(nil, 30)
			if got := line(made); got != tc.line {
				t.Errorf("got  %s\nwant %s", got, tc.line)
			}
			if got := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpdating).Message; got != tc.message {
				t.Errorf("message\ngot  %s\nwant %s", got, tc.message)
			}
			if made.WaitingFor != tc.waiting {
				t.Errorf("waiting for\ngot  %s\nwant %s", made.WaitingFor, tc.waiting)
			}
		})
	}
}

// TestCompleted checks that the end of the whole update is kept, and only known if it was observed.
func TestCompleted(t *testing.T) {
	var last *updatev1alpha1.UpdateStatusSummaryStatus
	next := completedControlPlane("w-0 Pending")
	next.version.StartedAt = ref(100)
	next.version.Versions.Target = &updatev1alpha1.Version{Version: "4.20.3"}
	for _, step := range []struct {
		minute    int
		of        *fixture
		completed string
	}{
		{minute: 30, of: running()},
		{minute: 70, of: completedControlPlane("w-0 Rebooting")},
		{minute: 80, of: completedControlPlane("w-0 Completed"), completed: "09:20 4.20.2"},
		{minute: 90, of: completedControlPlane("w-0 Completed"), completed: "09:20 4.20.2"},
		{minute: 95, of: completedControlPlane("w-0 Completed", "w-1 Pending joined"), completed: "09:20 4.20.2"},
		{minute: 110, of: next, completed: " 4.20.2"},
	} {
		last = step.of.summary(last, step.minute)
		got := last.CompletedVersion
		if last.CompletedAt != nil {
			got = last.CompletedAt.UTC().Format("15:04") + " " + got
		} else if got != "" {
			got = " " + got
		}
		if got != step.completed {
			t.Errorf("minute %d: got %q, want %q", step.minute, got, step.completed)
		}
	}
	if found := completedControlPlane("w-0 Completed").summary(nil, 200); found.CompletedAt != nil || found.CompletedVersion != "4.20.2" {
		t.Errorf("completed before the first look: %s %s", found.CompletedAt, found.CompletedVersion)
	}
	unknown := completedControlPlane("w-0 Completed")
	unknown.version.CompletedAt = nil
	if found := unknown.summary(nil, 200); found.CompletedVersion != "" {
		t.Errorf("without the end of the control plane: %s", found.CompletedVersion)
	}
}

// TestEstimate checks that the range of everything is that of its parts, from the first minute on, and that records count.
func TestEstimate(t *testing.T) {
	made := running().summary(nil, 1)
	worker := made.WorkerPools[0].Estimate
	if worker == nil || made.ControlPlane.Estimate == nil || made.Estimate.Basis != updatev1alpha1.BasisDefault {
		t.Fatalf("the first minute: %+v", made)
	}
	latest := made.ControlPlane.Estimate.Latest
	if worker.Latest.After(latest.Time) {
		latest = worker.Latest
	}
	if !made.Estimate.Latest.Equal(&latest) || made.Estimate.Earliest.Before(&worker.Earliest) || made.Estimate.Earliest.Before(&made.ControlPlane.Estimate.Earliest) {
		t.Errorf("of %+v and %+v: %+v", made.ControlPlane.Estimate, worker, made.Estimate)
	}
	history := estimate.History{{
		RecordTimes: updatev1alpha1.RecordTimes{StartedAt: ref(-5000)}, Versions: updatev1alpha1.SummaryVersions{Previous: "4.20.0", Target: "4.20.1"},
		Took: updatev1alpha1.RecordTook{ControlPlane: &metav1.Duration{Duration: 50 * time.Minute}},
	}}
	known := summary.Of(summary.Input{Update: update.Read(running().status()), History: history, Now: at(1).Time}).ControlPlane.Estimate
	if known.Basis != updatev1alpha1.BasisHistory || known.Latest.After(at(65).Time) {
		t.Errorf("with a record: %+v", known)
	}
	for _, text := range []string{"w-0 Paused", "w-0 Completed"} {
		if done := completedControlPlane(text).summary(nil, 60); done.Estimate != nil || done.WorkerPools[0].Estimate != nil || done.ControlPlane.Estimate != nil {
			t.Errorf("%s: %+v", text, done)
		}
	}
	if empty := completedControlPlane("w-0 Rebooting", "w-1 Pending").summary(nil, 60); empty.ControlPlane.Estimate != nil || empty.Estimate == nil || !cmp.Equal(empty.Estimate, empty.WorkerPools[0].Estimate) {
		t.Errorf("of the workers alone: %+v", empty)
	}
}

// TestSteadyEstimate checks that an estimate stays while it hardly moves.
func TestSteadyEstimate(t *testing.T) {
	first := running().summary(nil, 10)
	next := summary.Of(summary.Input{Update: update.Read(running().status()), Previous: first, Now: at(10).Add(20 * time.Second)})
	if diff := cmp.Diff(first.Estimate, next.Estimate); diff != "" {
		t.Errorf("after 20 seconds (-first +next):\n%s", diff)
	}
	late := summary.Of(summary.Input{Update: update.Read(running().status()), Previous: first, Now: at(70).Time})
	if cmp.Equal(first.Estimate, late.Estimate) || cmp.Equal(first.ControlPlane.Estimate, late.ControlPlane.Estimate) {
		t.Errorf("an hour later: %+v", late.Estimate)
	}
}

// TestEstimateWhileStalled checks that there is no estimate while a node stalls the update, and that no other problem takes it
// away.
func TestEstimateWhileStalled(t *testing.T) {
	node := updatev1alpha1.ResourceRef{Resource: "nodes", Name: "w-0"}
	slow := health("slow", updatev1alpha1.LevelWarning, 10, "Node w-0 is not ready", node)
	slow.Health.Impact.Type = updatev1alpha1.ImpactUpdateSpeed
	drains := func(minute int, name string) updatev1alpha1.Insight {
		return health("drain-"+name, updatev1alpha1.LevelWarning, minute, "Node "+name+" does not drain", updatev1alpha1.ResourceRef{Resource: "nodes", Name: name})
	}
	const all = "control plane, infra, worker"
	tests := map[string]struct {
		health []updatev1alpha1.Insight
		why    string
		// estimated are the parts that keep their estimates.
		estimated string
	}{
		"a node stalls it":            {[]updatev1alpha1.Insight{drains(10, "w-0")}, "finish unknown: node w-0 holds up the update", "control plane, infra"},
		"nodes of two pools do":       {[]updatev1alpha1.Insight{drains(15, "i-0"), drains(10, "w-0")}, "finish unknown: node w-0 holds up the update", "control plane"},
		"one of the control plane":    {[]updatev1alpha1.Insight{drains(10, "m-0")}, "finish unknown: node m-0 holds up the update", "infra, worker"},
		"a node slows it":             {[]updatev1alpha1.Insight{slow}, "", all},
		"not about a node":            {[]updatev1alpha1.Insight{health("failing", updatev1alpha1.LevelWarning, 10, "failing", updatev1alpha1.ResourceRef{Resource: "clusterversions", Name: "version"})}, "", all},
		"about no object":             {[]updatev1alpha1.Insight{health("none", updatev1alpha1.LevelWarning, 10, "none")}, "", all},
		"one stalls it, one slows it": {[]updatev1alpha1.Insight{slow, drains(10, "i-0")}, "finish unknown: node i-0 holds up the update", "control plane, worker"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := running()
			f.pools["infra"] = []string{"i-0 Pending"}
			before := f.summary(nil, 29)
			f.health = test.health
			made := f.summary(before, 30)
			message := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpdating).Message
			if _, why, _ := strings.Cut(message, "; "); why != test.why {
				t.Errorf("got %q, want %q", message, test.why)
			}
			if (made.Estimate == nil) != (test.why != "") {
				t.Errorf("estimate: %v", made.Estimate)
			}
			var estimated []string
			if made.ControlPlane.Estimate != nil {
				estimated = append(estimated, "control plane")
			}
			for _, pool := range made.WorkerPools {
				if pool.Estimate != nil {
					estimated = append(estimated, pool.Name)
				}
			}
			slices.Sort(estimated)
			if got := strings.Join(estimated, ", "); got != test.estimated {
				t.Errorf("estimates of %s, want %s", got, test.estimated)
			}
		})
	}
}

// TestNeedsAttention checks the order and the number of what needs attention.
func TestNeedsAttention(t *testing.T) {
	f := running()
	if found := meta.FindStatusCondition(f.summary(nil, 30).Conditions, updatev1alpha1.ConditionNeedsAttention); found.Status != metav1.ConditionFalse {
		t.Errorf("without health insights: %v", found)
	}
	f.health = []updatev1alpha1.Insight{health("info", updatev1alpha1.LevelInfo, 1, "Info")}
	if found := meta.FindStatusCondition(f.summary(nil, 30).Conditions, updatev1alpha1.ConditionNeedsAttention); found.Status != metav1.ConditionFalse {
		t.Errorf("with an Info: %v", found)
	}
	// An unknown level is above Warning, one of another version too.
	f.health = append(f.health, health("unknown", updatev1alpha1.LevelUnknown, 1, "Unknown"), health("fatal", "Fatal", 2, "Fatal"))
	for minute := range 7 {
		f.health = append(f.health, health(fmt.Sprint("warning-", minute), updatev1alpha1.LevelWarning, minute, "Warning"))
	}
	f.health = append(f.health, health("error", updatev1alpha1.LevelError, 20, "An error"), health("critical", updatev1alpha1.LevelCritical, 25, "Critical"))
	made := f.summary(nil, 30)
	var uids []string
	for _, one := range made.Attention {
		uids = append(uids, one.UID)
	}
	if diff := cmp.Diff([]string{"critical", "error", "unknown", "fatal", "warning-0"}, uids); diff != "" {
		t.Errorf("attention (-want +got):\n%s", diff)
	}
	found := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionNeedsAttention)
	if found.Reason != "Critical" || found.Message != "Critical, and 10 more" {
		t.Errorf("condition %v", found)
	}
	want := updatev1alpha1.SummaryHealth{Critical: 1, Error: 1, Warning: 7, Info: 1, Unknown: 2}
	if *made.Health != want {
		t.Errorf("counts %v", *made.Health)
	}
}

// TestTimes checks that a condition keeps its time for as long as its status.
func TestTimes(t *testing.T) {
	first := running().summary(nil, 30)
	second := completedControlPlane("w-0 Pending").summary(first, 60)
	third := completedControlPlane("w-0 Completed").summary(second, 70)
	for minute, made := range map[int]*updatev1alpha1.UpdateStatusSummaryStatus{30: second, 70: third} {
		if since := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpdating).LastTransitionTime; since != at(minute) {
			t.Errorf("since %s, want minute %d", since, minute)
		}
	}
	if since := meta.FindStatusCondition(third.Conditions, updatev1alpha1.ConditionAvailable).LastTransitionTime; since != at(-5) {
		t.Errorf("available since %s", since)
	}
}

// TestBound checks the size with the longest names that a cluster can have.
func TestBound(t *testing.T) {
	f := running()
	status := f.status()
	long := strings.Repeat("x", 250)
	for number := range 500 {
		name := fmt.Sprintf("%s%03d", long, number)
		insights := []updatev1alpha1.Insight{node(name + " Completed")}
		if number == 499 {
			insights = []updatev1alpha1.Insight{node(name + " Draining")}
		}
		status.WorkerPools = append(status.WorkerPools, updatev1alpha1.WorkerPool{Name: name, Informers: []updatev1alpha1.Informer{{Insights: insights}}})
	}
	resource := updatev1alpha1.ResourceRef{Group: long, Resource: strings.Repeat("y", 63), Name: long, Namespace: long[:63]}
	for number := range 9 {
		one := health(fmt.Sprint("health-", number), updatev1alpha1.LevelError, number, strings.Repeat("ü", 256), resource, resource, resource, resource)
		status.ControlPlane.Informers[0].Insights = append(status.ControlPlane.Informers[0].Insights, one)
	}
	made := summary.Of(summary.Input{Update: update.Read(status), Now: at(30).Time})
	encoded, err := json.Marshal(made)
	if err != nil || len(encoded) > summary.MaxBytes {
		t.Errorf("%d bytes, error %v", len(encoded), err)
	}
	if len(made.WorkerPools) < 4 {
		t.Errorf("%d pools are listed", len(made.WorkerPools))
	}
	if second := made.WorkerPools[1].Name; !strings.HasSuffix(second, "499") {
		t.Errorf("the second pool is %s, not the other one that is not complete", second)
	}
	if len(made.Attention) != updatev1alpha1.SummaryMaxAttention {
		t.Errorf("%d need attention", len(made.Attention))
	}
}

// TestBoundEncoded: what JSON writes as six bytes counts as six, in every text that others write.
func TestBoundEncoded(t *testing.T) {
	f := running()
	f.operators[0] = "etcd Failing " + strings.Repeat("<", 200) + " 0"
	f.pools["worker"] = []string{"w-0 Draining degraded"}
	for number := range updatev1alpha1.SummaryMaxAttention {
		one := health(fmt.Sprint("health-", number), updatev1alpha1.LevelCritical, number, strings.Repeat("<", 256), updatev1alpha1.ResourceRef{
			Group: "config.openshift.io", Resource: "clusteroperators", Name: strings.Repeat("n", 253),
		})
		one.Health.Impact.Type = updatev1alpha1.ImpactUpdateStalled
		one.Health.Remediation.Reference = "https://example.com/?" + strings.Repeat("&", 490)
		f.health = append(f.health, one)
	}
	made := f.summary(nil, 30)
	encoded, err := json.Marshal(made)
	if err != nil || len(encoded) > summary.MaxBytes {
		t.Errorf("%d bytes, error %v: %d need attention, waiting for %d characters", len(encoded), err, len(made.Attention), len(made.WaitingFor))
	}
	if len(made.Attention) == 0 || made.WaitingFor == "" {
		t.Errorf("%d need attention, waiting for %q", len(made.Attention), made.WaitingFor)
	}
}

// TestBoundResources checks that the least severe causes list fewer resources first, each at least one, and that no pool is left out
// while that is enough.
func TestBoundResources(t *testing.T) {
	for _, test := range []struct {
		length int
		want   []int
	}{
		{100, []int{3, 3, 3, 3, 3}},
		{180, []int{3, 3, 3, 1, 1}},
		{220, []int{3, 3, 1, 1, 1}},
	} {
		f := running()
		for number := range updatev1alpha1.SummaryMaxAttention {
			var resources []updatev1alpha1.ResourceRef
			for at := range updatev1alpha1.SummaryMaxResources {
				resources = append(resources, updatev1alpha1.ResourceRef{
					Group: strings.Repeat("g", test.length), Resource: strings.Repeat("r", 63), Name: strings.Repeat("n", test.length), Namespace: fmt.Sprint("space-", at),
				})
			}
			f.health = append(f.health, health(fmt.Sprint("health-", number), updatev1alpha1.LevelError, number, strings.Repeat("ü", 256), resources...))
		}
		made := f.summary(nil, 30)
		var got []int
		for _, one := range made.Attention {
			got = append(got, len(one.Resources))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("names of %d characters, resources (-want +got):\n%s", test.length, diff)
		}
		if len(made.WorkerPools) != 1 {
			t.Errorf("names of %d characters: %d pools are listed", test.length, len(made.WorkerPools))
		}
	}
}

// TestCounts counts nodes and operators in all states.
func TestCounts(t *testing.T) {
	f := running()
	f.operators = append(f.operators, "authentication Unknown CannotDetermine 0")
	f.masters = []string{"m-0 Completed", "m-1 Rebooting unavailable"}
	f.pools["worker"] = []string{"w-0 Pending", "w-1 Paused", "w-2 Paused", "w-3 Draining degraded", "w-4 Completed unavailable"}
	status := f.status()
	dns := status.ControlPlane.Informers[0].Insights[1].ClusterOperator
	dns.Conditions[1].Status = metav1.ConditionFalse
	made := summary.Of(summary.Input{Update: update.Read(status), Now: at(30).Time})
	want := updatev1alpha1.SummaryNodes{Total: 7, Completed: 2, Updating: 2, Pending: 1, Excluded: 2, Degraded: 1, Unavailable: 2, Progress: "2/7"}
	if diff := cmp.Diff(want, *made.Nodes); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	pool := updatev1alpha1.SummaryNodes{Total: 5, Completed: 1, Updating: 1, Pending: 1, Excluded: 2, Degraded: 1, Unavailable: 1}
	if diff := cmp.Diff(pool, made.WorkerPools[0].Nodes); diff != "" {
		t.Errorf("nodes of the pool (-want +got):\n%s", diff)
	}
	operators := updatev1alpha1.SummaryOperators{Total: 5, Updated: 1, Updating: 2, Waiting: 1, Unhealthy: 1}
	if diff := cmp.Diff(operators, made.ControlPlane.Operators); diff != "" {
		t.Errorf("operators (-want +got):\n%s", diff)
	}
}

// TestUnknown checks what is known without a part of the status.
func TestUnknown(t *testing.T) {
	updating := func(status *updatev1alpha1.UpdateStatusStatus) string {
		made := summary.Of(summary.Input{Update: update.Read(status), Now: at(30).Time})
		found := meta.FindStatusCondition(made.Conditions, updatev1alpha1.ConditionUpdating)
		return string(found.Status) + " " + found.Message + " " + made.CompletedVersion
	}
	unknown := running()
	unknown.updating = metav1.ConditionUnknown
	withMessage := unknown.status()
	withMessage.ControlPlane.Conditions[0].Message = "It has no history"
	withoutVersion := running().status()
	withoutVersion.ControlPlane.Informers = nil
	withoutCondition := running().status()
	withoutCondition.ControlPlane.Conditions = nil
	for name, test := range map[string]struct {
		status *updatev1alpha1.UpdateStatusStatus
		want   string
	}{
		"nothing":                {&updatev1alpha1.UpdateStatusStatus{}, "Unknown The version of the cluster is not known "},
		"unknown, and why":       {withMessage, "Unknown It has no history "},
		"no ClusterVersion":      {withoutVersion, "Unknown The version of the cluster is not known "},
		"no condition":           {withoutCondition, "Unknown The version of the cluster is not known "},
		"no nodes, not updating": {(&fixture{updating: metav1.ConditionFalse, version: completedControlPlane().version}).status(), "False The update to 4.20.2 is complete 4.20.2"},
	} {
		if got := updating(test.status); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestPrevious checks what is taken over from the summary before: nothing of another update, and no time that cannot be true.
func TestPrevious(t *testing.T) {
	previous := func(change func(*updatev1alpha1.UpdateStatusSummaryStatus)) *updatev1alpha1.UpdateStatusSummaryStatus {
		made := completedControlPlane("w-0 Rebooting").summary(nil, 60)
		change(made)
		return made
	}
	hostile := metav1.Date(0, 1, 1, 0, 0, 0, 0, time.FixedZone("", 14*60*60))
	for name, test := range map[string]struct {
		previous  *updatev1alpha1.UpdateStatusSummaryStatus
		completed *metav1.Time
		since     metav1.Time
	}{
		"the same update":            {previous(func(*updatev1alpha1.UpdateStatusSummaryStatus) {}), ref(70), at(70)},
		"another update":             {previous(func(before *updatev1alpha1.UpdateStatusSummaryStatus) { before.StartedAt = ref(-100) }), nil, at(70)},
		"without conditions":         {previous(func(before *updatev1alpha1.UpdateStatusSummaryStatus) { before.Conditions = nil }), nil, at(70)},
		"a known end":                {previous(func(before *updatev1alpha1.UpdateStatusSummaryStatus) { before.CompletedAt = ref(65) }), ref(65), at(70)},
		"an end that cannot be true": {previous(func(before *updatev1alpha1.UpdateStatusSummaryStatus) { before.CompletedAt = &hostile }), ref(70), at(70)},
		"complete since a time that cannot be true": {previous(func(before *updatev1alpha1.UpdateStatusSummaryStatus) {
			before.Conditions[0].Status, before.Conditions[0].LastTransitionTime = metav1.ConditionFalse, hostile
		}), ref(70), at(70)},
	} {
		made := completedControlPlane("w-0 Completed").summary(test.previous, 70)
		if !made.CompletedAt.Equal(test.completed) {
			t.Errorf("%s: completed at %s, want %s", name, made.CompletedAt, test.completed)
		}
		if since := made.Conditions[0].LastTransitionTime; !since.Equal(&test.since) {
			t.Errorf("%s: since %s, want %s", name, since, test.since)
		}
	}
}
