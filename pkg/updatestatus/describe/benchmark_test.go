package describe_test

import (
	"io"
	"testing"
	"time"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/assess/standalone"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/ledger"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/status"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/builders"
)

// BenchmarkWrite writes the complete status of a large cluster, as from its files.
func BenchmarkWrite(b *testing.B) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	large := builders.Large()
	reports := ledger.New()
	for _, message := range standalone.Assess(large.Cluster(now), now) {
		reports.Apply(message)
	}
	us := &updatev1alpha1.UpdateStatus{Status: status.Build(status.Input{Ledger: reports.View(), Now: now})}
	for _, details := range []describe.Details{describe.DetailsNone, describe.DetailsAll} {
		b.Run(string(details), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := describe.Write(io.Discard, update.ReadAt(&us.Status, now), describe.Options{Now: now, Details: details}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
