package status_test

import (
	"testing"

	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/pkg/status"
	"github.com/openshift/cluster-version-operator/test/builders"
)

// BenchmarkBuildFirst is the first status after a start.
func BenchmarkBuildFirst(b *testing.B) {
	l := lookAt(builders.Large())
	b.ReportAllocs()
	for b.Loop() {
		l.build(nil, nil, 1)
	}
}

// BenchmarkBuildNext is every further one, when one node of many has changed.
func BenchmarkBuildNext(b *testing.B) {
	l := lookAt(builders.Large())
	reports := [2]insight.Report{}
	for at, phase := range []byte("ud") {
		of := builders.Large()
		of.Nodes[0] = phase
		other := lookAt(of)
		reports[at] = insight.Report{Subject: insight.Subject{Kind: "Node", Name: of.Name + "-0000"}}
		for _, placed := range other.ledger.View()[insight.NodeInformer].Insights {
			if placed.Insight.UID == insight.UID("node", reports[at].Subject.Name) {
				reports[at].Insights = append(reports[at].Insights, *placed)
			}
		}
	}
	at := 0
	b.ReportAllocs()
	for b.Loop() {
		at = 1 - at
		l.ledger.Apply(insight.Message{Source: insight.NodeInformer, Reports: reports[at : at+1]})
		l.made = l.build(&l.made, l.memory, 1)
	}
}

// BenchmarkAnnounce compares two statuses, as every write does.
func BenchmarkAnnounce(b *testing.B) {
	l := lookAt(builders.Large())
	announced := status.NewAnnounced(&l.made)
	b.ReportAllocs()
	for b.Loop() {
		announced.Take(&l.made, l.memory.Reports)
	}
}
