package controller

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/estimate"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/summary"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

func clusterVersion(change func(*updatev1alpha1.ClusterVersionInsight)) insight.Message {
	started := metav1.NewTime(time.Unix(1_000_000, 0))
	estimated := metav1.NewTime(time.Unix(1_003_600, 0))
	version := &updatev1alpha1.ClusterVersionInsight{
		Versions: updatev1alpha1.ControlPlaneVersions{
			Previous: &updatev1alpha1.Version{Version: "4.20.1"}, Target: &updatev1alpha1.Version{Version: "4.20.2"},
		},
		Assessment: updatev1alpha1.AssessmentProgressing, Completion: 97,
		Conditions: []metav1.Condition{{
			Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: "Some", LastTransitionTime: started,
		}},
		StartedAt: &started, EstimatedCompletedAt: &estimated,
	}
	change(version)
	return insight.Message{Source: insight.ControlPlaneInformer, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "ClusterVersion", Name: "version"},
		Insights: []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{
			UID: "cv-version", Type: updatev1alpha1.InsightClusterVersion, ClusterVersion: version,
		}}},
	}}}
}

func unchanged(*updatev1alpha1.ClusterVersionInsight) {}

func pool(name string, completion int32) insight.Report {
	return insight.Report{
		Subject: insight.Subject{Kind: "MachineConfigPool", Name: name},
		Insights: []insight.ScopedInsight{{Part: insight.Part{WorkerPool: name}, Insight: updatev1alpha1.Insight{
			UID: "mcp-" + name, Type: updatev1alpha1.InsightMachineConfigPool,
			MachineConfigPool: &updatev1alpha1.MachineConfigPoolInsight{Name: name, Completion: completion},
		}}},
	}
}

func nodeOf(pool, name, phase string) insight.Report {
	return insight.Report{
		Subject: insight.Subject{Kind: "Node", Name: name},
		Insights: []insight.ScopedInsight{{Part: insight.Part{WorkerPool: pool}, Insight: updatev1alpha1.Insight{
			UID: "node-" + name, Type: updatev1alpha1.InsightNode, Node: &updatev1alpha1.NodeInsight{
				Name: name, Pool: pool,
				Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: phase}},
			},
		}}},
	}
}

func nodeReports(reports ...insight.Report) insight.Message {
	return insight.Message{Source: insight.NodeInformer, Reports: reports}
}

