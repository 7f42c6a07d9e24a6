package hosted_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/hosted"
)

func TestComponent(t *testing.T) {
	available := metav1.Condition{Type: "Available", Status: "True", Reason: "AsExpected"}
	for _, tc := range []struct {
		name       string
		version    string
		conditions []metav1.Condition
		// before is what happens to the hosted cluster, which is being updated to version B otherwise.
		before func(w *hostedWorld)
		want   string
	}{
		{name: "updated", version: versionB, conditions: []metav1.Condition{available, rollout("True", "AsExpected")}, want: "False/Updated True/AsExpected"},
		{
			name: "updated, and rolled out with another configuration", version: versionB,
			conditions: []metav1.Condition{available, rollout("False", "WaitingForRolloutComplete")}, want: "False/Updated True/AsExpected",
		},
		{name: "waits", version: versionA, conditions: []metav1.Condition{available, rollout("True", "AsExpected")}, want: "False/Pending True/AsExpected"},
		{
			name: "waits for others", version: versionA, conditions: []metav1.Condition{available, rollout("False", "WaitingForDependencies")},
			want: "False/Pending True/AsExpected",
		},
		{
			name: "rolls out", version: versionA, conditions: []metav1.Condition{available, rollout("False", "WaitingForRolloutComplete")},
			want: "True/Progressing True/AsExpected WaitingForRolloutComplete since 0s",
		},
		{
			name: "waits for operands", version: versionA, conditions: []metav1.Condition{available, rollout("False", "WaitingForOperands")},
			want: "True/Progressing True/AsExpected WaitingForOperands since 0s",
		},
		{
			name: "fails", version: versionA, conditions: []metav1.Condition{available, rollout("False", "ReconciliationError")},
			want: "True/Progressing False/Degraded ReconciliationError since 0s",
		},
		{name: "does not say", version: versionA, conditions: []metav1.Condition{available}, want: "Unknown/CannotDetermine True/AsExpected"},
		{
			name: "does not know", version: versionA, conditions: []metav1.Condition{available, rollout("Unknown", "Some")},
			want: "Unknown/CannotDetermine True/AsExpected",
		},
		{name: "is new", conditions: []metav1.Condition{rollout("False", "WaitingForRolloutComplete")}, want: "True/Progressing Unknown/CannotDetermine WaitingForRolloutComplete since 0s"},
		{
			name: "is unavailable", version: versionB, conditions: []metav1.Condition{{Type: "Available", Status: "False", Reason: "NotFound"}, rollout("False", "ReconciliationError")},
			want: "False/Updated False/Unavailable",
		},
		{
			name: "has another version, without an update", version: versionB, conditions: []metav1.Condition{available, rollout("False", "WaitingForRolloutComplete")},
			before: func(w *hostedWorld) { w.hc.Status.ControlPlaneVersion = completedVersion() }, want: "Unknown/CannotDetermine True/AsExpected",
		},
		{
			name: "is of an older HyperShift", version: versionB, conditions: []metav1.Condition{available, {Type: "Progressing", Status: "False", Reason: "AsExpected"}},
			want: "none",
		},
		{
			name: "is of an older HyperShift, which is older now", version: versionB,
			conditions: []metav1.Condition{available, {Type: "Progressing", Status: "False", Reason: "AsExpected"}, rollout("True", "AsExpected")},
			want:       "False/Updated True/AsExpected",
		},
		{
			name: "the payload alone is updated", version: versionA, conditions: []metav1.Condition{available, rollout("True", "AsExpected")},
			before: func(w *hostedWorld) {
				w.hc.Status.ControlPlaneVersion = completedVersion()
				w.begins(w.hc.Status.Version, versionB)
			}, want: "False/Updated True/AsExpected",
		},
		{
			name: "the HostedCluster has no history", version: versionB, conditions: []metav1.Condition{available},
			before: func(w *hostedWorld) { w.hc.Status.Version = nil }, want: "Unknown/CannotDetermine True/AsExpected",
		},
		{
			name: "an older HyperShift reports the payload alone", version: versionA, conditions: []metav1.Condition{available},
			before: func(w *hostedWorld) { w.hc.Status.ControlPlaneVersion = nil }, want: "False/Updated True/AsExpected",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newHostedWorld("surge", "Replace")
			w.begins(w.hc.Status.ControlPlaneVersion, versionB)
			if tc.before != nil {
				tc.before(w)
			}
			etcd := w.component("etcd")
			etcd.Status.Version, etcd.Status.Conditions = tc.version, nil
			for _, one := range tc.conditions {
				w.condition(&etcd.Status.Conditions, one.Type, one.Status, one.Reason, one.Message)
			}
			in := hosted.ComponentInput{Component: etcd, Components: w.Components, HostedCluster: w.hc}
			insights := hosted.Component(in, start.Add(time.Minute)).Report.Insights
			if len(insights) == 0 && tc.want == "none" {
				return
			}
			one := insights[0].Insight.ControlPlaneComponent
			updating, healthy := one.Conditions[0], one.Conditions[1]
			got := string(updating.Status) + "/" + updating.Reason + " " + string(healthy.Status) + "/" + healthy.Reason
			if one.Reason != "" {
				got += " " + one.Reason + " since " + updating.LastTransitionTime.Sub(start).String()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			if ref := one.Resource; ref.Namespace != "clusters-demo" || ref.Cluster != updatev1alpha1.ClusterManagement {
				t.Errorf("%+v", ref)
			}
		})
	}
	w := newHostedWorld("surge", "Replace")
	if result := hosted.Component(hosted.ComponentInput{Component: w.component("etcd")}, start); len(result.Report.Insights) > 0 {
		t.Errorf("without a HostedCluster: %+v", result)
	}
}
