package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/benchmark/report"
)

func good(nodes int) report.Run {
	return report.Run{
		Shape: "plain", Nodes: nodes, Pools: 5, Operators: 33, Cores: 2, Go: "go1.26",
		ColdStart: 1.2, Settled: ptr.To(0.7), PeakMemory: 80 << 20,
		Hard: report.Replay{
			Seconds: 100, Nodes: report.Lag{Transitions: 3000, Seen: 3000, P99: 0.4},
			Summary: report.Lag{Transitions: 3000, P99: 0.2}, Urgent: report.Lag{Transitions: 9, P99: 0.3},
		},
		Singly: report.Replay{Nodes: report.Lag{Transitions: 10, P99: 0.1}},
		Update: report.Usage{Writes: 200, WrittenBytes: 10 << 20, ControllerCPU: 3, ServerCPU: 50, ServerCPUWithout: 38},
		Object: report.Object{Bytes: 500 << 10},
		Client: report.Client{Seconds: 0.1},
	}
}

// atRealPace makes a run one at the pace of real updates.
func atRealPace(run *report.Run) {
	run.Shape, run.Update.Seconds = "real", 900
}

// TestBounds sets one value after another beyond its bound.
func TestBounds(t *testing.T) {
	for _, tc := range []struct {
		name   string
		nodes  int
		change func(*report.Run)
		want   string
	}{
		{"nothing", 500, func(*report.Run) {}, ""},
		{"cold start", 500, func(r *report.Run) { r.ColdStart = 1.6 }, "**1.6s, missed: ≤ 1.5s**"},
		{"cold start of more", 2000, func(r *report.Run) { r.ColdStart = 1.6 }, ""},
		{"never right", 60, func(r *report.Run) { r.Settled = nil }, "**never, missed: ≤ 15s**"},
		{"right before the last change", 60, func(r *report.Run) { r.Settled = ptr.To(-0.7) }, "| everything right after the last change | 0s (≤ 15s) |"},
		{"late", 5000, func(r *report.Run) { r.Settled = ptr.To(30.1) }, "**30.1s, missed: ≤ 30s**"},
		{"one operator wrong", 6, func(r *report.Run) { r.End.Operators.Wrong = 1 }, "**1, missed: ≤ 0**"},
		{"lag of the summary", 500, func(r *report.Run) { r.Hard.Summary.P99 = 1.6 }, "**1.6s, missed: ≤ 1.5s**"},
		{"lag of the summary of more", 5000, func(r *report.Run) { r.Hard.Summary.P99 = 1.6 }, ""},
		{"real pace", 60, atRealPace, "| lag of nodes, p99 | 400ms (≤ 10s) |"},
		{"real pace, no urgent change", 60, func(r *report.Run) { atRealPace(r); r.Hard.Urgent = report.Lag{} }, "| lag of urgent changes, p99 | – |"},
		{"real pace, CPU of the server", 60, func(r *report.Run) { atRealPace(r); r.Update.ServerCPU = 146 }, "**12.0 %, missed: ≤ 4.0 %**"},
		{"real pace, CPU of the controller", 2000, func(r *report.Run) { atRealPace(r); r.Update.ControllerCPU = 46 }, "**5.1 %, missed: ≤ 5.0 %**"},
		{"real pace, CPU of the controller with more", 5000, func(r *report.Run) { atRealPace(r); r.Update.ControllerCPU = 46 }, "| controller, share of a core | 5.1 % |"},
		{"real pace, bytes", 60, func(r *report.Run) { atRealPace(r); r.Update.WrittenBytes = 40 << 20 }, "**46 KiB, missed: ≤ 36 KiB**"},
		{"real pace, urgent changes", 60, func(r *report.Run) { atRealPace(r); r.Hard.Urgent.P99 = 2.1 }, "**2.1s, missed: ≤ 2s**"},
		{"real pace, nodes", 2000, func(r *report.Run) { atRealPace(r); r.Hard.Nodes.P99 = 26 }, "**26s, missed: ≤ 25s**"},
		{"a single change unseen", 60, func(r *report.Run) { r.Singly.Nodes.Missing = 1 }, "**1, missed: ≤ 0**"},
		{"missing", 60, func(r *report.Run) { r.Hard.Nodes.Missing = 2 }, "**2, missed: ≤ 0**"},
		{"singly", 250, func(r *report.Run) { r.Singly.Nodes.P99 = 0.31 }, "**310ms, missed: ≤ 300ms**"},
		{"writes", 500, func(r *report.Run) { r.Update.Writes = 251 }, "**251, missed: ≤ 250**"},
		{"writes of others", 1000, func(r *report.Run) { r.Update.Writes = 251 }, ""},
		{"writes of another shape", 500, func(r *report.Run) { r.Update.Writes, r.Shape = 251, "one-pool" }, ""},
		{"size", 6, func(r *report.Run) { r.Object.Bytes = 1 << 20 }, "**1.0 MiB, missed: ≤ 1024 KiB**"},
		{"CPU of the server", 500, func(r *report.Run) { r.Update.ServerCPUWithout = 20 }, "**30s, missed: ≤ 15s**"},
		{"CPU of the server that is not known", 500, func(r *report.Run) { r.Update.ServerCPUWithout = 0 }, "| CPU of kube-apiserver beyond the replay | – |"},
		{"CPU of the controller", 2000, func(r *report.Run) { r.Update.ControllerCPU = 12.5 }, "**12.5s, missed: ≤ 12s**"},
		{"CPU of the controller with more", 5000, func(r *report.Run) { r.Update.ControllerCPU = 12.5 }, "| CPU of the controller in the update | 12.5s |"},
		{"idle", 6, func(r *report.Run) { r.Idle.FailedWrites = 1 }, "**1, missed: ≤ 0**"},
		{"client", 6, func(r *report.Run) { r.Client.Seconds = 0.25 }, "**250ms, missed: ≤ 200ms**"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			run := good(tc.nodes)
			tc.change(&run)
			var text strings.Builder
			missed, err := report.Document{Runs: []report.Run{run}}.Write(&text)
			if err != nil {
				t.Fatal(err)
			}
			if (missed > 0) != strings.Contains(tc.want, "missed") || missed > 1 || !strings.Contains(text.String(), tc.want) {
				t.Errorf("%d missed, wanted %q in\n%s", missed, tc.want, text.String())
			}
		})
	}
}

