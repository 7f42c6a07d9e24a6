package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
)

const metricsText = `# TYPE rest_client_requests_total counter
rest_client_requests_total{code="200",host="a",method="GET"} 20
rest_client_requests_total{code="409",host="a",method="PUT"} 3
# TYPE update_status_writes_total counter
update_status_writes_total{result="success"} 7
update_status_writes_total{result="conflict"} 2
update_status_writes_total{result="error"} 1
# TYPE update_status_written_bytes_total counter
update_status_written_bytes_total 4096
# TYPE update_status_write_lag_seconds histogram
update_status_write_lag_seconds_bucket{le="0.1"} 90
update_status_write_lag_seconds_bucket{le="0.5"} 98
update_status_write_lag_seconds_bucket{le="1"} 100
update_status_write_lag_seconds_bucket{le="+Inf"} 100
update_status_write_lag_seconds_sum 12
update_status_write_lag_seconds_count 100
`

func TestRead(t *testing.T) {
	got, err := parse(strings.NewReader(metricsText))
	if err != nil {
		t.Fatal(err)
	}
	if got.requests != 23 || got.writes != 7 || got.failedWrites != 3 || got.writtenBytes != 4096 {
		t.Errorf("got %+v", got)
	}
	if _, err := parse(strings.NewReader("no metrics\n")); err == nil {
		t.Error("something else than metrics was read")
	}
}

func TestObserved(t *testing.T) {
	after, err := parse(strings.NewReader(metricsText))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		before map[float64]int
		want   report.Lag
	}{
		{"all", nil, report.Lag{Transitions: 100, Seen: 100, P50: 0.1, P95: 0.5, P99: 1, Max: 1}},
		{"but those before", map[float64]int{0.1: 90, 0.5: 4}, report.Lag{Transitions: 6, Seen: 6, P50: 0.5, P95: 1, P99: 1, Max: 1}},
		{"none", after.lag, report.Lag{}},
	} {
		if diff := cmp.Diff(tc.want, observed(tc.before, after.lag)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}
