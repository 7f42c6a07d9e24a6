package status_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

var dns = updatev1alpha1.ResourceRef{Group: configv1.GroupName, Resource: "clusteroperators", Name: "dns"}

// about is a report of a health insight of a check about an object.
func about(check string, level updatev1alpha1.HealthLevel, description string, object updatev1alpha1.ResourceRef, labels ...updatev1alpha1.ResourceRef) insight.Report {
	return insight.Report{Subject: insight.Subject{Kind: check, Name: object.Name}, Insights: []insight.ScopedInsight{{Labels: labels, Insight: updatev1alpha1.Insight{
		UID: insight.UID("health", check+"/"+object.Name), Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
			StartedAt: at(-9), Scope: updatev1alpha1.HealthScope{Resources: builders.Resources(object)},
			Impact:   updatev1alpha1.HealthImpact{Level: level, Summary: check, Description: description},
			Reported: &updatev1alpha1.ComponentReport{Component: object.Name, Message: description},
		},
	}}}}
}

// reports of the cluster: a node that is not ready, an operator whose message may name it, an alert about the operator.
var (
	unready = about("node-not-ready", "Warning", "gone", updatev1alpha1.ResourceRef{Resource: "nodes", Name: "w-1"})
	itsNode = insight.Report{Subject: insight.Subject{Kind: "Node", Name: "w-1"}, Insights: []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{
		UID: "node-w-1", Type: updatev1alpha1.InsightNode, Node: &updatev1alpha1.NodeInsight{Name: "w-1", Resource: updatev1alpha1.ResourceRef{Resource: "nodes", Name: "w-1"}, Pool: "worker"},
	}}}}
	alertReport = about("alert-firing", "Critical", "text", updatev1alpha1.ResourceRef{Resource: "alerts", Name: "Down"}, dns)
)

func operatorSays(level updatev1alpha1.HealthLevel, message string) insight.Report {
	return about("cluster-operator-degraded", level, message, dns)
}

func alertsReport(state *insight.State, reports ...insight.Report) insight.Message {
	return insight.Message{Source: insight.AlertInformer, Reports: reports, State: state}
}

// healthOf returns the health insights of a status: their checks, levels, causes, and since when they are so, in minutes after noon.
func healthOf(built *updatev1alpha1.UpdateStatusStatus) []string {
	var lines []string
	for _, informer := range built.ControlPlane.Informers {
		for _, one := range informer.Insights {
			if one.Health == nil {
				continue
			}
			var causes []string
			for _, cause := range one.Health.CausedBy {
				causes = append(causes, cause.Informer+"/"+strings.TrimSuffix(cause.UID, cause.UID[len(cause.UID)-17:]))
			}
			lines = append(lines, fmt.Sprintf("%s %s %v at %.0f", one.Health.Impact.Summary, one.Health.Impact.Level, causes, one.AcquiredAt.Sub(noon).Minutes()))
		}
	}
	return lines
}

