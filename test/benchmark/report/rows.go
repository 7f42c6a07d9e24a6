package report

import (
	"fmt"
	"math"
	"time"
)

// row is a line of the table.
type row struct {
	name string
	// format makes the text of a value.
	format func(float64) string
	value  func(Run) float64
	// bound returns the most that the value may be, and whether there is a bound for such a cluster; nil if there is none.
	bound func(Run) (float64, bool)
}

// rows are all lines of the table, in their order.
func rows() []row {
	return []row{
		{"cold start until the object is complete", seconds, func(r Run) float64 { return r.ColdStart }, upTo(500, 1.5, 2000, 4, 5000, 10)},
		{"all right after the last change", settled, Run.settled, upTo(2000, 5, 5000, 10)},
		{"nodes, operators and pools that are wrong then", number, func(r Run) float64 { return float64(r.End.Wrong()) }, always(0)},
		{"left out of the object then", number, func(r Run) float64 { return float64(r.End.LeftOut()) }, nil},

		{"transitions of nodes", number, func(r Run) float64 { return float64(r.Hard.Nodes.Transitions) }, nil},
		{"… a second", rate, func(r Run) float64 { return float64(r.Hard.Nodes.Transitions) / r.Hard.Seconds }, nil},
		{"… of which seen", number, func(r Run) float64 { return float64(r.Hard.Nodes.Seen) }, nil},
		{"… changed again before", number, func(r Run) float64 { return float64(r.Hard.Nodes.Overtaken) }, nil},
		{"… without room in the object", number, func(r Run) float64 { return float64(r.Hard.Nodes.LeftOut) }, nil},
		{"… never seen", number, func(r Run) float64 { return float64(r.Hard.Nodes.Missing) }, always(0)},
		{"lag of nodes, p50", seconds, func(r Run) float64 { return r.Hard.Nodes.P50 }, nil},
		{"lag of nodes, p95", seconds, func(r Run) float64 { return r.Hard.Nodes.P95 }, nil},
		{"lag of nodes, p99", seconds, func(r Run) float64 { return r.Hard.Nodes.P99 }, upTo(60, 0.5, 500, 2.5, 5000, 6)},
		{"lag of nodes, max", seconds, func(r Run) float64 { return r.Hard.Nodes.Max }, nil},
		{"lag of operators, p99", seconds, func(r Run) float64 { return r.Hard.Operators.P99 }, nil},
		{"lag of the oldest report in a write, p99 at most", seconds, func(r Run) float64 { return r.Hard.Collected.P99 }, nil},
		{"a write of the status takes, p50 at most", seconds, func(r Run) float64 { return r.Hard.Took.P50 }, nil},
		{"a write of the status takes, p99 at most", seconds, func(r Run) float64 { return r.Hard.Took.P99 }, nil},
		{"writes of the replay came late by up to", late, func(r Run) float64 { return r.Hard.Behind }, nil},
		{"changes singly", number, func(r Run) float64 { return float64(r.Singly.Nodes.Transitions) }, nil},
		{"changes singly: lag, p50", seconds, func(r Run) float64 { return r.Singly.Nodes.P50 }, nil},
		{"changes singly: lag, p99", seconds, func(r Run) float64 { return r.Singly.Nodes.P99 }, upTo(250, 0.3, 5000, 1.2)},
		{"changes singly: lag, max", seconds, func(r Run) float64 { return r.Singly.Nodes.Max }, nil},
		{"changes singly: never seen", number, func(r Run) float64 { return float64(r.Singly.Nodes.Missing) }, always(0)},

		{"status writes, whole update", number, func(r Run) float64 { return float64(r.Update.Writes) }, at(500, 250)},
		{"… of which failed", number, func(r Run) float64 { return float64(r.Update.FailedWrites) }, nil},
		{"bytes of status written, whole update", bytes, func(r Run) float64 { return float64(r.Update.WrittenBytes) }, nil},
		{"bytes read, whole update", bytes, func(r Run) float64 { return float64(r.Update.Read) }, nil},
		{"requests, whole update", number, func(r Run) float64 { return float64(r.Update.Requests) }, nil},
		{"size of the object", bytes, func(r Run) float64 { return float64(r.Object.Bytes) }, always(1<<20 - 1)},
		{"… without managedFields", bytes, func(r Run) float64 { return float64(r.Object.BareBytes) }, nil},

		{"CPU of the controller, whole update", seconds, func(r Run) float64 { return r.Update.ControllerCPU }, at(500, 4, 2000, 15)},
		{"CPU of the controller, cold start", seconds, func(r Run) float64 { return r.Cold.ControllerCPU }, nil},
		{"CPU of kube-apiserver beyond the replay, whole update", seconds, func(r Run) float64 { return r.Update.ServerCPUBeyond() }, serverCPUBound},
		{"… for each KiB of status written", milliseconds, func(r Run) float64 { return r.Update.perKiB(r.Update.ServerCPUBeyond()) }, nil},
		{"… with which the bound would be met", milliseconds, metWith, nil},
		{"CPU of kube-apiserver for the replay alone", seconds, func(r Run) float64 { return r.Update.replayAlone() }, nil},
		{"peak memory of the controller", bytes, func(r Run) float64 { return float64(r.PeakMemory) }, upTo(500, 90<<20, 2000, 140<<20, 5000, 250<<20)},

		{"a minute of heartbeats: status writes", number, func(r Run) float64 { return float64(r.Idle.Writes + r.Idle.FailedWrites) }, always(0)},
		{"a minute of heartbeats: requests", number, func(r Run) float64 { return float64(r.Idle.Requests) }, nil},
		{"a minute of heartbeats: CPU of the controller", seconds, func(r Run) float64 { return r.Idle.ControllerCPU }, nil},
		{"a minute of heartbeats: bytes read", bytes, func(r Run) float64 { return float64(r.Idle.Read) }, nil},

		{"payload of all MachineConfigs", bytes, func(r Run) float64 { return float64(r.Payloads) }, nil},
		{"bytes read at the cold start", bytes, func(r Run) float64 { return float64(r.Cold.Read) }, nil},

		{"a call of the client", seconds, func(r Run) float64 { return r.Client.Seconds }, always(0.2)},
		{"… requests", number, func(r Run) float64 { return float64(r.Client.Requests) }, always(1)},
		{"… bytes read", bytes, func(r Run) float64 { return float64(r.Client.Read) }, nil},

		{"CPU time that the machine's host gave to others, whole update", seconds, func(r Run) float64 { return r.Update.stolen() }, nil},
		{"load of the machine before", rate, func(r Run) float64 { return r.Load }, nil},
	}
}

