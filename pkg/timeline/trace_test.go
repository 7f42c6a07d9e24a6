package timeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
)

// traceRecord is a record with everything that a trace shows in its own way.
func traceRecord() updatev1alpha1.UpdateRecordStatus {
	record := inProgress()
	record.ControlPlane = updatev1alpha1.RecordTimes{StartedAt: at(0), CompletedAt: at(30)}
	record.Operators = []updatev1alpha1.OperatorRecord{
		{Name: "etcd", RecordTimes: updatev1alpha1.RecordTimes{StartedAt: at(1), CompletedBy: at(9)}},
		{Name: "dns", RecordTimes: updatev1alpha1.RecordTimes{CompletedAt: at(12)}},
		{Name: "network"},
	}
	record.Pools = []updatev1alpha1.PoolRecord{{
		Name: "worker", Nodes: 300, RecordTimes: updatev1alpha1.RecordTimes{StartedAt: at(20)},
		Progress: []updatev1alpha1.PoolProgress{{At: *at(20), Draining: 1}, {At: *at(30), Updating: 2, Rebooting: 3, Completed: 4}},
	}}
	record.Nodes = []updatev1alpha1.NodeRecord{{Name: "a <b>", Pool: "worker", CompletedAt: at(33), Phases: []updatev1alpha1.NodePhase{
		{Phase: "Draining", StartedAt: *at(20)}, {Phase: "Rebooting", StartedAt: *at(25)},
	}}}
	record.Episodes = []updatev1alpha1.EpisodeRecord{{Level: "Error", Summary: "it fails", StartedAt: at(22), EndedAt: at(28)}}
	record.Gaps = []updatev1alpha1.RecordGap{{From: *at(5), To: *at(9)}}
	return record
}

func writeTrace(t *testing.T, record updatev1alpha1.UpdateRecordStatus) []map[string]any {
	t.Helper()
	var written bytes.Buffer
	if err := newTimeline(t, record, 60).WriteTrace(&written, "the update"); err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents     []map[string]any  `json:"traceEvents"`
		DisplayTimeUnit string            `json:"displayTimeUnit"`
		OtherData       map[string]string `json:"otherData"`
	}
	decoder := json.NewDecoder(&written)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&trace); err != nil {
		t.Fatal(err)
	}
	if trace.DisplayTimeUnit != "ms" || trace.OtherData["name"] != "the update" {
		t.Errorf("got %q, %v", trace.DisplayTimeUnit, trace.OtherData)
	}
	return trace.TraceEvents
}

// TestTrace checks the events of a trace, below the names of their groups and lanes.
func TestTrace(t *testing.T) {
	micros := float64(start.UnixMicro())
	var got []string
	for _, event := range writeTrace(t, traceRecord()) {
		args, _ := event["args"].(map[string]any)
		minute := func(of any) float64 { return of.(float64) / 60e6 }
		switch event["ph"] {
		case "M":
			if name, ok := args["name"]; ok {
				got = append(got, fmt.Sprintf("%v %v", event["name"], name))
			}
		case "X":
			event["ts"] = event["ts"].(float64) - micros
			got = append(got, fmt.Sprintf("  %v %v-%v %v", event["name"], minute(event["ts"]), minute(event["ts"])+minute(event["dur"]), args))
		case "i":
			got = append(got, fmt.Sprintf("  %v %v %v", event["name"], minute(event["ts"].(float64)-micros), args))
		case "C":
			got = append(got, fmt.Sprintf("  %v %v %v", event["name"], minute(event["ts"].(float64)-micros), args))
		}
	}
	want := []string{
		"process_name control plane", "thread_name control plane",
		"  control plane 0-30 map[end:observed]",
		"process_name operators", "thread_name etcd",
		"  etcd 1-9 map[end:at this time or before]",
		"thread_name dns", "  dns ended 12 map[end:observed start:not known]", "thread_name network",
		"process_name pool worker", "thread_name worker",
		"  worker 20-60 map[end:in progress nodes:300]",
		"  nodes 20 map[completed:0 draining:1 rebooting:0 updating:0]",
		"  nodes 30 map[completed:4 draining:0 rebooting:3 updating:2]",
		"thread_name a <b>", "  Draining 20-25 map[end:observed]", "  Rebooting 25-33 map[end:observed]",
		"process_name health", "thread_name it fails", "  it fails 22-28 map[end:observed level:Error]",
		"process_name not observed", "thread_name gaps", "  not observed 5-9 map[]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestTraceFormat checks that each event has the fields that the Trace Event Format requires of its type, and no others, that spans
// of a lane don't overlap, and that each is in a lane with a name.
func TestTraceFormat(t *testing.T) {
	required := map[string]string{
		"M": "args name ph pid tid ts", "X": "cat dur name ph pid tid ts", "i": "args cat name ph pid s tid ts", "C": "args cat name ph pid tid ts",
	}
	named, ends := map[string]bool{}, map[string]float64{}
	for _, event := range writeTrace(t, traceRecord()) {
		kind := event["ph"].(string)
		lane := fmt.Sprint(event["pid"], "/", event["tid"])
		if event["name"] == "thread_name" {
			named[lane] = true
		}
		if kind == "X" {
			delete(event, "args")
			if began := event["ts"].(float64); began < ends[lane] || event["dur"].(float64) < 0 {
				t.Errorf("%v overlaps the span before", event)
			} else {
				ends[lane] = began + event["dur"].(float64)
			}
		}
		if kind != "M" && kind != "C" && !named[lane] {
			t.Errorf("%v is in no lane with a name", event)
		}
		if fields := strings.Join(slices.Sorted(maps.Keys(event)), " "); fields != required[kind] {
			t.Errorf("an event of type %s has the fields %s, want %s", kind, fields, required[kind])
		}
	}
}
