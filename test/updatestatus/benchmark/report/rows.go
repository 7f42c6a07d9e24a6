package report

import (
	"fmt"
	"math"
	"time"
)

// row is a line of the table.
type row struct {
	name string
	// format returns the text of a value.
	format func(float64) string
	value  func(Run) float64
	// bound returns the upper bound of the value, and whether such a cluster has one; nil if none has.
	bound func(Run) (float64, bool)
}

// rows returns the lines of the table in their order. The JSON files have more.
func rows() []row {
	return []row{
		{"cold start until the object is complete", seconds, func(r Run) float64 { return r.ColdStart }, upTo(500, 1.5, 2000, 4, 5000, 10)},
		{"everything right after the last change", settled, Run.settled, upTo(500, 15, 5000, 30)},
		{"wrong at the end, or never shown", number, Run.wrong, always(0)},
		{"lag of nodes, p99", seconds, func(r Run) float64 { return r.Hard.Nodes.p99() }, nil},
		{"lag of the summary, p99", seconds, func(r Run) float64 { return r.Hard.Summary.p99() }, upTo(500, 1.5, 5000, 2.5)},
		{"lag of single changes, p99", seconds, func(r Run) float64 { return r.Singly.Nodes.p99() }, upTo(250, 0.3, 5000, 1.2)},
		{"status writes in the update", number, func(r Run) float64 { return float64(r.Update.Writes) }, at(500, 250)},
		{"bytes of status written in the update", bytes, func(r Run) float64 { return float64(r.Update.WrittenBytes) }, nil},
		{"size of the object", bytes, func(r Run) float64 { return float64(r.ObjectBytes) }, always(1<<20 - 1)},
		{"CPU of the controller in a minute of heartbeats", seconds, func(r Run) float64 { return r.Idle.ControllerCPU }, nil},
		{"CPU of the controller in the update", seconds, func(r Run) float64 { return r.Update.ControllerCPU }, at(2000, 12)},
		{"CPU of kube-apiserver beyond the replay", seconds, func(r Run) float64 { return r.Update.ServerCPUBeyond() }, at(500, 15, 2000, 40)},
		{"peak memory of the controller", bytes, func(r Run) float64 { return float64(r.PeakMemory) }, nil},
		{"status writes in a minute of heartbeats", number, func(r Run) float64 { return float64(r.Idle.Writes + r.Idle.FailedWrites) }, always(0)},
		{"a call of the client", seconds, func(r Run) float64 { return r.ClientSeconds }, always(0.2)},
	}
}

// always is a bound for every cluster.
func always(most float64) func(Run) (float64, bool) {
	return func(Run) (float64, bool) { return most, true }
}

// upTo returns bounds by the number of nodes: pairs of a number and the bound of clusters of up to so many.
func upTo(pairs ...float64) func(Run) (float64, bool) {
	return func(r Run) (float64, bool) {
		for next := 0; next < len(pairs); next += 2 {
			if float64(r.Nodes) <= pairs[next] {
				return pairs[next+1], true
			}
		}
		return 0, false
	}
}

// at returns bounds of plain clusters of exactly so many nodes: the cost of a whole update grows with them.
func at(pairs ...float64) func(Run) (float64, bool) {
	return func(r Run) (float64, bool) {
		for next := 0; next < len(pairs); next += 2 {
			if float64(r.Nodes) == pairs[next] && r.Shape == plain {
				return pairs[next+1], true
			}
		}
		return 0, false
	}
}

const (
	plain    = "plain"
	realPace = "real"
)

// realRows returns the lines of the table of updates at the pace of real ones.
func realRows() []row {
	return []row{
		{"kube-apiserver beyond the replay, share of a core", percent, func(r Run) float64 { return r.Update.ServerShare() }, always(0.04)},
		{"controller, share of a core", percent, func(r Run) float64 { return r.Update.ControllerCPU / r.Update.Seconds }, upTo(2000, 0.05)},
		{"UpdateStatus written a second", bytes, func(r Run) float64 { return r.Update.WrittenASecond() }, always(36 << 10)},
		{"received a second by a watcher of UpdateStatus", bytes, func(r Run) float64 { return float64(r.Watched.Status) / r.Update.Seconds }, nil},
		{"received a second by a watcher of the summary", bytes, func(r Run) float64 { return float64(r.Watched.Summary) / r.Update.Seconds }, nil},
		{"lag of the summary, p99", seconds, func(r Run) float64 { return r.Hard.Summary.p99() }, always(0.5)},
		{"lag of urgent changes, p99", seconds, func(r Run) float64 { return r.Hard.Urgent.p99() }, always(2)},
		{"lag of nodes, p99", seconds, func(r Run) float64 { return r.Hard.Nodes.p99() }, upTo(250, 10, 500, 14, 5000, 25)},
		{"changes of nodes", number, func(r Run) float64 { return float64(r.Hard.Nodes.Transitions) }, nil},
		{"urgent changes", number, func(r Run) float64 { return float64(r.Hard.Urgent.Transitions) }, nil},
		{"wrong at the end", number, func(r Run) float64 { return float64(r.Wrong) }, always(0)},
		{"size of the object", bytes, func(r Run) float64 { return float64(r.ObjectBytes) }, nil},
	}
}

func percent(value float64) string {
	return fmt.Sprintf("%.1f %%", 100*value)
}

func number(value float64) string {
	return fmt.Sprintf("%.0f", value)
}

func seconds(value float64) string {
	of := time.Duration(value * float64(time.Second))
	if of < time.Second {
		return of.Round(time.Millisecond).String()
	}
	return of.Round(10 * time.Millisecond).String()
}

func settled(value float64) string {
	if math.IsInf(value, 0) {
		return "never"
	}
	return seconds(value)
}

func bytes(value float64) string {
	switch {
	case value < 1<<10:
		return fmt.Sprintf("%.0f B", value)
	case value < 1<<20:
		return fmt.Sprintf("%.0f KiB", value/(1<<10))
	default:
		return fmt.Sprintf("%.1f MiB", value/(1<<20))
	}
}

// unknown is the text of a value that was not measured.
const unknown = "–"

// cell returns the text of a value, with its bound, and whether that is met.
func (r row) cell(run Run) (string, bool) {
	value := r.value(run)
	if math.IsNaN(value) {
		return unknown, true
	}
	text := r.format(value)
	if r.bound == nil {
		return text, true
	}
	most, bounded := r.bound(run)
	switch {
	case !bounded:
		return text, true
	case value > most:
		return fmt.Sprintf("**%s, missed: ≤ %s**", text, r.format(most)), false
	default:
		return fmt.Sprintf("%s (≤ %s)", text, r.format(most)), true
	}
}
