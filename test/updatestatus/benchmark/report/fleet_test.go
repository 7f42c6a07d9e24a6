package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openshift/cluster-version-operator/test/updatestatus/benchmark/report"
)

// TestFleet: figures are those of one controller in five minutes and of a fleet, and missed bounds are counted.
func TestFleet(t *testing.T) {
	fleet := report.Fleet{
		Cores: 2, Go: "go1.26", Controllers: 20, Components: 40, Nodes: 100, Seconds: 600,
		Confirmed: 20 * 2 * 1024, Leases: 20 * 2 * 512, Others: 20 * 2 * 256, ServerCPU: 2.08, BaselineCPU: 1, ControllerCPU: 12, PeakMemory: 64 << 20,
		Stored: 1000, ClientSeconds: 1.5, ClientMemory: 101 << 20,
	}
	var text strings.Builder
	missed, err := fleet.Write(&text)
	if err != nil || missed != 1 {
		t.Errorf("%d bounds are missed, error %v", missed, err)
	}
	_, table, _ := strings.Cut(text.String(), "|---|---:|\n")
	const want = `| written by a controller in five idle minutes, without its lease | 1.2 KiB (≤ 2.0 KiB) |
| – of that, its summary | 1.0 KiB |
| written by it to its lease | 0.5 KiB |
| CPU of the API server for 1000 controllers, share of a core | 9.0 % (≤ 10.0 %) |
| CPU of a controller, share of a core | 0.1 % |
| peak memory of a controller | 64.0 MiB |
| ` + "`--hosted-clusters`" + ` with 1000 hosted clusters | 1.5s (≤ 2s) |
| – its peak memory | **101.0 MiB, missed: ≤ 100.0 MiB** |
`
	if diff := cmp.Diff(want, table); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
