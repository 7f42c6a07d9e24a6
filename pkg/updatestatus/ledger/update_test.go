package ledger_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// TestUpdate applies messages as the sources assess them, one after the other.
func TestUpdate(t *testing.T) {
	const target = "4.20.2"
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	controlPlane := func(version *configv1.ClusterVersion) insight.Message {
		report := standalone.ClusterVersion(standalone.ClusterVersionInput{
			ClusterVersion: version, ClusterOperators: []*configv1.ClusterOperator{builders.ClusterOperator("etcd")},
		}, start).Report
		return insight.Message{
			Source: insight.ControlPlaneInformer, State: &insight.State{Complete: true}, Reports: []insight.Report{report},
		}
	}
	progressing := func(status configv1.ConditionStatus) builders.ClusterVersionOption {
		return builders.VersionCondition(builders.Condition(configv1.OperatorProgressing, status, start, "", ""))
	}
	pool := func(name string, nodes ...insight.NodeState) insight.Message {
		return insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{standalone.MachineConfigPool(standalone.MachineConfigPoolInput{
			Pool: builders.MachineConfigPool(name), Nodes: insight.CountNodes(nodes...), Target: standalone.Target{Known: true, Version: target},
		}, start).Report}}
	}
	nodes := func(state insight.State) insight.Message {
		return insight.Message{Source: insight.NodeInformer, State: &state}
	}
	completed := insight.NodeState{Phase: insight.PhaseCompleted, Available: true, VersionKnown: true}
	pending := insight.NodeState{Phase: insight.PhasePending, Available: true, VersionKnown: true}
	joining := insight.NodeState{Phase: insight.PhasePending}

	reported := ledger.New()
	for _, step := range []struct {
		name    string
		message insight.Message
		want    ledger.Update
	}{
		{
			name:    "alerts do not count",
			message: insight.Message{Source: insight.AlertInformer, State: &insight.State{Complete: true}},
			want:    ledger.Update{Unfinished: true},
		},
		{
			name:    "control plane updating",
			message: controlPlane(builders.ClusterVersion(builders.Partial(target, start), progressing(configv1.ConditionTrue))),
			want:    ledger.Update{Unfinished: true, Started: start},
		},
		{
			name:    "nodes can not be listed",
			message: nodes(insight.State{Reason: "CannotListNodes"}),
			want:    ledger.Update{Unfinished: true, Started: start},
		},
		{
			name:    "worker pool updating as well",
			message: pool("worker", completed, pending),
			want:    ledger.Update{Unfinished: true, Started: start},
		},
		{
			name:    "control plane completed",
			message: controlPlane(builders.ClusterVersion(builders.Completed(target, start, start), progressing(configv1.ConditionFalse))),
			want:    ledger.Update{Unfinished: true, Started: start},
		},
		{
			name:    "all nodes reported",
			message: nodes(insight.State{Complete: true}),
			want:    ledger.Update{Known: true, Unfinished: true, Started: start},
		},
		{
			name:    "a source stays known when its watches fail",
			message: nodes(insight.State{}),
			want:    ledger.Update{Known: true, Unfinished: true, Started: start},
		},
		{
			name:    "worker pool completed",
			message: pool("worker", completed, completed),
			want:    ledger.Update{Known: true, Started: start},
		},
		{
			name:    "a node joins the pool",
			message: pool("worker", completed, joining),
			want:    ledger.Update{Known: true, Started: start},
		},
		{
			name:    "only new nodes in the pool",
			message: pool("worker", joining),
			want:    ledger.Update{Known: true, Started: start},
		},
		{
			name:    "a pool of the control plane is pending",
			message: pool("master", completed, pending),
			want:    ledger.Update{Known: true, Unfinished: true, Started: start},
		},
		{
			name:    "the pool of the control plane is completed",
			message: pool("master", completed, completed),
			want:    ledger.Update{Known: true, Started: start},
		},
		{
			name:    "worker pool updating again",
			message: pool("worker", completed, pending),
			want:    ledger.Update{Known: true, Unfinished: true, Started: start},
		},
		{
			name: "worker pool deleted",
			message: insight.Message{
				Source: insight.NodeInformer, Reports: []insight.Report{{Subject: standalone.MachineConfigPoolSubject("worker")}},
			},
			want: ledger.Update{Known: true, Started: start},
		},
		{
			name:    "ClusterVersion deleted",
			message: controlPlane(nil),
			want:    ledger.Update{Known: true, Unfinished: true},
		},
	} {
		reported.Apply(step.message)
		if diff := cmp.Diff(step.want, reported.View().Update()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

// TestUpdateWithoutStart checks a ClusterVersion without a history, beside an insight of another type.
func TestUpdateWithoutStart(t *testing.T) {
	updating := []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue}}
	reported := ledger.New()
	reported.Apply(insight.Message{Source: insight.ControlPlaneInformer, Reports: []insight.Report{{
		Subject: insight.Subject{Kind: "ClusterVersion", Name: "version"},
		Insights: []insight.ScopedInsight{
			{Insight: updatev1alpha1.Insight{UID: "health", Health: &updatev1alpha1.HealthInsight{}}},
			{Insight: updatev1alpha1.Insight{UID: "cv", ClusterVersion: &updatev1alpha1.ClusterVersionInsight{Conditions: updating}}},
		},
	}}})
	if got := reported.View().Update(); got != (ledger.Update{Unfinished: true}) {
		t.Errorf("%+v", got)
	}
}

// TestUpdateOfHostedCluster: the start is that of the HostedCluster, which is known until its report is withdrawn.
func TestUpdateOfHostedCluster(t *testing.T) {
	start := metav1.Unix(1700000000, 0)
	report := func(name string, insights ...insight.ScopedInsight) insight.Message {
		return insight.Message{Source: insight.ControlPlaneInformer, Reports: []insight.Report{{
			Subject: insight.Subject{Kind: "HostedCluster", Name: name}, Insights: insights,
		}}}
	}
	hosted := &updatev1alpha1.HostedClusterInsight{ClusterVersionInsight: updatev1alpha1.ClusterVersionInsight{
		StartedAt: &start, Conditions: []metav1.Condition{{Type: updatev1alpha1.ConditionUpdating, Status: metav1.ConditionTrue}},
	}}
	reported := ledger.New()
	for _, step := range []struct {
		name    string
		message insight.Message
		want    ledger.Update
	}{
		{"updating", report("demo", insight.ScopedInsight{Insight: updatev1alpha1.Insight{HostedCluster: hosted}}), ledger.Update{Unfinished: true, Started: start.Time}},
		{"another object is gone", report("other"), ledger.Update{Unfinished: true, Started: start.Time}},
		{"gone", report("demo"), ledger.Update{Unfinished: true}},
	} {
		reported.Apply(step.message)
		if diff := cmp.Diff(step.want, reported.View().Update()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}