func TestControlPlaneMetrics(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	names := []string{"update_status_available"}
	for _, definition := range Definitions() {
		if strings.HasPrefix(definition.Name, "update_status_control_plane") {
			names = append(names, definition.Name)
		}
	}
	f.send(clusterVersion(unchanged))
	compare(t, "a source that has not reported everything", registry, `
# HELP update_status_available [ALPHA] 1 if all sources report the state of the cluster and the status is written, 0 if not: the condition Available of the summary.
# TYPE update_status_available gauge
update_status_available 0
`, names...)
	f.sendComplete()
	f.mustBuild()
	compare(t, "an update", registry, `
# HELP update_status_available [ALPHA] 1 if all sources report the state of the cluster and the status is written, 0 if not: the condition Available of the summary.
# TYPE update_status_available gauge
update_status_available 1
# HELP update_status_control_plane_completion_ratio [ALPHA] The share of the payload's cluster operators that are updated, from 0 to 1.
# TYPE update_status_control_plane_completion_ratio gauge
update_status_control_plane_completion_ratio 0.97
# HELP update_status_control_plane_estimated_completion_timestamp_seconds [ALPHA] Estimated completion of the update of the control plane, as a Unix time. It may be in the past. No sample when the update is complete or there is no estimate.
# TYPE update_status_control_plane_estimated_completion_timestamp_seconds gauge
update_status_control_plane_estimated_completion_timestamp_seconds 1.0036e+06
# HELP update_status_control_plane_info [ALPHA] The versions of the current or last update of the control plane. An unknown version is empty. The value is 1.
# TYPE update_status_control_plane_info gauge
update_status_control_plane_info{previous_version="4.20.1",target_version="4.20.2"} 1
# HELP update_status_control_plane_stalled [ALPHA] 1 if the update of the control plane is assessed as Stalled, 0 if not.
# TYPE update_status_control_plane_stalled gauge
update_status_control_plane_stalled 0
# HELP update_status_control_plane_start_timestamp_seconds [ALPHA] Start of the last update of the control plane, as a Unix time.
# TYPE update_status_control_plane_start_timestamp_seconds gauge
update_status_control_plane_start_timestamp_seconds 1e+06
# HELP update_status_control_plane_updating [ALPHA] 1 while the control plane is updating, 0 while it is not. No sample while that is unknown.
# TYPE update_status_control_plane_updating gauge
update_status_control_plane_updating 1
`, names...)

	f.send(clusterVersion(func(one *updatev1alpha1.ClusterVersionInsight) {
		one.Assessment = updatev1alpha1.AssessmentStalled
		one.Versions = updatev1alpha1.ControlPlaneVersions{}
		one.Conditions[0].Status = metav1.ConditionUnknown
		one.EstimatedCompletedAt = nil
	}))
	f.mustBuild()
	want := []string{
		`update_status_control_plane_completion_ratio{} 0.97`,
		`update_status_control_plane_info{previous_version="",target_version=""} 1`,
		`update_status_control_plane_stalled{} 1`,
		`update_status_control_plane_start_timestamp_seconds{} 1e+06`,
	}
	if diff := cmp.Diff(want, series(t, registry, "update_status_control_plane")); diff != "" {
		t.Errorf("unknown versions (-want +got):\n%s", diff)
	}
	f.send(clusterVersion(func(one *updatev1alpha1.ClusterVersionInsight) {
		one.Conditions[0].Status = metav1.ConditionFalse
		one.CompletedAt, one.EstimatedCompletedAt = one.EstimatedCompletedAt, nil
	}))
	f.mustBuild()
	got := series(t, registry, "update_status_control_plane")
	for _, line := range []string{
		`update_status_control_plane_completion_timestamp_seconds{} 1.0036e+06`, `update_status_control_plane_updating{} 0`,
	} {
		if !slices.Contains(got, line) {
			t.Errorf("a completed update has no %s", line)
		}
	}

	deleted := clusterVersion(unchanged)
	deleted.Reports[0].Insights = nil
	f.send(deleted)
	f.mustBuild()
	if left := series(t, registry, "update_status_control_plane"); left != nil {
		t.Errorf("of a deleted ClusterVersion there is %v", left)
	}
}

func TestPoolMetrics(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	f.sendComplete()
	f.send(clusterVersion(unchanged), nodeReports(pool("infra", 0), pool("worker", 50),
		nodeOf("infra", "a", "Pending"), nodeOf("worker", "b", "Draining"), nodeOf("worker", "c", "Completed")))
	f.mustBuild()
	names := []string{"update_status_pool_completion_ratio", "update_status_pool_nodes"}
	const header = `
# HELP update_status_pool_completion_ratio [ALPHA] The share of a MachineConfigPool's nodes that are updated, from 0 to 1.
# TYPE update_status_pool_completion_ratio gauge
# HELP update_status_pool_nodes [ALPHA] The nodes of a MachineConfigPool by the phase of their update: the reason of their condition Updating.
# TYPE update_status_pool_nodes gauge
`
	const worker = `
update_status_pool_completion_ratio{pool="worker"} 0.5
update_status_pool_nodes{phase="CannotDetermine",pool="worker"} 0
update_status_pool_nodes{phase="Completed",pool="worker"} 1
update_status_pool_nodes{phase="Draining",pool="worker"} 1
update_status_pool_nodes{phase="Paused",pool="worker"} 0
update_status_pool_nodes{phase="Pending",pool="worker"} 0
update_status_pool_nodes{phase="Rebooting",pool="worker"} 0
update_status_pool_nodes{phase="Updating",pool="worker"} 0
`
	compare(t, "two pools", registry, header+`
update_status_pool_completion_ratio{pool="infra"} 0
update_status_pool_nodes{phase="CannotDetermine",pool="infra"} 0
update_status_pool_nodes{phase="Completed",pool="infra"} 0
update_status_pool_nodes{phase="Draining",pool="infra"} 0
update_status_pool_nodes{phase="Paused",pool="infra"} 0
update_status_pool_nodes{phase="Pending",pool="infra"} 1
update_status_pool_nodes{phase="Rebooting",pool="infra"} 0
update_status_pool_nodes{phase="Updating",pool="infra"} 0
`+worker, names...)
	f.send(nodeReports(insight.Report{Subject: pool("infra", 0).Subject}))
	f.mustBuild()
	compare(t, "a pool is deleted", registry, header+worker, names...)
}

