package ceph_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateac "github.com/openshift/cluster-version-operator/pkg/generated/applyconfigurations/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/ceph"
)

const storage = "openshift-storage"

// degraded are details as Rook writes them.
const degraded = `
PG_DEGRADED: {severity: HEALTH_WARN, message: "Degraded data redundancy: 12/96 objects degraded (12.500%), 8 pgs degraded, 8 pgs undersized"}
OSD_DOWN: {severity: HEALTH_WARN, message: 1 osds down}
`

var cephCluster = updateac.ResourceRef().WithGroup("ceph.rook.io").WithResource("cephclusters").WithNamespace(storage).WithName("ocs")

func budgetRef(name string) *updateac.ResourceRefApplyConfiguration {
	return updateac.ResourceRef().WithGroup("policy").WithResource("poddisruptionbudgets").WithNamespace(storage).WithName(name)
}

// node returns a node with an OSD and the PodDisruptionBudget with which Rook blocks its drain.
func node(name string, isCordoned bool, allowed int32) func(*ceph.State) {
	return func(state *ceph.State) {
		label := map[string]string{"topology-location-host": name}
		state.Nodes = append(state.Nodes, corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.NodeSpec{Unschedulable: isCordoned}})
		state.OSDs = append(state.OSDs, corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: label}, Spec: corev1.PodSpec{NodeName: name}})
		state.Budgets = append(state.Budgets, policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Namespace: storage, Name: "rook-ceph-osd-host-" + name},
			Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: label}},
			Status:     policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: allowed},
		})
	}
}

func TestInsights(t *testing.T) {
	rebuilds := func(level updatev1alpha1.InformerLevel, summary, description string, budgets ...string) *ceph.Insight {
		insight := updateac.InformerInsight().WithName("storage-rebuilding").WithReason("StorageRebuilding").WithLevel(level).WithImpact("UpdateSpeed").
			WithSummary(summary).WithDescription("Ceph's health checks: " + description)
		for _, budget := range budgets {
			insight.WithResources(budgetRef(budget))
		}
		return insight.WithResources(cephCluster)
	}
	const redundancy = "Degraded data redundancy: 12/96 objects degraded (12.500%), 8 pgs degraded, 8 pgs undersized"
	fails := func(name string, impact updatev1alpha1.ImpactType, summary string) *ceph.Insight {
		insight := updateac.InformerInsight().WithName("ceph-" + name).WithReason("CephHealthError").WithLevel("Error").WithImpact(impact).
			WithSummary(summary).WithResources(cephCluster)
		if impact != "Unknown" {
			insight.WithReference("https://docs.ceph.com/en/latest/rados/operations/health-checks/#" + name)
		}
		return insight
	}
	for name, test := range map[string]struct {
		details string
		with    []func(*ceph.State)
		want    []*ceph.Insight
	}{
		"healthy":                      {details: "{}"},
		"a warning about other things": {details: "{MON_CLOCK_SKEW: {severity: HEALTH_WARN, message: clock skew detected on mon.b}}"},
		"degraded": {
			details: degraded, with: []func(*ceph.State){node("worker-3", false, 0)},
			want: []*ceph.Insight{rebuilds("Info", "Ceph rebuilds 12 of 96 objects", redundancy)},
		},
		"a drain waits": {
			details: degraded, with: []func(*ceph.State){node("worker-2", false, 0), node("worker-3", true, 0), node("worker-4", true, 1)},
			want: []*ceph.Insight{
				rebuilds("Warning", "Ceph rebuilds 12 of 96 objects, which blocks the drain of worker-3", redundancy, "rook-ceph-osd-host-worker-3"),
			},
		},
		"more drains wait than can be named": {
			details: degraded, with: []func(*ceph.State){node("a", true, 0), node("b", true, 0), node("c", true, 0), node("d", true, 0)},
			want: []*ceph.Insight{rebuilds(
				"Warning", "Ceph rebuilds 12 of 96 objects, which blocks the drain of a, b, c, d", redundancy,
				"rook-ceph-osd-host-a", "rook-ceph-osd-host-b", "rook-ceph-osd-host-c",
			)},
		},
		"no object is counted": {
			details: `{PG_AVAILABILITY: {severity: HEALTH_WARN, message: "Reduced data availability: 3 pgs inactive"}}`,
			want:    []*ceph.Insight{rebuilds("Info", "Ceph rebuilds: Reduced data availability: 3 pgs inactive", "Reduced data availability: 3 pgs inactive")},
		},
		"errors come first": {
			details: degraded + `
PG_DAMAGED: {severity: HEALTH_ERR, message: "Possible data damage: 1 pg inconsistent"}
OSD_FULL: {severity: HEALTH_ERR, message: 1 full osd(s)}
`,
			want: []*ceph.Insight{
				fails("osd-full", "ApplicationAvailability", "Ceph reports an error: 1 full osd(s)"),
				fails("pg-damaged", "DataLoss", "Ceph reports an error: Possible data damage: 1 pg inconsistent"),
				rebuilds("Info", "Ceph rebuilds 12 of 96 objects", redundancy),
			},
		},
		"Rook can't reach Ceph": {
			details: "{error: {severity: Urgent, message: failed to get status}}",
			want:    []*ceph.Insight{fails("error", "Unknown", "Rook is unable to check Ceph: failed to get status")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			state := ceph.State{Cluster: ceph.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: storage, Name: "ocs"}}}
			if err := yaml.UnmarshalStrict([]byte(test.details), &state.Cluster.Status.Ceph.Details); err != nil {
				t.Fatal(err)
			}
			for _, change := range test.with {
				change(&state)
			}
			if diff := cmp.Diff(test.want, ceph.Insights(state)); diff != "" {
				t.Errorf("insights (-want +got):\n%s", diff)
			}
		})
	}
}
