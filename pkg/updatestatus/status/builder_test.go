package status_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

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

var complete = &insight.State{Complete: true}

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

// shape writes a status as lines: parts, informers, insights.
func shape(built *updatev1alpha1.UpdateStatusStatus) []string {
	var lines []string
	add := func(part string, conditions []metav1.Condition, informers []updatev1alpha1.Informer) {
		lines = append(lines, fmt.Sprintf("%s %s %s", part, conditions[0].Status, conditions[0].Reason))
		for _, informer := range informers {
			line := "  " + informer.Name + ":"
			for _, one := range informer.Insights {
				line += " " + one.UID
			}
			lines = append(lines, line)
		}
	}
	add("control plane", built.ControlPlane.Conditions, built.ControlPlane.Informers)
	for _, pool := range built.WorkerPools {
		add(pool.Name, pool.Conditions, pool.Informers)
	}
	return lines
}

func TestBuild(t *testing.T) {
	built := build(nil, noon,
		nodesReport(nodeReport("b", "worker", "False", "Pending"), nodeReport("m", "master", "True", "Draining"), poolReport("zebra", "False"),
			poolReport("arbiter", "False"), poolReport("worker", "True"), poolReport("master", "True"), nodeReport("a", "worker", "True", "Updating"), poolReport("infra", "False")),
		controlPlaneReports(operatorReport("etcd"), versionReport(nil), operatorReport("dns")))
	want := []string{
		"control plane True ClusterVersionProgressing",
		"  control-plane-informer: cv-version co-dns co-etcd",
		"  node-informer: mcp-arbiter mcp-master node-m",
		"worker True Some",
		"  node-informer: mcp-worker node-a node-b",
		"infra False Some",
		"  node-informer: mcp-infra",
		"zebra False Some",
		"  node-informer: mcp-zebra",
	}
	if diff := cmp.Diff(want, shape(built)); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	if since := built.ControlPlane.Conditions[0].LastTransitionTime; !since.Equal(at(-9)) {
		t.Errorf("the control plane is updating since %s, not since the time that the ClusterVersion tells", since)
	}
}

func TestWithoutInsights(t *testing.T) {
	built := build(nil, noon, nodesReport(), controlPlaneReports())
	if diff := cmp.Diff([]string{"control plane Unknown CannotDetermineUpdating"}, shape(built)); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}

func TestTimesAreKept(t *testing.T) {
	first := build(nil, noon, nodesReport(nodeReport("a", "worker", "True", "Draining")), controlPlaneReports(versionReport(at(60))))
	second := build(first, after(5), nodesReport(nodeReport("a", "worker", "True", "Rebooting")), controlPlaneReports(versionReport(at(60))))
	third := build(second, after(9), nodesReport(nodeReport("a", "worker", "False", "Completed")), controlPlaneReports(versionReport(at(60))))

	type times struct{ changed, acquired string }
	var got []times
	for _, built := range []*updatev1alpha1.UpdateStatusStatus{first, second, third} {
		node := built.WorkerPools[0].Informers[0].Insights[0]
		got = append(got, times{node.Node.Conditions[0].LastTransitionTime.UTC().Format("15:04"), node.AcquiredAt.UTC().Format("15:04")})
	}
	want := []times{{"12:00", "12:00"}, {"12:00", "12:05"}, {"12:09", "12:09"}}
	if !slices.Equal(got, want) {
		t.Errorf("times %v, want %v", got, want)
	}
	version := third.ControlPlane.Informers[0].Insights[0]
	if !version.AcquiredAt.Equal(at(0)) {
		t.Errorf("an unchanged insight was acquired at %s", version.AcquiredAt)
	}
	if since := version.ClusterVersion.Conditions[0].LastTransitionTime; !since.Equal(at(-9)) {
		t.Errorf("a real time was replaced by %s", since)
	}
	if since := third.Conditions[0].LastTransitionTime; !since.Equal(at(0)) {
		t.Errorf("available since %s", since)
	}
}

func TestTimesMoveWithANode(t *testing.T) {
	first := build(nil, noon, nodesReport(nodeReport("a", "worker", "True", "Draining")), controlPlaneReports())
	second := build(first, after(5), nodesReport(nodeReport("a", "infra", "True", "Draining")), controlPlaneReports())
	if diff := cmp.Diff([]string{"control plane Unknown CannotDetermineUpdating", "infra Unknown CannotDetermine", "  node-informer: node-a"}, shape(second)); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	if since := second.WorkerPools[0].Informers[0].Insights[0].Node.Conditions[0].LastTransitionTime; !since.Equal(at(0)) {
		t.Errorf("updating since %s", since)
	}
}

func TestEstimateStaysForLittle(t *testing.T) {
	estimate := func(seconds int) *metav1.Time {
		moved := metav1.NewTime(after(60).Add(time.Duration(seconds) * time.Second))
		return &moved
	}
	first := build(nil, noon, nodesReport(), controlPlaneReports(versionReport(estimate(0))))
	for seconds, kept := range map[int]bool{29: true, -29: true, 30: false, -30: false} {
		built := build(first, after(1), nodesReport(), controlPlaneReports(versionReport(estimate(seconds))))
		got := built.ControlPlane.Informers[0].Insights[0].ClusterVersion.EstimatedCompletedAt
		if got.Equal(estimate(0)) != kept {
			t.Errorf("moved by %d s: %s", seconds, got)
		}
	}
	gone := build(first, after(1), nodesReport(), controlPlaneReports(versionReport(nil)))
	if got := gone.ControlPlane.Informers[0].Insights[0].ClusterVersion.EstimatedCompletedAt; got != nil {
		t.Errorf("an estimate that is not built any more stays: %s", got)
	}
}

