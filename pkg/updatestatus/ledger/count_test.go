package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

// TestCount: a source counts once it has been complete, with a number of every type.
func TestCount(t *testing.T) {
	reported := ledger.New()
	send := func(source insight.Source, isComplete bool, kinds ...updatev1alpha1.InsightType) {
		report := insight.Report{Subject: insight.Subject{Kind: "Any", Name: "any"}}
		for _, kind := range kinds {
			report.Insights = append(report.Insights, insight.ScopedInsight{Unfinished: true, Insight: updatev1alpha1.Insight{Type: kind}})
		}
		reported.Apply(insight.Message{Source: source, Reports: []insight.Report{report}, State: &insight.State{Complete: isComplete}})
	}
	send(insight.ControlPlaneInformer, false, updatev1alpha1.InsightClusterVersion)
	send(insight.NodeInformer, true, updatev1alpha1.InsightNode, updatev1alpha1.InsightHealth, updatev1alpha1.InsightNode)
	want := ledger.Counts{insight.NodeInformer: {
		updatev1alpha1.InsightClusterVersion: 0, updatev1alpha1.InsightClusterOperator: 0, updatev1alpha1.InsightMachineConfigPool: 0,
		updatev1alpha1.InsightNode: 2, updatev1alpha1.InsightHealth: 1,
	}}
	if diff := cmp.Diff(want, reported.View().Count()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
