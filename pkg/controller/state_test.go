package controller

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
)

func clusterVersion(change func(*updatev1alpha1.ClusterVersionInsight)) insight.Message {
	started := metav1.NewTime(time.Unix(1_000_000, 0))
	estimated := metav1.NewTime(time.Unix(1_003_600, 0))
	made := &updatev1alpha1.ClusterVersionInsight{
		Versions: updatev1alpha1.ControlPlaneVersions{
			Previous: &updatev1alpha1.Version{Version: "4.20.1"}, Target: &updatev1alpha1.Version{Version: "4.20.2"},
		},
		Assessment: updatev1alpha1.AssessmentProgressing, Completion: 97,
		Conditions: []metav1.Condition{{
			Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: "Some", LastTransitionTime: started,
		}},
		StartedAt: &started, EstimatedCompletedAt: &estimated,
	}
	change(made)
	return insight.Message{Source: insight.ControlPlaneInformer, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "ClusterVersion", Name: "version"},
		Insights: []insight.ScopedInsight{{Insight: updatev1alpha1.Insight{
			UID: "cv-version", Type: updatev1alpha1.InsightClusterVersion, ClusterVersion: made,
		}}},
	}}}
}

func asItIs(*updatev1alpha1.ClusterVersionInsight) {}

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
				Name: name, PoolResource: updatev1alpha1.ResourceRef{Name: pool},
				Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue, Reason: phase}},
			},
		}}},
	}
}

func nodesSay(reports ...insight.Report) insight.Message {
	return insight.Message{Source: insight.NodeInformer, Reports: reports}
}

func TestControlPlaneMetrics(t *testing.T) {
	b := newBench(t)
	registry := scraped(t, b)
	names := []string{"update_status_available"}
	for _, definition := range Definitions() {
		if strings.HasPrefix(definition.Name, "update_status_control_plane") {
			names = append(names, definition.Name)
		}
	}
	b.say(clusterVersion(asItIs))
	compare(t, "a source that has not reported everything", registry, `
# HELP update_status_available [ALPHA] 1 if every source tells what it sees of the cluster, 0 if not: the condition Available.
# TYPE update_status_available gauge
update_status_available 0
`, names...)
	b.say(complete(insight.ControlPlaneInformer), complete(insight.NodeInformer))
	compare(t, "an update", registry, `
# HELP update_status_available [ALPHA] 1 if every source tells what it sees of the cluster, 0 if not: the condition Available.
# TYPE update_status_available gauge
update_status_available 1
# HELP update_status_control_plane_completion_ratio [ALPHA] The share of the cluster operators of the payload that are updated, from 0 to 1.
# TYPE update_status_control_plane_completion_ratio gauge
update_status_control_plane_completion_ratio 0.97
# HELP update_status_control_plane_estimated_completion_timestamp_seconds [ALPHA] When the update of the control plane is expected to be complete, as a Unix time. It may have passed. Without a sample when the update is complete or nothing can be said.
# TYPE update_status_control_plane_estimated_completion_timestamp_seconds gauge
update_status_control_plane_estimated_completion_timestamp_seconds 1.0036e+06
# HELP update_status_control_plane_info [ALPHA] The versions that the control plane is, or was last, updated from and to. A version that is not known is empty. The value is 1.
# TYPE update_status_control_plane_info gauge
update_status_control_plane_info{previous_version="4.20.1",target_version="4.20.2"} 1
# HELP update_status_control_plane_stalled [ALPHA] 1 if the update of the control plane is assessed as Stalled, 0 if not.
# TYPE update_status_control_plane_stalled gauge
update_status_control_plane_stalled 0
# HELP update_status_control_plane_start_timestamp_seconds [ALPHA] When the newest update of the control plane started, as a Unix time.
# TYPE update_status_control_plane_start_timestamp_seconds gauge
update_status_control_plane_start_timestamp_seconds 1e+06
# HELP update_status_control_plane_updating [ALPHA] 1 while the control plane is being updated, 0 while not. Without a sample while that can't be determined.
# TYPE update_status_control_plane_updating gauge
update_status_control_plane_updating 1
`, names...)

	b.say(clusterVersion(func(one *updatev1alpha1.ClusterVersionInsight) {
		one.Assessment = updatev1alpha1.AssessmentStalled
		one.Versions = updatev1alpha1.ControlPlaneVersions{}
		one.Conditions[0].Status = metav1.ConditionUnknown
		one.EstimatedCompletedAt = nil
	}))
	want := []string{
		`update_status_control_plane_completion_ratio{} 0.97`,
		`update_status_control_plane_info{previous_version="",target_version=""} 1`,
		`update_status_control_plane_stalled{} 1`,
		`update_status_control_plane_start_timestamp_seconds{} 1e+06`,
	}
	if diff := cmp.Diff(want, series(t, registry, "update_status_control_plane")); diff != "" {
		t.Errorf("little is known (-want +got):\n%s", diff)
	}
	b.say(clusterVersion(func(one *updatev1alpha1.ClusterVersionInsight) {
		one.Conditions[0].Status = metav1.ConditionFalse
		one.CompletedAt, one.EstimatedCompletedAt = one.EstimatedCompletedAt, nil
	}))
	got := series(t, registry, "update_status_control_plane")
	for _, line := range []string{
		`update_status_control_plane_completion_timestamp_seconds{} 1.0036e+06`, `update_status_control_plane_updating{} 0`,
	} {
		if !slices.Contains(got, line) {
			t.Errorf("a completed update has no %s", line)
		}
	}

	gone := clusterVersion(asItIs)
	gone.Reports[0].Insights = nil
	b.say(gone)
	if left := series(t, registry, "update_status_control_plane"); left != nil {
		t.Errorf("of a ClusterVersion that is gone there is left %v", left)
	}
}

func TestPoolMetrics(t *testing.T) {
	b := newBench(t)
	registry := scraped(t, b)
	b.say(complete(insight.NodeInformer), nodesSay(pool("infra", 0), pool("worker", 50),
		nodeOf("infra", "a", "Pending"), nodeOf("worker", "b", "Draining"), nodeOf("worker", "c", "Completed")))
	names := []string{"update_status_pool_completion_ratio", "update_status_pool_nodes"}
	const header = `
# HELP update_status_pool_completion_ratio [ALPHA] The share of the nodes of a MachineConfigPool that are updated, from 0 to 1.
# TYPE update_status_pool_completion_ratio gauge
# HELP update_status_pool_nodes [ALPHA] The nodes of a MachineConfigPool, by the phase of their update: the reason of the condition Updating.
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
	b.say(nodesSay(insight.Report{Subject: pool("infra", 0).Subject}))
	compare(t, "a pool has gone", registry, header+worker, names...)
}
