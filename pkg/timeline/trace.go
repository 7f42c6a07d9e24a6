package timeline

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
)

// This file writes the Trace Event Format, the JSON that Perfetto and the trace viewer of Chrome open
// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).

// traceEvent is an event of a trace. A process is a group of lanes, a thread is a lane.
type traceEvent struct {
	Name string `json:"name"`
	// Category is what one can filter by.
	Category string `json:"cat,omitempty"`
	// Phase is the type of the event: X has a duration, i is a moment, M names a lane, C counts.
	Phase   string `json:"ph"`
	Process int    `json:"pid"`
	Thread  int    `json:"tid"`
	// Time and Duration are in microseconds, the time since 1970.
	Time     int64  `json:"ts"`
	Duration *int64 `json:"dur,omitempty"`
	// Scope is that of a moment: t is its thread.
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// trace collects the events.
type trace struct {
	*Timeline

	events  []traceEvent
	process int
	thread  int
}

// WriteTrace writes the timeline as a trace: a group of lanes each for the control plane, the operators, each pool with its nodes,
// the health insights, and what was not observed. The name is that of the whole.
func (t *Timeline) WriteTrace(w io.Writer, name string) error {
	tr := &trace{Timeline: t}
	tr.group("control plane")
	tr.lane(t.ControlPlane, "control-plane", nil)
	tr.group("operators")
	for _, operator := range t.Operators {
		tr.lane(operator, "operator", nil)
	}
	for _, pool := range t.Pools {
		tr.pool(pool)
	}
	tr.group("health")
	for _, episode := range t.Episodes {
		tr.lane(episode.Lane, "health", map[string]any{"level": episode.Level})
	}
	tr.group("not observed")
	tr.named("gaps")
	for _, gap := range t.Gaps {
		tr.span("not observed", "gap", gap, nil)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(map[string]any{
		"displayTimeUnit": "ms", "traceEvents": tr.events, "otherData": map[string]any{"name": name, "version": "1"},
	})
	if err != nil {
		return fmt.Errorf("writing the trace: %w", err)
	}
	return nil
}

func (tr *trace) group(name string) {
	tr.process++
	tr.thread = 0
	tr.events = append(tr.events,
		traceEvent{Name: "process_name", Phase: "M", Process: tr.process, Args: map[string]any{"name": name}},
		traceEvent{Name: "process_sort_index", Phase: "M", Process: tr.process, Args: map[string]any{"sort_index": tr.process}})
}

func (tr *trace) named(name string) {
	tr.thread++
	tr.events = append(tr.events,
		traceEvent{Name: "thread_name", Phase: "M", Process: tr.process, Thread: tr.thread, Args: map[string]any{"name": name}},
		traceEvent{Name: "thread_sort_index", Phase: "M", Process: tr.process, Thread: tr.thread, Args: map[string]any{"sort_index": tr.thread}})
}

func (tr *trace) span(name, category string, span Span, args map[string]any) {
	duration := span.Length().Microseconds()
	tr.events = append(tr.events, traceEvent{
		Name: name, Category: category, Phase: "X", Process: tr.process, Thread: tr.thread,
		Time: span.From.UnixMicro(), Duration: &duration, Args: args,
	})
}

// endText is what is known about an end, for the details of a span.
var endText = map[End]string{
	EndKnown: "observed", EndBy: "at this time or before", EndOpen: "in progress", EndNever: "not before the end of the update",
}

func (tr *trace) lane(lane Lane, category string, details map[string]any) {
	tr.named(lane.Name)
	for _, bar := range lane.Bars {
		args := map[string]any{"end": endText[bar.End]}
		maps.Copy(args, details)
		name := lane.Name
		if bar.Phase != "" {
			name = string(bar.Phase)
		}
		if bar.StartUnknown {
			args["start"] = "not known"
			tr.events = append(tr.events, traceEvent{
				Name: name + " ended", Category: category, Phase: "i", Process: tr.process, Thread: tr.thread,
				Time: bar.To.UnixMicro(), Scope: "t", Args: args,
			})
			continue
		}
		tr.span(name, category, bar.Span, args)
	}
}

func (tr *trace) pool(pool Pool) {
	tr.group("pool " + pool.Name)
	tr.lane(pool.Lane, "pool", map[string]any{"nodes": pool.Size})
	for _, counts := range pool.Progress {
		tr.events = append(tr.events, traceEvent{
			Name: "nodes", Category: "pool", Phase: "C", Process: tr.process, Time: counts.At.UnixMicro(),
			Args: map[string]any{"draining": counts.Draining, "updating": counts.Updating, "rebooting": counts.Rebooting, "completed": counts.Completed},
		})
	}
	for _, node := range pool.Nodes {
		tr.lane(node, "node", nil)
	}
}
