package update_test

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

var (
	noon     = time.Date(2025, 2, 1, 12, 0, 0, 0, time.UTC)
	complete = &insight.State{Complete: true}
)

func after(minutes int) time.Time {
	return noon.Add(time.Duration(minutes) * time.Minute)
}

func at(minutes int) *metav1.Time {
	time := metav1.NewTime(after(minutes))
	return &time
}

func nodeReport(name, pool string, updating metav1.ConditionStatus, reason string) insight.Report {
	part := insight.Part{WorkerPool: pool}
	if pool == "master" {
		part = insight.ControlPlane
	}
	return insight.Report{Subject: insight.Subject{Kind: "Node", Name: name}, Insights: []insight.ScopedInsight{{Part: part, Insight: updatev1alpha1.Insight{
		UID: "node-" + name, Type: updatev1alpha1.InsightNode,
		Node: &updatev1alpha1.NodeInsight{Name: name, Conditions: []metav1.Condition{{Type: "Updating", Status: updating, Reason: reason}}},
	}}}}
}

func poolReport(name string, updating metav1.ConditionStatus) insight.Report {
	part := insight.Part{WorkerPool: name}
	if name == "master" || name == "arbiter" {
		part = insight.ControlPlane
	}
	return insight.Report{Subject: insight.Subject{Kind: "MachineConfigPool", Name: name}, Insights: []insight.ScopedInsight{{Part: part, Insight: updatev1alpha1.Insight{
		UID: "mcp-" + name, Type: updatev1alpha1.InsightMachineConfigPool,
		MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{
			Name: name, Resource: updatev1alpha1.ResourceRef{Resource: "machineconfigpools", Name: name},
			Conditions: []metav1.Condition{{Type: "Updating", Status: updating, Reason: "Some"}},
		},
	}}}}
}

func versionReport(estimate *metav1.Time) insight.Report {
	return insight.Report{Subject: insight.Subject{Kind: "ClusterVersion", Name: "version"}, Insights: []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{
		UID: "cv-version", Type: updatev1alpha1.InsightClusterVersion,
		ClusterVersion: &updatev1alpha1.ClusterVersionInsight{
			EstimatedCompletedAt: estimate,
			Conditions:           []metav1.Condition{{Type: "Updating", Status: "True", Reason: "ClusterVersionProgressing", LastTransitionTime: *at(-9)}},
		},
	}}}}
}

func operatorReport(name string) insight.Report {
	return insight.Report{Subject: insight.Subject{Kind: "ClusterOperator", Name: name}, Insights: []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{
		UID: "co-" + name, Type: updatev1alpha1.InsightClusterOperator, ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{Name: name},
	}}}}
}

func nodesReport(reports ...insight.Report) insight.Message {
	return insight.Message{Source: insight.NodeInformer, Reports: reports, State: complete}
}

func controlPlaneReports(reports ...insight.Report) insight.Message {
	return insight.Message{Source: insight.ControlPlaneInformer, Reports: reports, State: complete}
}

func view(messages ...insight.Message) ledger.View {
	entries := ledger.New()
	for _, message := range messages {
		entries.Apply(message)
	}
	return entries.View()
}

// build builds the status that a controller builds first that finds another one in the cluster, which may be nil.
func build(previous *updatev1alpha1.UpdateStatusStatus, now time.Time, messages ...insight.Message) *updatev1alpha1.UpdateStatusStatus {
	builder := status.NewBuilder()
	if previous != nil {
		builder.Stored(previous)
	}
	return builder.Build(view(messages...), now)
}

func version(previous, target string, started, completed *metav1.Time) insight.Report {
	report := versionReport(nil)
	of := report.Insights[0].Insight.ClusterVersion
	of.StartedAt, of.CompletedAt = started, completed
	if previous != "" {
		of.Versions.Previous = &updatev1alpha1.Version{Version: previous}
	}
	if target != "" {
		of.Versions.Target = &updatev1alpha1.Version{Version: target}
	}
	return report
}

func healthReport(name string, level updatev1alpha1.HealthLevel, started *metav1.Time) insight.Report {
	return insight.Report{Subject: insight.Subject{Kind: "Node", Name: name}, Insights: []insight.ScopedInsight{{Part: insight.Part{WorkerPool: "worker"}, Insight: updatev1alpha1.Insight{
		UID: "health-" + name, Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
			StartedAt: started,
			Impact:    updatev1alpha1.HealthImpact{Level: level, Type: updatev1alpha1.ImpactUpdateStalled, Summary: "Node " + name + " is degraded"},
		},
	}}}}
}
