package status_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// incomplete writes the condition InsightsComplete, empty if there is none.
func incomplete(conditions []metav1.Condition) string {
	condition := meta.FindStatusCondition(conditions, updatev1alpha1.ConditionInsightsComplete)
	if condition == nil {
		return ""
	}
	return fmt.Sprintf("%s %s %s", condition.Status, condition.Reason, condition.Message)
}

func cause(field, message string) metav1.StatusCause {
	return metav1.StatusCause{Type: metav1.CauseTypeFieldValueInvalid, Field: field, Message: message}
}

// TestReject: what the API server rejects is left out until it changes, and nothing else.
func TestReject(t *testing.T) {
	messages := func(a, b string) []insight.Message {
		return []insight.Message{
			controlPlaneReports(versionReport(nil), operatorReport("etcd")),
			nodesReport(poolReport("worker", "True"), nodeReport("a", "worker", "True", a), nodeReport("b", "worker", "False", b)),
		}
	}
	builder := status.NewBuilder()
	reported := view(messages("Draining", "Pending")...)
	build := func(minute int) *updatev1alpha1.UpdateStatusStatus {
		t.Helper()
		builder.Build(reported, after(minute))
		fitted := builder.Fit()
		if diff := cmp.Diff(string(invariants.JSON(t, fitted.Status)), string(fitted.JSON)); diff != "" {
			t.Errorf("its encoding (-want +got):\n%s", diff)
		}
		return fitted.Status
	}
	whole := build(0)
	rejected := builder.Reject([]metav1.StatusCause{
		cause("status.workerPools[0].informers[0].insights[1].node.message", "Too long:\nmay not be more than 10 bytes"),
		cause("status.workerPools[0].informers[0].insights[1].node.name", "Invalid value"),
		cause("status.controlPlane.informers[0].insights[1]", "must validate one and only one schema (oneOf)"),
	})
	const node, operator = "node-a: node.message: Too long: may not be more than 10 bytes", "co-etcd: must validate one and only one schema (oneOf)"
	if diff := cmp.Diff([]string{node, operator}, rejected); diff != "" {
		t.Errorf("rejected (-want +got):\n%s", diff)
	}

	const leftOut = "False Rejected Left out, since the API server rejects it: "
	built := build(1)
	for _, test := range []struct {
		name       string
		conditions []metav1.Condition
		want       string
	}{
		{name: "status", conditions: built.Conditions, want: leftOut + "2 insights, the first is " + operator},
		{name: "control plane", conditions: built.ControlPlane.Conditions, want: leftOut + "1 insight, the first is " + operator},
		{name: "worker", conditions: built.WorkerPools[0].Conditions, want: leftOut + "1 insight, the first is " + node},
	} {
		if got := incomplete(test.conditions); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	want := whole.DeepCopy()
	want.ControlPlane.Informers[0].Insights = want.ControlPlane.Informers[0].Insights[:1]
	nodes := want.WorkerPools[0].Informers[0].Insights
	want.WorkerPools[0].Informers[0].Insights = slices.Delete(nodes, 1, 2)
	meta.RemoveStatusCondition(&want.Conditions, updatev1alpha1.ConditionInsightsComplete)
	for _, conditions := range []*[]metav1.Condition{&built.Conditions, &built.ControlPlane.Conditions, &built.WorkerPools[0].Conditions} {
		meta.RemoveStatusCondition(conditions, updatev1alpha1.ConditionInsightsComplete)
	}
	if diff := cmp.Diff(want, built); diff != "" {
		t.Errorf("the rest (-want +got):\n%s", diff)
	}

	reported = view(messages("Draining", "Completed")...)
	if uids := invariants.UIDs(build(2)); uids["co-etcd"] || !uids["node-b"] {
		t.Errorf("after a change of another insight: %v", uids)
	}
	reported = view(messages("Updating", "Completed")...)
	if uids := invariants.UIDs(build(3)); !uids["node-a"] {
		t.Errorf("after a change of its content: %v", uids)
	}
}

// TestRejectedStays: a rejected insight is left out of each status in which it is the same, and a restart tries it again.
func TestRejectedStays(t *testing.T) {
	reported := view(controlPlaneReports(operatorReport("etcd"), operatorReport("dns")), nodesReport())
	builder := status.NewBuilder()
	buildAndFit(builder, reported, after(0))
	builder.Reject([]metav1.StatusCause{cause("status.controlPlane.informers[0].insights[0].clusterOperator.name", "Invalid value")})
	first := buildAndFit(builder, reported, after(1))
	again := buildAndFit(builder, reported, after(2))
	if diff := cmp.Diff(first, again); diff != "" || invariants.UIDs(again)["co-dns"] {
		t.Errorf("(-first +again):\n%s", diff)
	}
	restarted := status.NewBuilder()
	restarted.Stored(first)
	if built := buildAndFit(restarted, view(), after(3)); incomplete(built.Conditions) != incomplete(first.Conditions) {
		t.Errorf("while no source has reported: %s", incomplete(built.Conditions))
	}
	nodesWait := view(controlPlaneReports(operatorReport("etcd"), operatorReport("dns")))
	buildAndFit(restarted, nodesWait, after(4))
	restarted.Reject([]metav1.StatusCause{cause("status.controlPlane.informers[0].insights[1]", "Invalid value")})
	if got := incomplete(buildAndFit(restarted, nodesWait, after(5)).Conditions); !strings.HasSuffix(got, "the first is co-etcd: Invalid value") {
		t.Errorf("before all sources are complete: %s", got)
	}
	restarted = status.NewBuilder()
	restarted.Stored(first)
	if built := buildAndFit(restarted, reported, after(6)); !invariants.UIDs(built)["co-dns"] || meta.IsStatusConditionFalse(built.Conditions, updatev1alpha1.ConditionInsightsComplete) {
		t.Errorf("after a restart: %v, %s", invariants.UIDs(built), incomplete(built.Conditions))
	}
}

// TestRejectWithoutInsight: other causes leave out nothing.
func TestRejectWithoutInsight(t *testing.T) {
	builder := status.NewBuilder()
	reported := view(controlPlaneReports(operatorReport("etcd")), nodesReport())
	whole := buildAndFit(builder, reported, after(0))
	for _, field := range []string{
		"", "<nil>", "metadata.name", "status", "status.conditions[0].message", "status.controlPlane.conditions[0].message",
		"status.workerPools[0].conditions[0].message", "status.controlPlane.informers[0].name", "status.controlPlane.informers[0].insights",
		"status.workerPools[0].informers[0].insights[0].uid", "status.controlPlane.informers[7].insights[0].uid",
		"status.controlPlane.informers[0].insights[7].uid", "status.controlPlane.informers[0].insights[99999999999999999999].uid",
	} {
		if rejected := builder.Reject([]metav1.StatusCause{cause(field, "Invalid value")}); len(rejected) > 0 {
			t.Errorf("%s: rejected %v", field, rejected)
		}
	}
	if diff := cmp.Diff(whole, buildAndFit(builder, reported, after(1))); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	if rejected := status.NewBuilder().Reject([]metav1.StatusCause{cause("status.controlPlane.informers[0].insights[0]", "")}); len(rejected) > 0 {
		t.Errorf("before the first status: rejected %v", rejected)
	}
}

// withoutNumbers returns a text without its numbers: a longer condition takes the place of an insight.
func withoutNumbers(text string) string {
	return regexp.MustCompile(`\d+`).ReplaceAllString(text, "N")
}

// TestRejectedAndTruncated: the condition says both.
func TestRejectedAndTruncated(t *testing.T) {
	o := builders.Observe(&builders.Fleet{Pools: 1, Operators: 2, Name: names[1], Nodes: []byte(strings.Repeat("D", 1000))})
	truncated := incomplete(o.Built.Conditions)
	if !strings.HasPrefix(truncated, "False Truncated Left out, since the object would be too large: ") {
		t.Fatalf("it is not truncated: %s", truncated)
	}
	o.Builder.Reject([]metav1.StatusCause{cause("status.controlPlane.informers[0].insights[1].clusterOperator.name", strings.Repeat("long ", 1000))})
	o.Build(2)
	rejected, large, found := strings.Cut(incomplete(o.Built.Conditions), ". ")
	if !strings.HasPrefix(rejected, "False Rejected Left out, since the API server rejects it: 1 insight, the first is co-operator-0: clusterOperator.name: long long ") ||
		!found || withoutNumbers("False Truncated "+large) != withoutNumbers(truncated) {
		t.Errorf("%s. %s", rejected, large)
	}
	if got := incomplete(o.Built.WorkerPools[0].Conditions); !strings.HasPrefix(got, "False Truncated ") {
		t.Errorf("worker: %s", got)
	}
	if len(rejected) > 400 {
		t.Errorf("the message has %d bytes", len(rejected))
	}
}

func TestRejected(t *testing.T) {
	stored := build(nil, noon, controlPlaneReports(operatorReport("etcd")), nodesReport())
	want := stored.DeepCopy()
	want.Conditions[0] = metav1.Condition{
		Type: updatev1alpha1.ConditionAvailable, Status: metav1.ConditionFalse, Reason: updatev1alpha1.ReasonRejected, LastTransitionTime: *at(1),
		Message: "The API server rejects the status, so the insights may be outdated: a: b",
	}
	first := status.Rejected(*stored, "a: b", *at(1))
	if diff := cmp.Diff(*want, first); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(first, status.Rejected(first, "a: b", *at(2))); diff != "" {
		t.Errorf("again (-first +again):\n%s", diff)
	}
	if stored.Conditions[0].Status != metav1.ConditionTrue {
		t.Error("the stored status was changed")
	}
}