// TestStalledPoolMetrics checks that a pool is stalled by a node of it and by itself, and that health insights count by their reason.
func TestStalledPoolMetrics(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	f.sendComplete()
	const header = `
# HELP update_status_pool_stalled [ALPHA] 1 if a health insight about a MachineConfigPool or one of its nodes stalls the update of the pool, 0 if not.
# TYPE update_status_pool_stalled gauge
`
	stall := func(level updatev1alpha1.HealthLevel, about updatev1alpha1.ResourceRef, reason string) insight.Report {
		return insight.Report{
			Subject: insight.Subject{Kind: "Problem", Name: reason},
			Insights: []insight.ScopedInsight{{Part: insight.Part{WorkerPool: "worker"}, Insight: updatev1alpha1.Insight{
				UID: "health-" + reason, Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
					Reason: reason, Scope: updatev1alpha1.HealthScope{Resources: builders.Resources(about)},
					Impact: updatev1alpha1.HealthImpact{Level: level, Summary: "Something is wrong", Type: updatev1alpha1.ImpactUpdateStalled},
				},
			}}},
		}
	}
	infra := updatev1alpha1.ResourceRef{Resource: "machineconfigpools", Name: "infra"}
	node := updatev1alpha1.ResourceRef{Resource: "nodes", Name: "b"}
	f.send(clusterVersion(unchanged), nodeReports(pool("infra", 0), pool("worker", 50), nodeOf("worker", "b", "Draining"),
		stall(updatev1alpha1.LevelWarning, infra, "PoolPaused")))
	f.mustBuild()
	const stalled = "update_status_pool_stalled"
	compare(t, "a paused pool", registry, header+`
update_status_pool_stalled{pool="infra"} 0
update_status_pool_stalled{pool="worker"} 0
`, stalled)
	f.send(nodeReports(stall(updatev1alpha1.LevelError, infra, "PoolNotStarting"), stall(updatev1alpha1.LevelError, node, "NodeDegraded")))
	f.mustBuild()
	compare(t, "a pool that does not start, and a node", registry, header+`
update_status_pool_stalled{pool="infra"} 1
update_status_pool_stalled{pool="worker"} 1
`, stalled)
	current, _ := f.state(t.Context())
	got := map[string]float64{}
	for _, one := range health(current) {
		if one.value > 0 {
			got[strings.Join(one.labels, "/")] = one.value
		}
	}
	want := map[string]float64{"Warning/UpdateStalled/PoolPaused": 1, "Error/UpdateStalled/PoolNotStarting": 1, "Error/UpdateStalled/NodeDegraded": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestSummaryMetrics checks the metrics of the whole update: worker pools count as well.
func TestSummaryMetrics(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	const updating, attention = "update_status_updating", "update_status_needs_attention"
	compare(t, "before the first status", registry, "", updating, attention)
	f.sendComplete()
	f.mustSync(0)
	const noAttention = `
# HELP update_status_needs_attention [ALPHA] 1 while there is a health insight of level Warning or higher, 0 while there is none: the condition NeedsAttention of the summary.
# TYPE update_status_needs_attention gauge
update_status_needs_attention 0
`
	compare(t, "without a ClusterVersion", registry, noAttention, updating, attention)
	done := metav1.NewTime(time.Unix(1_003_600, 0))
	workers := pool("worker", 0)
	workers.Insights[0].Unfinished = true
	f.send(healthMessage(updatev1alpha1.LevelWarning), clusterVersion(func(version *updatev1alpha1.ClusterVersionInsight) {
		version.CompletedAt, version.Conditions[0].Status = &done, metav1.ConditionFalse
	}), nodeReports(workers, nodeOf("worker", "b", "Pending")))
	f.passTime(buildInterval)
	f.mustSync(0)
	compare(t, "workers are behind", registry, `
# HELP update_status_needs_attention [ALPHA] 1 while there is a health insight of level Warning or higher, 0 while there is none: the condition NeedsAttention of the summary.
# TYPE update_status_needs_attention gauge
update_status_needs_attention 1
# HELP update_status_updating [ALPHA] 1 while the control plane or a worker pool is updating, 0 while none is: the condition Updating of the summary. No sample while that is unknown.
# TYPE update_status_updating gauge
update_status_updating 1
`, updating, attention)
}

// TestInformerMetrics: the metrics have the renewals of informers, and no reason that others chose.
func TestInformerMetrics(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	f.in.Renewals = func(updatev1alpha1.UpdateStatusSpec) map[types.NamespacedName]time.Time {
		return map[types.NamespacedName]time.Time{{Namespace: "shop", Name: "never"}: {}, {Namespace: "shop", Name: "vm"}: time.Unix(1700000000, 0)}
	}
	f.sendComplete()
	workers := pool("worker", 0)
	workers.Insights[0].Unfinished = true
	of := func(source insight.Source, uid, reason string) insight.Message {
		health := updatev1alpha1.Insight{UID: uid, Type: updatev1alpha1.InsightHealth, Health: &updatev1alpha1.HealthInsight{
			Reason: reason, Impact: updatev1alpha1.HealthImpact{Level: updatev1alpha1.LevelWarning, Type: updatev1alpha1.ImpactNone, Summary: "s"},
		}}
		return insight.Message{Source: source, State: &insight.State{Complete: true}, Reports: []insight.Report{{
			Subject: insight.Subject{Kind: "a", Name: uid}, Insights: []insight.ScopedInsight{{Insight: health}},
		}}}
	}
	f.send(nodeReports(workers, nodeOf("worker", "b", "Pending")), of(insight.UpdateInformers, "theirs", "TheirReason"), of(insight.AlertInformer, "ours", "OurReason"))
	f.mustBuild()
	want := []string{
		`update_status_informer_renewal_timestamp_seconds{informer="never",informer_namespace="shop"} 0`,
		`update_status_informer_renewal_timestamp_seconds{informer="vm",informer_namespace="shop"} 1.7e+09`,
	}
	if diff := cmp.Diff(want, series(t, registry, "update_status_informer_")); diff != "" {
		t.Errorf("renewals (-want +got):\n%s", diff)
	}
	got := strings.Join(series(t, registry, "update_status_health_insights"), "\n")
	if strings.Contains(got, "TheirReason") || !strings.Contains(got, `reason="UpdateInformer"} 1`) || !strings.Contains(got, `reason="OurReason"} 1`) {
		t.Errorf("health insights:\n%s", got)
	}
}

// TestEstimateMetrics: the metrics have the estimate of the summary, made with the records of earlier updates, and none without one.
func TestEstimateMetrics(t *testing.T) {
	f := newFixture(t)
	registry := registryOf(t, f)
	const prefix = "update_status_estimated_completion_"
	f.sendComplete()
	f.mustBuild()
	if got := series(t, registry, prefix); got != nil {
		t.Errorf("without an update: %v", got)
	}
	workers := pool("worker", 0)
	workers.Insights[0].Unfinished = true
	f.send(nodeReports(workers, nodeOf("worker", "b", "Pending")), clusterVersion(func(version *updatev1alpha1.ClusterVersionInsight) {
		version.StartedAt = &metav1.Time{Time: f.clock.Now().Add(-time.Minute)}
	}))
	f.mustBuild()
	rule := series(t, registry, prefix)
	if diff := cmp.Diff(estimateOf(f, nil), rule); diff != "" || len(rule) != 2 {
		t.Errorf("an update (-summary +metrics):\n%s", diff)
	}
	earlier := estimate.History{{
		Versions: updatev1alpha1.SummaryVersions{Previous: "4.20.0", Target: "4.20.1"},
		Took:     updatev1alpha1.RecordTook{ControlPlane: &metav1.Duration{Duration: 10 * time.Hour}},
	}}
	f.in.History = func() estimate.History { return earlier }
	f.mustBuild()
	got := series(t, registry, prefix)
	if diff := cmp.Diff(estimateOf(f, earlier), got); diff != "" || slices.Equal(got, rule) {
		t.Errorf("with a record (-summary +metrics):\n%s", diff)
	}
}

// estimateOf returns the estimate of the summary as series has it.
func estimateOf(f *fixture, earlier estimate.History) []string {
	expected := summary.Of(summary.Input{Update: f.in.Built.Load().Update, History: earlier, Now: f.in.Built.Load().At}).Estimate
	const name = "update_status_estimated_completion_%s_timestamp_seconds{} %v"
	return []string{
		fmt.Sprintf(name, "earliest", float64(expected.Earliest.Unix())), fmt.Sprintf(name, "latest", float64(expected.Latest.Unix())),
	}
}