func TestSlowMachine(t *testing.T) {
	for behind, want := range map[float64]bool{1.9: false, 34: true} {
		run := good(500)
		run.Hard.Behind = behind
		var text strings.Builder
		missed, err := report.Document{Runs: []report.Run{run}}.Write(&text)
		if got := strings.Contains(text.String(), "plain with 500 nodes (34s)."); err != nil || missed != 0 || got != want {
			t.Errorf("behind by %v: %d missed, %v, in the text: %v\n%s", behind, missed, err, got, text.String())
		}
	}
}

func TestDocument(t *testing.T) {
	odd := good(503)
	odd.Shape, odd.Pools = "many-pools", 502
	var text strings.Builder
	_, err := report.Document{
		Runs: []report.Run{good(500), odd, good(60)}, Interval: "5s",
	}.Write(&text)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Measured by `make benchmark` on 2 cores, go1.26.\n",
		"\n| | 60 nodes | 500 nodes |\n|---|---:|---:|\n",
		"\n| | many-pools: 503 nodes, 502 pools, 33 operators |\n",
		"\n| status writes in the update | 200 | 200 (≤ 250) |\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("there is no %q in\n%s", want, text.String())
		}
	}
}

// TestRunRoundTrips reads a run back as it was written to its file.
func TestRunRoundTrips(t *testing.T) {
	content, err := json.Marshal(good(500))
	if err != nil {
		t.Fatal(err)
	}
	var read report.Run
	if err := json.Unmarshal(content, &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(good(500), read); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}
