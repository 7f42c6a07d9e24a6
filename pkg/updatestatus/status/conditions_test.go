package status_test

import (
	"fmt"
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

func TestAvailable(t *testing.T) {
	unable := func(source insight.Source, reason string) insight.Message {
		return insight.Message{Source: source, State: &insight.State{Reason: reason, Message: "may not"}}
	}
	for _, test := range []struct {
		name     string
		messages []insight.Message
		want     string
	}{
		{"all complete", []insight.Message{nodesReport(), controlPlaneReports()}, "True AsExpected: "},
		{"none has reported", nil, "False WaitingForInformers: Waiting for the first report of control-plane-informer and node-informer"},
		{"one has reported", []insight.Message{controlPlaneReports()}, "False WaitingForInformers: Waiting for the first report of node-informer"},
		{"one unable to list", []insight.Message{controlPlaneReports(), unable(insight.NodeInformer, "CannotListNodes")}, "False CannotListNodes: node-informer: may not"},
		{"one unable to list, later", []insight.Message{controlPlaneReports(), nodesReport(), unable(insight.NodeInformer, "CannotListNodes")}, "False CannotListNodes: node-informer: may not"},
		{"one unable to list, one without a report", []insight.Message{unable(insight.NodeInformer, "CannotListNodes")}, "False CannotListNodes: node-informer: may not; Waiting for the first report of control-plane-informer"},
		{
			"both unable to list",
			[]insight.Message{unable(insight.NodeInformer, "CannotListNodes"), unable(insight.ControlPlaneInformer, "CannotListClusterVersions")},
			"False CannotListClusterVersions: control-plane-informer: may not; node-informer: may not",
		},
		{
			"no pools",
			[]insight.Message{controlPlaneReports(), {Source: insight.NodeInformer, State: &insight.State{Complete: true, Reason: "NoMachineConfigPools", Message: "none"}}},
			"True NoMachineConfigPools: none",
		},
		{
			"characters that are not visible",
			[]insight.Message{controlPlaneReports(), {Source: insight.NodeInformer, State: &insight.State{Reason: "CannotListNodes", Message: "may\u202e \x1b[31mnot"}}},
			"False CannotListNodes: node-informer: may not",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := build(nil, noon, test.messages...).Conditions[0]
			if text := fmt.Sprintf("%s %s: %s", got.Status, got.Reason, got.Message); text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

// TestAlertsComplete: a problem with the alerts has a condition of its own while it lasts, over restarts too.
func TestAlertsComplete(t *testing.T) {
	alertsReport := func(state insight.State) []insight.Message {
		return []insight.Message{controlPlaneReports(), nodesReport(), {Source: insight.AlertInformer, State: &state}}
	}
	said := func(built *updatev1alpha1.UpdateStatusStatus) string {
		if available := built.Conditions[0]; available.Reason != updatev1alpha1.ReasonAsExpected {
			t.Errorf("Available is %v", available)
		}
		text := ""
		for _, one := range built.Conditions[1:] {
			text += fmt.Sprintf("%s %s %s %s %s", one.Type, one.Status, one.Reason, one.Message, one.LastTransitionTime.UTC().Format("15:04"))
		}
		return text
	}
	refused := insight.State{Reason: updatev1alpha1.ReasonMonitoringRefused, Message: "may \u202enot"}
	gone := insight.State{Complete: true, Reason: updatev1alpha1.ReasonMonitoringUnreachable, Message: "no host"}
	first := build(nil, noon, controlPlaneReports(), nodesReport())
	second := build(first, after(1), alertsReport(refused)...)
	third := build(second, after(2), controlPlaneReports(), nodesReport())
	fourth := build(third, after(3), alertsReport(gone)...)
	fifth := build(fourth, after(4), alertsReport(insight.State{Complete: true})...)
	for at, test := range []struct {
		built *updatev1alpha1.UpdateStatusStatus
		want  string
	}{
		{first, ""},
		{second, "AlertsComplete False MonitoringRefused may not 12:01"},
		{third, "AlertsComplete False MonitoringRefused may not 12:01"},
		{fourth, "AlertsComplete False MonitoringUnreachable no host 12:01"},
		{fifth, "AlertsComplete True AsExpected  12:04"},
	} {
		if got := said(test.built); got != test.want {
			t.Errorf("status %d says %q, want %q", at+1, got, test.want)
		}
	}
}
