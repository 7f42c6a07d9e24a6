package main

import (
	"strings"
	"testing"
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
`

func TestParse(t *testing.T) {
	got, err := parse(strings.NewReader(metricsText))
	if err != nil {
		t.Fatal(err)
	}
	if want := (counters{requests: 23, writes: 7, failedWrites: 3, writtenBytes: 4096}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if _, err := parse(strings.NewReader("no metrics\n")); err == nil {
		t.Error("invalid metrics are accepted")
	}
}
