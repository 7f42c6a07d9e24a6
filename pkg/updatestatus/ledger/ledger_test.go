package ledger_test

import (
	"testing"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
)

func report(name string, reasons ...string) insight.Report {
	made := insight.Report{Subject: insight.Subject{Kind: "ClusterOperator", Name: name}}
	for _, reason := range reasons {
		made.Insights = append(made.Insights, insight.ScopedInsight{Insight: updatev1alpha1.Insight{
			UID: name + reason, ClusterOperator: &updatev1alpha1.ClusterOperatorInsight{Name: name, Reason: reason},
		}})
	}
	return made
}

func TestApply(t *testing.T) {
	entries := ledger.New()
	for _, step := range []struct {
		name    string
		message insight.Message
		changed bool
		left    int
	}{
		{"first", insight.Message{Reports: []insight.Report{report("etcd", "one"), report("dns", "one", "two")}}, true, 3},
		{"repeated", insight.Message{Reports: []insight.Report{report("dns", "one", "two"), report("etcd", "one")}}, false, 3},
		{"one of two changes", insight.Message{Reports: []insight.Report{report("etcd", "one"), report("dns", "two")}}, true, 2},
		{"replaced", insight.Message{Reports: []insight.Report{report("etcd", "other")}}, true, 2},
		{"withdrawn", insight.Message{Reports: []insight.Report{report("etcd")}}, true, 1},
		{"withdrawn again", insight.Message{Reports: []insight.Report{report("etcd")}}, false, 1},
		{"nothing", insight.Message{}, false, 1},
		{"complete", insight.Message{State: &insight.State{Complete: true}}, true, 1},
		{"complete again", insight.Message{State: &insight.State{Complete: true}}, false, 1},
		{"unable to list", insight.Message{State: &insight.State{Reason: "CannotListNodes"}}, true, 1},
	} {
		step.message.Source = insight.NodeInformer
		if changed := entries.Apply(step.message); changed != step.changed {
			t.Errorf("%s: changed is %t", step.name, changed)
		}
		if left := len(entries.View()[insight.NodeInformer].Insights); left != step.left {
			t.Errorf("%s: %d insights left, want %d", step.name, left, step.left)
		}
	}
	view := entries.View()
	if source := view[insight.NodeInformer]; !source.Complete || source.State.Complete {
		t.Errorf("a source that has been complete stays so, also when it can not list: %+v", source)
	}
	if other := view[insight.ControlPlaneInformer]; other.Complete || other.State != nil {
		t.Errorf("a source without a report: %+v", other)
	}
}

func TestSourcesAreApart(t *testing.T) {
	entries := ledger.New()
	entries.Apply(insight.Message{Source: insight.NodeInformer, Reports: []insight.Report{report("a", "one")}})
	entries.Apply(insight.Message{Source: insight.ControlPlaneInformer, Reports: []insight.Report{report("a")}})
	if len(entries.View()[insight.NodeInformer].Insights) != 1 {
		t.Error("a source withdrew a report of another one")
	}
}

func TestAllReported(t *testing.T) {
	entries := ledger.New()
	for _, source := range insight.Watching() {
		if entries.View().AllReported() {
			t.Errorf("all sources have reported before %s", source)
		}
		entries.Apply(insight.Message{Source: source, State: &insight.State{Reason: "CannotListNodes"}})
	}
	if !entries.View().AllReported() {
		t.Error("every source has reported its state")
	}
}
