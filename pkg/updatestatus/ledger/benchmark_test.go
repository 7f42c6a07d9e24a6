package ledger_test

import (
	"testing"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

var now = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func messages() []insight.Message {
	large := builders.Large()
	return standalone.Assess(large.Cluster(now), now)
}

// BenchmarkApplyAll applies all reports again, of which none is new.
func BenchmarkApplyAll(b *testing.B) {
	entries := ledger.New()
	for _, message := range messages() {
		entries.Apply(message)
	}
	again := messages()
	b.ReportAllocs()
	for b.Loop() {
		for _, message := range again {
			entries.Apply(message)
		}
	}
}

func BenchmarkView(b *testing.B) {
	entries := ledger.New()
	for _, message := range messages() {
		entries.Apply(message)
	}
	b.ReportAllocs()
	for b.Loop() {
		entries.View()
	}
}