// serverCPUBound is the most CPU time that kube-apiserver may need beyond the replay, in seconds.
var serverCPUBound = at(500, 15, 2000, 40)

// metWith is serverCPUBound for each KiB that was written, in seconds: what a machine must be capable of for the bound to be
// met with these writes. No number if there is no bound.
func metWith(r Run) float64 {
	most, bounded := serverCPUBound(r)
	if !bounded {
		return math.NaN()
	}
	return r.Update.perKiB(most)
}

// always is a bound for every cluster.
func always(most float64) func(Run) (float64, bool) {
	return func(Run) (float64, bool) { return most, true }
}

// upTo are bounds by the number of nodes: pairs of a number and the bound of clusters of up to so many.
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

// at are bounds of plain clusters of just so many nodes: what a whole update costs grows with it.
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

const plain = "plain"

func number(value float64) string {
	return fmt.Sprintf("%.0f", value)
}

func rate(value float64) string {
	return fmt.Sprintf("%.1f", value)
}

func seconds(value float64) string {
	of := time.Duration(value * float64(time.Second))
	if of < time.Second {
		return of.Round(time.Millisecond).String()
	}
	return of.Round(10 * time.Millisecond).String()
}

func milliseconds(value float64) string {
	return fmt.Sprintf("%.2fms", value*1000)
}

// lateness is how late the writes of a replay may come: beyond it the machine was too slow, and the controller with it.
const lateness = 2

func late(value float64) string {
	if value > lateness {
		return fmt.Sprintf("**%s: the machine was too slow or too busy for this replay**", seconds(value))
	}
	return seconds(value)
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

// unknown is the text of what was not measured.
const unknown = "–"

// cell returns the text of a value, with its bound, and whether the bound is kept.
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
