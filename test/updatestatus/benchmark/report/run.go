package report

import (
	"math"
)

// Run is what was measured on one cluster. Times are in seconds, sizes in bytes.
type Run struct {
	Shape string `json:"shape"`
	Nodes int    `json:"nodes"`
	Cores int    `json:"cores"`
	Go    string `json:"go"`

	// ColdStart is the time from the start of the process until a complete version of the object was received.
	ColdStart float64 `json:"coldStartSeconds"`
	// Idle and Update are what the controller used: in a minute with nothing but heartbeats, and from the first write of the update
	// until everything was right.
	Idle   Usage `json:"idle"`
	Update Usage `json:"update"`
	// PeakMemory is the peak of the controller's resident memory.
	PeakMemory int `json:"peakMemoryBytes"`

	Hard   Replay `json:"hardReplay"`
	Singly Replay `json:"changesSingly"`
	// Settled is the time from the last write of the update until a version was received in which everything is right, nil
	// if there was none. It is negative where that write changes nothing.
	Settled *float64 `json:"settledSeconds"`
	// Wrong is how many subjects were wrong at the end.
	Wrong int `json:"wrong"`

	// ObjectBytes is the size of the largest version of UpdateStatus/cluster, as JSON with managedFields.
	ObjectBytes int     `json:"objectBytes"`
	Watched     Watched `json:"watched"`
	// ClientSeconds is how long one call of oc-update-status takes, the median of several calls.
	ClientSeconds float64 `json:"clientSeconds"`
}

// settled returns when everything was right after the last write, in seconds; infinite if it never was.
func (r Run) settled() float64 {
	if r.Settled == nil {
		return math.Inf(1)
	}
	return max(0, *r.Settled)
}

// wrong returns how many subjects were wrong at the end, or changed without a version of the object that showed it.
func (r Run) wrong() float64 {
	return float64(r.Wrong + r.Hard.Nodes.Missing + r.Singly.Nodes.Missing)
}

// Usage is what was used in a part of a run.
type Usage struct {
	Seconds float64 `json:"seconds"`
	// ControllerCPU is the CPU time of the controller.
	ControllerCPU float64 `json:"controllerCPUSeconds"`
	// ServerCPU is the CPU time of kube-apiserver, and ServerCPUWithout that in the same part of a run without the controller.
	ServerCPU        float64 `json:"serverCPUSeconds"`
	ServerCPUWithout float64 `json:"serverCPUSecondsWithoutController"`
	// Requests are those of the controller, Writes those to the status of UpdateStatus, WrittenBytes the size of the
	// objects in them.
	Requests     int `json:"requests"`
	Writes       int `json:"statusWrites"`
	FailedWrites int `json:"failedStatusWrites"`
	WrittenBytes int `json:"statusWrittenBytes"`
}

// ServerCPUBeyond returns the CPU time of kube-apiserver beyond that of the replay itself.
func (u Usage) ServerCPUBeyond() float64 {
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
	Behind float64 `json:"behindSeconds"`
	Nodes  Lag     `json:"nodes"`
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
	// Transitions is how many there were. The last ones of Missing subjects were never seen.
	Transitions int     `json:"transitions"`
	Missing     int     `json:"missing"`
	P50         float64 `json:"p50Seconds"`
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
