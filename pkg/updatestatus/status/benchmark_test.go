package status_test

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// BenchmarkBuildFirst is the first status after a start.
func BenchmarkBuildFirst(b *testing.B) {
	o := builders.Observe(builders.Large())
	b.ReportAllocs()
	for b.Loop() {
		o.Builder = status.NewBuilder()
		o.Build(1)
	}
}

// BenchmarkBuildNext is every further one, when one node of many has changed.
func BenchmarkBuildNext(b *testing.B) {
	o := builders.Observe(builders.Large())
	reports := [2]insight.Report{}
	for at, phase := range []byte("ud") {
		of := builders.Large()
		of.Nodes[0] = phase
		other := builders.Observe(of)
		reports[at] = insight.Report{Subject: insight.Subject{Kind: "Node", Name: of.Name + "-0000"}}
		for _, placed := range other.Ledger.View()[insight.NodeInformer].Insights {
			if placed.Insight.UID == insight.UID("node", reports[at].Subject.Name) {
				reports[at].Insights = append(reports[at].Insights, *placed)
			}
		}
	}
	at := 0
	b.ReportAllocs()
	for b.Loop() {
		at = 1 - at
		o.Ledger.Apply(insight.Message{Source: insight.NodeInformer, Reports: reports[at : at+1]})
		o.Build(1)
	}
}

// BenchmarkEvents reads and compares two statuses, as every write does.
func BenchmarkEvents(b *testing.B) {
	o := builders.Observe(builders.Large())
	events := update.NewEventState(update.Read(o.Complete), after(0))
	b.ReportAllocs()
	for b.Loop() {
		events.Next(update.Read(o.Complete))
	}
}
