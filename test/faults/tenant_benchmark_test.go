package faults_test

import (
	"testing"

	"github.com/openshift/cluster-version-operator/test/faults"
)

// BenchmarkTenant measures what the attack of the scenario "tenant floods UpdateInformers" costs the built controller in a minute:
//
//	make build && KUBEBUILDER_ASSETS=$PWD/bin/control-plane go test ./test/faults -run '^$' -bench Tenant
func BenchmarkTenant(b *testing.B) {
	plane := pool.Take(b)
	for b.Loop() {
		without, with, err := faults.MeasureTenant(b.Context(), faults.Input{Plane: plane, Seed: 1, Length: length})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(without.CPU.Milliseconds()), "CPU-ms-without")
		b.ReportMetric(float64(with.CPU.Milliseconds()), "CPU-ms-attacked")
		b.ReportMetric(float64(without.Writes), "writes-without")
		b.ReportMetric(float64(with.Writes), "writes-attacked")
	}
}