func TestStalledUpdateEstimate(t *testing.T) {
	stalled := func(estimate *metav1.Time, assessment updatev1alpha1.Assessment) insight.Message {
		report := versionReport(estimate)
		report.Insights[0].Insight.ClusterVersion.Assessment = assessment
		return controlPlaneReports(report)
	}
	first := build(nil, noon, nodesReport(), stalled(at(-15), updatev1alpha1.AssessmentStalled))
	for assessment, want := range map[updatev1alpha1.Assessment]*metav1.Time{
		updatev1alpha1.AssessmentStalled: at(-15), updatev1alpha1.AssessmentProgressing: at(20),
	} {
		built := build(first, after(30), nodesReport(), stalled(at(20), assessment))
		if got := built.ControlPlane.Informers[0].Insights[0].ClusterVersion.EstimatedCompletedAt; !got.Equal(want) {
			t.Errorf("%s: estimate %s, want %s", assessment, got, want)
		}
	}
}

// TestRestart: until a source is complete, what the object holds from it stays to the byte.
func TestRestart(t *testing.T) {
	nodes := nodesReport(nodeReport("a", "worker", "True", "Draining"), poolReport("worker", "True"))
	version := controlPlaneReports(versionReport(at(60)), operatorReport("etcd"))
	before := build(nil, noon, nodes, version)

	partly := nodesReport(nodeReport("b", "worker", "True", "Draining"))
	partly.State = nil
	built := build(before, after(1), partly, version)
	built.Conditions = before.Conditions
	if diff := cmp.Diff(before, built); diff != "" {
		t.Errorf("while the node informer is not complete (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(before, build(before, after(2), nodes, version)); diff != "" {
		t.Errorf("when all is reported again (-before +after):\n%s", diff)
	}
	if got := build(before, after(3), nodesReport(), version); len(got.WorkerPools) != 0 {
		t.Errorf("a complete source has the last word: %v", shape(got))
	}
}

// TestInformersOfOthers: an entry that another client adds to the status is removed: an UpdateInformer is the way to contribute.
func TestInformersOfOthers(t *testing.T) {
	messages := []insight.Message{nodesReport(poolReport("worker", "True")), controlPlaneReports()}
	want := build(nil, noon, messages...)
	inCluster := want.DeepCopy()
	theirs := updatev1alpha1.Informer{Name: "their-informer", Insights: []updatev1alpha1.Insight{{UID: "theirs", Type: "New", AcquiredAt: *at(-5)}}}
	inCluster.ControlPlane.Informers = append(inCluster.ControlPlane.Informers, theirs)
	inCluster.WorkerPools[0].Informers = append(inCluster.WorkerPools[0].Informers, theirs)
	if diff := cmp.Diff(want, build(inCluster, after(1), messages...)); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}

// TestOrderAndRepetition: the order of messages does not matter, repeating them changes nothing, and building twice is
// the same.
func TestOrderAndRepetition(t *testing.T) {
	messages := []insight.Message{
		nodesReport(nodeReport("a", "worker", "True", "Draining"), nodeReport("b", "worker", "False", "Pending")),
		nodesReport(nodeReport("m", "master", "True", "Rebooting")), nodesReport(poolReport("infra", "False"), poolReport("worker", "True")),
		controlPlaneReports(versionReport(at(60))), controlPlaneReports(operatorReport("etcd"), operatorReport("dns")),
	}
	want := build(nil, noon, messages...)
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.Permutation(append(slices.Clone(messages), messages...)).Draw(t, "messages")
		if diff := cmp.Diff(want, build(nil, noon, said...)); diff != "" {
			t.Errorf("another order (-want +got):\n%s", diff)
		}
		later := after(rapid.IntRange(1, 1000).Draw(t, "later"))
		if diff := cmp.Diff(want, build(want, later, said...)); diff != "" {
			t.Errorf("built again (-want +got):\n%s", diff)
		}
	})
}

// TestBuildLeavesItsInputAlone: insights are shared with the ledger and the statuses before, and none of them changes.
func TestBuildLeavesItsInputAlone(t *testing.T) {
	held := view(nodesReport(nodeReport("a", "worker", "True", "Draining")), controlPlaneReports(versionReport(at(60))))
	builder := status.NewBuilder()
	first := builder.Build(held, noon)
	before := first.DeepCopy()
	moved := view(nodesReport(nodeReport("a", "worker", "False", "Completed")), controlPlaneReports(versionReport(nil)))
	builder.Build(moved, after(1))
	if diff := cmp.Diff(before, first); diff != "" {
		t.Errorf("the status before was changed (-before +after):\n%s", diff)
	}
	if node := held[insight.NodeInformer].Insights[0].Insight; !node.AcquiredAt.IsZero() || !node.Node.Conditions[0].LastTransitionTime.IsZero() {
		t.Errorf("the ledger was changed: %+v", node)
	}
}
