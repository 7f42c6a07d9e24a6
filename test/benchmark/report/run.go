package report

import (
	"math"
)

// Run is what was measured on one cluster. Times are in seconds, sizes in bytes.
type Run struct {
	Shape string `json:"shape"`
	Nodes int    `json:"nodes"`
	// Pools and Operators are the numbers of MachineConfigPools and of cluster operators of the payload.
	Pools     int `json:"pools"`
	Operators int `json:"operators"`
	// Payloads is the size of all MachineConfigs that were created before and in the update.
	Payloads int `json:"payloadBytes"`

	Cores int    `json:"cores"`
	Go    string `json:"go"`
	// Load is the average number of processes that ran or waited in the minute before.
	Load float64 `json:"loadBefore"`

	// ColdStart is the time from the start of the process until a complete version of the object was received.
	ColdStart float64 `json:"coldStartSeconds"`
	// Cold, Idle and Update are what the controller used: from its start until the object was complete, in a minute with
	// nothing but heartbeats, and from the first write of the update until everything was right.
	Cold   Usage `json:"cold"`
	Idle   Usage `json:"idle"`
	Update Usage `json:"update"`
	// PeakMemory is the peak of the controller's resident memory.
	PeakMemory int `json:"peakMemoryBytes"`

	Hard   Replay `json:"hardReplay"`
	Singly Replay `json:"changesSingly"`
	// Settled is the time from the last write of the update until a version was received in which everything is right, nil
	// if there was none. It is negative where that write changes nothing.
	Settled *float64 `json:"settledSeconds"`
	End     Verdict  `json:"end"`

	Object  Object  `json:"object"`
	Watched Watched `json:"watched"`
	Client  Client  `json:"client"`
}

// settled returns when everything was right after the last write, in seconds; infinite if it never was.
func (r Run) settled() float64 {
	if r.Settled == nil {
		return math.Inf(1)
	}
	return max(0, *r.Settled)
}

// Usage is what was used in a part of a run.
type Usage struct {
	Seconds float64 `json:"seconds"`
	// ControllerCPU is the CPU time of the controller.
	ControllerCPU float64 `json:"controllerCPUSeconds"`
	// ServerCPU is the CPU time of kube-apiserver, and ServerCPUWithout that in the same part of a run without the
	// controller. StoreCPU and StoreCPUWithout are those of etcd.
	ServerCPU        float64 `json:"serverCPUSeconds"`
	ServerCPUWithout float64 `json:"serverCPUSecondsWithoutController"`
	StoreCPU         float64 `json:"storeCPUSeconds"`
	StoreCPUWithout  float64 `json:"storeCPUSecondsWithoutController"`
	// StolenCPU is the CPU time that the host of the machine gave to others while there was work; nil if it was not read.
	StolenCPU *float64 `json:"stolenCPUSeconds,omitempty"`
	// Requests are those of the controller, Writes those to the status of UpdateStatus, WrittenBytes the size of the
	// objects in them.
	Requests     int `json:"requests"`
	Writes       int `json:"statusWrites"`
	FailedWrites int `json:"failedStatusWrites"`
	WrittenBytes int `json:"statusWrittenBytes"`
	// Read and Written are all that the process read and wrote, TLS included: nearly all of it from and to the API server.
	Read    int `json:"readBytes"`
	Written int `json:"writtenBytes"`
}

// ServerCPUBeyond returns the CPU time of kube-apiserver beyond that of the replay itself; NaN if that was not played.
func (u Usage) ServerCPUBeyond() float64 {
	if u.ServerCPUWithout == 0 {
		return math.NaN()
	}
	return u.ServerCPU - u.ServerCPUWithout
}

// ServerShare returns ServerCPUBeyond as a share of a core.
func (u Usage) ServerShare() float64 {
	return u.ServerCPUBeyond() / u.Seconds
}

// WrittenASecond returns the bytes of UpdateStatus that were written in a second.
func (u Usage) WrittenASecond() float64 {
	return float64(u.WrittenBytes) / u.Seconds
}

// Replay is how far the object lagged behind what was written.
type Replay struct {
	Seconds float64 `json:"seconds"`
	// Writes include heartbeats.
	Writes int `json:"writes"`
	// Behind is the longest delay of a write. If it is seconds, the machine was too slow.
	Behind    float64 `json:"behindSeconds"`
	Nodes     Lag     `json:"nodes"`
	Operators Lag     `json:"operators"`
	// Urgent are the nodes that fail, and Summary the counts of the summary.
	Urgent  Lag `json:"urgent"`
	Summary Lag `json:"summary"`
}

// Watched is what watchers of the objects received in the update, in bytes.
type Watched struct {
	Status  int `json:"status"`
	Summary int `json:"summary"`
}

// Lag is the distribution of lags.
type Lag struct {
	// Transitions is how many there were. Seen of them were seen in some version of the object; the others changed again
	// before, or were never seen.
	Transitions int     `json:"transitions"`
	Seen        int     `json:"seen"`
	Overtaken   int     `json:"overtaken"`
	Missing     int     `json:"missing"`
	P50         float64 `json:"p50Seconds"`
	P95         float64 `json:"p95Seconds"`
	P99         float64 `json:"p99Seconds"`
	Max         float64 `json:"maxSeconds"`
}

// p99 returns the 99th percentile, NaN where nothing changed.
func (l Lag) p99() float64 {
	if l.Transitions == 0 {
		return math.NaN()
	}
	return l.P99
}

// Verdict is how much of the object agreed with an assessment of the whole cluster.
type Verdict struct {
	Nodes     Count `json:"nodes"`
	Operators Count `json:"operators"`
	// Pools include the ClusterVersion.
	Pools Count `json:"pools"`
}

// Count counts subjects.
type Count struct {
	Right int `json:"right"`
	Wrong int `json:"wrong"`
}

// wrong returns how many subjects were wrong at the end, or changed without a version of the object that showed it.
func (r Run) wrong() float64 {
	return float64(r.End.Wrong() + r.Hard.Nodes.Missing + r.Singly.Nodes.Missing)
}

// Wrong is the number of subjects that were wrong.
func (v Verdict) Wrong() int {
	return v.Nodes.Wrong + v.Operators.Wrong + v.Pools.Wrong
}

// Object is the number of versions of UpdateStatus/cluster and the size of the largest, as JSON with managedFields.
type Object struct {
	Versions int `json:"versions"`
	Bytes    int `json:"bytes"`
}

// Client is what one call of oc-update-status costs.
type Client struct {
	// Seconds is the median of several calls.
	Seconds float64 `json:"seconds"`
}
