package status_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/status"
)

func inPool(pool string, report insight.Report) insight.Report {
	report.Insights[0].Insight.Node.PoolResource = updatev1alpha1.ResourceRef{Name: pool}
	return report
}

// some returns the counts that are not zero.
func some[K comparable](counts map[K]int) map[K]int {
	found := map[K]int{}
	for key, count := range counts {
		if count != 0 {
			found[key] = count
		}
	}
	return found
}

func TestCount(t *testing.T) {
	unfinished := nodesReport(poolReport("worker", "True"), healthReport("a", updatev1alpha1.LevelError, nil))
	unfinished.State = nil
	numbers := status.Count(view(controlPlaneReports(operatorReport("etcd"), versionReport(nil)), unfinished), nil)
	if numbers.Available || len(numbers.Insights) != 1 || len(numbers.Pools) != 0 || len(some(numbers.Health)) != 0 {
		t.Errorf("a source that has not reported everything is counted: %+v", numbers)
	}

	numbers = status.Count(view(
		controlPlaneReports(operatorReport("etcd"), operatorReport("dns"), versionReport(at(60))),
		nodesReport(
			poolReport("worker", "True"), poolReport("master", "True"),
			inPool("worker", nodeReport("a", "worker", "True", "Draining")),
			inPool("worker", nodeReport("b", "worker", "False", "Completed")),
			inPool("worker", nodeReport("c", "worker", "False", "Completed")),
			inPool("master", nodeReport("d", "master", "Unknown", "CannotDetermine")),
			inPool("gone", nodeReport("e", "gone", "False", "Pending")),
			healthReport("x", updatev1alpha1.LevelError, nil), healthReport("y", updatev1alpha1.LevelError, nil),
			healthReport("z", updatev1alpha1.LevelWarning, nil),
		)), nil)
	if !numbers.Available || numbers.ControlPlane == nil || !numbers.ControlPlane.EstimatedCompletedAt.Equal(at(60)) {
		t.Errorf("available %t, control plane %+v", numbers.Available, numbers.ControlPlane)
	}
	wantInsights := map[insight.Source]map[updatev1alpha1.InsightType]int{
		"control-plane-informer": {"ClusterVersion": 1, "ClusterOperator": 2},
		"node-informer":          {"MachineConfigPool": 2, "Node": 5, "Health": 3},
	}
	for source, counts := range numbers.Insights {
		if len(counts) != len(insight.KindsOf(insight.Standalone)) {
			t.Errorf("%d types of insights of %s are counted", len(counts), source)
		}
		numbers.Insights[source] = some(counts)
	}
	if diff := cmp.Diff(wantInsights, numbers.Insights); diff != "" {
		t.Errorf("insights (-want +got):\n%s", diff)
	}
	wantHealth := map[status.HealthKind]int{
		{Level: updatev1alpha1.LevelError, Impact: updatev1alpha1.ImpactUpdateStalled}:   2,
		{Level: updatev1alpha1.LevelWarning, Impact: updatev1alpha1.ImpactUpdateStalled}: 1,
	}
	if diff := cmp.Diff(wantHealth, some(numbers.Health)); diff != "" {
		t.Errorf("health insights (-want +got):\n%s", diff)
	}
	if kinds := len(numbers.Health); kinds != 5*9 {
		t.Errorf("%d kinds of health insights are counted, the API has 5 levels and 9 impacts", kinds)
	}
	wantPools := []status.PoolNumbers{
		{Name: "master", Nodes: map[insight.NodePhase]int{"CannotDetermine": 1}},
		{Name: "worker", Nodes: map[insight.NodePhase]int{"Draining": 1, "Completed": 2}},
	}
	for at := range numbers.Pools {
		if phases := len(numbers.Pools[at].Nodes); phases != len(insight.NodePhases()) {
			t.Errorf("%d phases are counted", phases)
		}
		numbers.Pools[at].Nodes = some(numbers.Pools[at].Nodes)
	}
	if diff := cmp.Diff(wantPools, numbers.Pools); diff != "" {
		t.Errorf("pools (-want +got):\n%s", diff)
	}
}

// TestCountKeepsTheEstimate: that of the ledger moves with every assessment.
func TestCountKeepsTheEstimate(t *testing.T) {
	stalled := func(estimate *metav1.Time) insight.Report {
		report := versionReport(estimate)
		report.Insights[0].Insight.ClusterVersion.Assessment = updatev1alpha1.AssessmentStalled
		return report
	}
	built := build(nil, noon, controlPlaneReports(stalled(at(60))), nodesReport())
	said := view(controlPlaneReports(stalled(at(75))), nodesReport())
	if got := status.Count(said, built).ControlPlane.EstimatedCompletedAt; !got.Equal(at(60)) {
		t.Errorf("the estimate is %s, that of the status %s", got, at(60))
	}
	if got := status.Count(said, nil).ControlPlane.EstimatedCompletedAt; !got.Equal(at(75)) {
		t.Errorf("without a status the estimate is %s", got)
	}
}