// TestCauses follows causes from status to status: they come and go with what proves them, the level of a cause goes with them, and
// acquiredAt is when that was.
func TestCauses(t *testing.T) {
	builder, entries := status.NewBuilder(), ledger.New()
	var last *updatev1alpha1.UpdateStatusStatus
	step := func(name string, minute int, messages []insight.Message, want ...string) {
		t.Helper()
		for _, message := range messages {
			entries.Apply(message)
		}
		last = builder.Build(entries.View(), after(minute))
		if diff := cmp.Diff(want, healthOf(last)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	type all = []insight.Message
	const node, operator = "[node-informer/health-node-not-ready-w-1]", "[control-plane-informer/health-cluster-operator-degraded-dns]"
	step("a node", 0, all{nodesReport(itsNode, unready), controlPlaneReports()}, "node-not-ready Warning [] at 0")
	step("an operator", 1, all{controlPlaneReports(operatorSays("Warning", "on w-2"))}, "cluster-operator-degraded Warning [] at 1", "node-not-ready Warning [] at 0")
	step("it names the node", 2, all{controlPlaneReports(operatorSays("Warning", "on w-1"))}, "cluster-operator-degraded Warning "+node+" at 2", "node-not-ready Warning [] at 0")
	step("nothing new", 3, nil, "cluster-operator-degraded Warning "+node+" at 2", "node-not-ready Warning [] at 0")
	step("it gets worse", 4, all{controlPlaneReports(operatorSays("Error", "on w-1"))}, "cluster-operator-degraded Error "+node+" at 4", "node-not-ready Error [] at 4")
	step("an alert", 5, all{alertsReport(complete, alertReport)}, "cluster-operator-degraded Critical "+node+" at 5", "node-not-ready Critical [] at 5", "alert-firing Critical "+operator+" at 5")

	// A process that starts has no labels of alerts.
	restarted := status.NewBuilder()
	restarted.Stored(last)
	again := func(minute int, messages ...insight.Message) []string {
		return healthOf(restarted.Build(view(messages...), after(minute)))
	}
	watched := all{nodesReport(itsNode, unready), controlPlaneReports(operatorSays("Error", "on w-1"))}
	if diff := cmp.Diff(healthOf(last), again(6, watched...)); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(healthOf(last), again(7, append(watched, alertsReport(complete, alertReport))...)); diff != "" {
		t.Errorf("when alerts have been read (-want +got):\n%s", diff)
	}

	step("the alert ends", 8, all{alertsReport(nil, insight.Report{Subject: alertReport.Subject})}, "cluster-operator-degraded Error "+node+" at 8", "node-not-ready Error [] at 8")
	step("the node is back", 9, all{nodesReport(insight.Report{Subject: unready.Subject})}, "cluster-operator-degraded Error [] at 9")
}

// TestCausesUntilAllIsRead: what a source that has not reported yet was found to cause stays.
func TestCausesUntilAllIsRead(t *testing.T) {
	message := []insight.Message{nodesReport(itsNode, unready), controlPlaneReports(operatorSays("Warning", "on w-1"))}
	stored := build(nil, noon, message...)
	want := healthOf(stored)
	for name, source := range map[string]insight.Message{"nodes": message[0], "the control plane": message[1]} {
		if diff := cmp.Diff(want, healthOf(build(stored, after(5), source))); diff != "" {
			t.Errorf("only %s (-before +after):\n%s", name, diff)
		}
	}
}

// TestEventsFollowCauses: a cause has an event, its consequences have none, unless they outlast it.
func TestEventsFollowCauses(t *testing.T) {
	at := func(minute int, unreadyNow bool, message string) *updatev1alpha1.UpdateStatusStatus {
		reports := []insight.Report{itsNode}
		if unreadyNow {
			reports = append(reports, unready)
		}
		return build(nil, after(minute), nodesReport(reports...), controlPlaneReports(operatorSays("Error", message)))
	}
	state := update.NewEventState(update.Read(&updatev1alpha1.UpdateStatusStatus{}), noon)
	for _, step := range []struct {
		name string
		of   *updatev1alpha1.UpdateStatusStatus
		want []string
	}{
		{"a cause", at(1, true, "on w-1"), []string{"HealthInsightAppeared Error: node-not-ready ()"}},
		{"the same", at(2, true, "on w-1"), nil},
		{"its consequence outlasts it", at(3, false, "on w-1"), []string{"HealthInsightAppeared Error: cluster-operator-degraded ()", "HealthInsightGone Error: node-not-ready ()"}},
		{"it has a cause again", at(4, true, "on w-1"), []string{"HealthInsightAppeared Error: node-not-ready ()"}},
		{"both end", build(nil, after(5), nodesReport(itsNode), controlPlaneReports()), []string{"HealthInsightGone Error: cluster-operator-degraded ()", "HealthInsightGone Error: node-not-ready ()"}},
	} {
		var got []string
		for _, event := range state.Next(update.Read(step.of)) {
			got = append(got, event.Reason+" "+event.Message)
		}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	// A process that starts knows which of them had events.
	var got []string
	for _, event := range update.NewEventState(update.Read(at(1, true, "on w-1")), noon).Next(update.Read(at(2, false, ""))) {
		got = append(got, event.Reason)
	}
	if diff := cmp.Diff([]string{"HealthInsightAppeared", "HealthInsightGone"}, got); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
}
